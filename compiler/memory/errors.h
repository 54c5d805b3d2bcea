/// \file
/// Reports what the memory path cannot differentiate, at its place in the source.

#pragma once

#include "compiler/diagnostics/call_chain.h"
#include "compiler/memory/memory_rules.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::compiler::memory {

class Errors {
 public:
  Errors(clang::DiagnosticsEngine& diagnostics, clang::SourceManager& sources,
         const MemoryRules& rules)
      : diagnostics_(diagnostics), sources_(sources), rules_(rules) {}

  /// From here on, errors wait for `release`: their places may be had more exactly.
  void hold() { is_holding_ = true; }

  /// Reports the errors that wait.
  void release();

  /// Reports `id` at the place of `where`, once for each line, with the calls that lead there from
  /// the request; the innermost place in the program comes first.
  void report(const llvm::Instruction& where, Diagnostic id, llvm::StringRef fact = {});

  /// Reports an instruction that has no rule because of the type of its reals.
  void report_real(const llvm::Instruction& where);

  /// Notes the first call by which a derivative of `callee` is needed.
  void add_call(const llvm::Function& callee, const llvm::CallBase& call);

  /// From here on, errors are kept instead of reported: what is derived only because a pointer
  /// might lead there fails when it is called.
  void begin_tentative() { is_tentative_ = true; }

  /// The first error kept since the last call, as text with its place; empty where there is none.
  std::string take_kept() { return std::exchange(kept_, {}); }

  /// Reports an error of the compiler itself.
  void internal(const llvm::Function& function, llvm::StringRef what);

  [[nodiscard]] bool any() const { return any_; }

 private:
  /// What is known of the place of an instruction, which may be gone when that is asked for.
  struct Site {
    std::string function;  ///< Mangled.
    std::string called;    ///< Where it is a call: what it calls, mangled.
    const llvm::DILocation* location = nullptr;
  };

  static Site site_of(const llvm::Instruction& where);
  clang::SourceLocation place_of(const llvm::DebugLoc& where) const;
  clang::SourceLocation place_of(const Site& site) const;
  void add_places(const Site& site, std::vector<ChainLink>& calls) const;
  const Site* call_of(llvm::StringRef function) const;
  std::vector<ChainLink> calls_to(const llvm::Instruction& where) const;
  std::string text_of_place(const llvm::Instruction& where) const;

  clang::DiagnosticsEngine& diagnostics_;
  clang::SourceManager& sources_;
  const MemoryRules& rules_;
  llvm::StringMap<Site> calls_;  ///< By the function that is called.
  std::set<std::tuple<unsigned, std::string, std::string>> reported_;  ///< Line, file, text.
  std::vector<ChainedError> held_;
  bool is_holding_ = false;
  bool any_ = false;
  bool is_tentative_ = false;
  std::string kept_;
};

/// The name of a function as a C++ programmer writes it, without its parameters.
std::string readable_name(llvm::StringRef mangled);

/// The same of a function that is prepared, or of the program.
std::string source_name(const llvm::Function& function);

}  // namespace ddx::compiler::memory
