/// \file
/// Drives the stages: from a key to a derivative, and from a request to its entry.

#pragma once

#include "compiler/diagnose/diagnose.h"
#include "compiler/diagnostics/held_diagnostics.h"
#include "compiler/ir/derivative.h"
#include "compiler/request/request.h"
#include "compiler/residuals/residuals.h"
#include "compiler/support/context.h"
#include "compiler/support/pipeline_options.h"

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace ddx::compiler {

class Driver {
 public:
  /// `held` must hold what is reported to the engine of `context`.
  Driver(const Context& context, const PipelineOptions& options, HeldDiagnostics& held)
      : context_(context), options_(options), held_(held) {}

  /// The derivative for `key`, made on first demand. Null when it, or something it calls, was
  /// rejected.
  ir::Derivative* derive(const ir::Key& key);

  /// The definition of one request's entry; empty when it was rejected.
  std::string entry(const Request& request);

  /// Whether the last entry must wait until an entry that its function calls is defined; reset by
  /// the call.
  bool take_deferred() { return std::exchange(deferred_, false); }

  /// Declarations, then definitions, of every derivative made since the last call.
  std::string take_text();

  /// What entries use, since the last call: the classes of pullback states, and what has been
  /// written of entries that must wait.
  std::string take_entry_parts() { return std::exchange(entries_, {}); }

 private:
  struct EntryArguments {
    std::vector<std::string> texts;
    std::vector<std::size_t> places;  ///< Of the first parameter that each argument became.
    ir::Key key;
    bool outlives = false;  ///< A pullback: what it refers to may change before the reverse sweep.
    bool stays = false;     ///< What is being passed does not.
  };

  /// What a call may do besides computing its result.
  struct Summary {
    std::vector<bool> writes_parameter;  ///< For each expanded parameter of the callee.
    bool writes_global = false;          ///< It, or what it calls, writes real numbers to a global.
  };

  /// The summary of a callee, found by lowering it once. Null while that is being done.
  const Summary* summary(const clang::FunctionDecl* callee,
                         const std::vector<const clang::FunctionDecl*>& targets);
  void refine_arguments(ir::Function& function);
  bool choose_callees(ir::Function& function, const Writes& writes);
  bool choose_functor(ir::Statement& call);
  ir::Key key_of(const ir::Statement& call);
  static bool is_stable(const ir::Argument& argument, const ir::Statement& call,
                        ir::Function& function, const Writes& writes);
  void expand(clang::QualType type, const std::string& text, ir::ParameterFacts facts,
              EntryArguments& into);
  void expand_closure(const clang::CXXRecordDecl* record, const std::string& text,
                      EntryArguments& into);
  void expand_object(clang::QualType type, const std::string& text, bool is_apart,
                     EntryArguments& into);
  std::string gradient_body(const Request& request, const clang::FunctionDecl* target);
  std::string rows_body(const Request& request, const clang::FunctionDecl* target);
  std::string entry_head(const Request& request, const std::string& part);
  std::string promoted_body(const Request& request, const clang::FunctionDecl* target);
  std::string memory_body(const Request& request, const clang::FunctionDecl* target,
                          llvm::ArrayRef<const clang::FunctionDecl*> reached);
  std::string entry_body(const Request& request, const clang::FunctionDecl* target);
  std::string entry_by_pointer(const Request& request);
  std::string entry_with_table(const Request& request, const Request& asked,
                               const std::string& body);
  std::string differential_body(const Request& request, const clang::FunctionDecl* target);
  std::string pullback_body(const Request& request, const clang::FunctionDecl* target,
                            std::string& definitions);
  ir::Derivative* derive_request(const Request& request, const clang::FunctionDecl* target,
                                 EntryArguments& arguments);
  void warn_of_independence(const Request& request, const clang::FunctionDecl* target);
  std::string reverse_call(const ir::Derivative& derivative, const EntryArguments& arguments,
                           const Request& request, const std::string& seed, bool batched = false);
  void add_batched(ir::Derivative& derivative);
  void print(Stage stage, const ir::Function& function);
  bool verify(const ir::Derivative& made);

  const Context& context_;
  const PipelineOptions& options_;
  HeldDiagnostics& held_;
  std::deque<ir::Derivative> derivatives_;
  std::deque<bool> rejected_;
  std::map<std::pair<const clang::FunctionDecl*, std::vector<const clang::FunctionDecl*>>,
           std::optional<Summary>>
      summaries_;
  std::map<const ir::Derivative*, std::string> functors_;
  CallChain chain_;
  Warned warned_at_;
  bool deferred_ = false;
  std::set<std::pair<unsigned, const clang::FunctionDecl*>> warned_;
  std::string declarations_;
  std::string definitions_;
  std::string entries_;
};

}  // namespace ddx::compiler
