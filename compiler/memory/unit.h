/// \file
/// The derivatives of one module, made on demand.

#pragma once

#include "compiler/memory/errors.h"
#include "compiler/memory/function_facts.h"
#include "compiler/memory/loop_counts.h"
#include "compiler/memory/memory_rules.h"
#include "compiler/memory/origin.h"
#include "compiler/memory/reached_code.h"
#include "compiler/memory/signature.h"
#include "compiler/memory/virtual_tables.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <deque>
#include <map>
#include <optional>

namespace ddx::compiler::memory {

/// The derivative functions of one function.
struct Derivative {
  llvm::Function* primal = nullptr;
  Signature signature;
  llvm::Function* prepared = nullptr;  ///< The copy that is differentiated; erased at the end.
  LoopCounts loop_counts;              ///< Of `prepared`.
  llvm::Function* forward = nullptr;   ///< The primal's parameters and the sweep.
  llvm::Function* reverse = nullptr;  ///< The sweep and the cotangent of the result, if it has one.
  llvm::Function* tangent = nullptr;  ///< Forward mode: primal's parameters, tangents, directory.
  bool wants_reverse = false;
  bool wants_tangent = false;
};

class Unit {
 public:
  Unit(llvm::Module& module, llvm::FunctionAnalysisManager& analyses, const MemoryRules& rules,
       Errors& errors);

  llvm::Module& module() { return module_; }
  llvm::FunctionAnalysisManager& analyses() { return analyses_; }
  [[nodiscard]] const MemoryRules& rules() const { return rules_; }
  Errors& errors() { return errors_; }

  /// The forward and reverse sweep of a function with a body, declared at once, defined by `run`.
  Derivative& sweeps_of(llvm::Function& primal);

  /// The same for its tangent.
  Derivative& tangent_of(llvm::Function& primal);

  /// An empty function, to be called by derivatives. It is a derivative of the given origin.
  llvm::Function* create(llvm::FunctionType* type, const llvm::Twine& name, Origin origin);

  /// As above, for one whose only call through a pointer reaches functions of origin `callees`.
  llvm::Function* create_caller(llvm::FunctionType* type, const llvm::Twine& name, Origin origin,
                                Origin callees);

  Origin origin_of(const llvm::Function& function) const;

  /// True for functions that `create` made.
  bool is_made(const llvm::Function& function) const { return origins_.contains(&function); }

  /// The function of the run time with this name, without "ddx.rt."; it must be in the module.
  llvm::Function* runtime(llvm::StringRef name);

  /// The slope of a scalar rule by its operand `index`, for a real type; null where there is none.
  llvm::Function* slope(llvm::StringRef name, unsigned arity, unsigned index,
                        const llvm::Type* type);

  /// The function with exactly this name, as written in an assembler label; null if absent.
  llvm::Function* labelled(llvm::StringRef name);

  /// The signature of a function with a body.
  const Signature& signature(const llvm::Function& primal);

  [[nodiscard]] const FunctionFacts& facts() const { return facts_; }

  /// Asks for the sweeps or the tangents of the functions that a call through a pointer may reach,
  /// in `caller`. Returns their origin.
  Origin add_indirect(const llvm::CallBase& call, const llvm::Function& caller, bool tangent);

  /// Defines everything that was asked for: derivatives of derivatives behind these; and the table
  /// of functions for indirect calls.
  void run();

 private:
  Derivative& entry_of(llvm::Function& primal);
  /// Sets the signature of a derivative that has the parameters of its primal first.
  Signature& add_signature(const llvm::Function& derivative, const Signature& primal);

  bool has_work() const { return !sweeps_waiting_.empty() || !tangents_waiting_.empty(); }
  void define_next();
  void drop_higher_orders();
  bool add_candidates();
  llvm::DenseSet<const llvm::Function*> find_takers() const;
  void add_candidate(llvm::Function& function);
  llvm::Function* wrapper_of(llvm::Function& declared);
  bool is_indirect(const llvm::Function& function) const {
    return indirect_.contains(origin_of(function));
  }
  bool may_be_meant(const llvm::Function& function) const;
  void add_thread_bodies(const llvm::Function& start, bool tangents);
  void define_table();
  void refuse_if_rejected(llvm::ArrayRef<llvm::Function*> functions);
  void refuse(llvm::ArrayRef<llvm::Function*> functions, llvm::StringRef reason);
  void complete();

  llvm::Module& module_;
  llvm::FunctionAnalysisManager& analyses_;
  const MemoryRules& rules_;
  Errors& errors_;
  llvm::MapVector<llvm::Function*, Derivative*> known_;
  std::deque<Derivative> derivatives_;
  llvm::DenseMap<const llvm::Function*, Signature> signatures_;
  std::optional<llvm::DenseSet<const llvm::Function*>> takers_;
  llvm::DenseMap<llvm::Function*, llvm::Function*> wrappers_;  ///< By functions of libm.
  llvm::DenseMap<llvm::Function*, llvm::Function*> wrapped_;   ///< The other way round.
  llvm::SmallVector<Derivative*> sweeps_waiting_;
  llvm::SmallVector<Derivative*> tangents_waiting_;
  /// What calls through pointers want of functions of one origin.
  struct Wanted {
    bool sweeps = false;
    bool tangent = false;
    bool all = false;                      ///< Some call may reach any of them.
    llvm::DenseSet<std::uint64_t> places;  ///< Of virtual calls.
  };
  std::map<Origin, Wanted> indirect_;
  std::optional<VirtualTables> tables_;
  llvm::DenseSet<const llvm::Function*> candidates_;
  ReachedCode reached_;                                    ///< From requests.
  llvm::DenseSet<llvm::Function*> listed_;                 ///< In the table, whatever their types.
  llvm::DenseMap<const llvm::Function*, Origin> origins_;  ///< Of what `create` made.
  llvm::DenseMap<const llvm::Function*, Origin> callees_;  ///< Of what `create_caller` made.
  FunctionFacts facts_;
};

}  // namespace ddx::compiler::memory
