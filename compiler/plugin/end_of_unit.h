/// \file
/// The moment at which derivatives are written: all of the user's text is parsed, and Sema still
/// lives.

#pragma once

#include "compiler/memory/memory_rules.h"
#include "compiler/plugin/hidden_macros.h"
#include "compiler/plugin/options.h"
#include "compiler/plugin/pipeline.h"
#include "compiler/request/registry.h"
#include "compiler/support/entry_parts.h"
#include "compiler/support/names.h"

#include "clang/Basic/SourceLocation.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ddx::compiler {

/// Drives the pipeline at the end of one translation unit.
///
/// Two pragmas follow the user's text. The first separates: it enters `static_assert(true); ;`,
/// placed at the end of the user's text, so that a declaration left open there gets the message it
/// gets without the plugin, and a closed one leaves the parser at global scope. The second starts a
/// round: instantiate what is pending, find requests, enter their derivatives as text of a system
/// file. That text ends with the second pragma, so derivatives that ask for derivatives are served
/// in the next round, until a round finds no request.
class EndOfUnit {
 public:
  EndOfUnit(clang::CompilerInstance& compiler, Options options);

  /// Appends the pragmas to the main file and makes them known to the preprocessor. Call before it
  /// is entered.
  static void install(clang::CompilerInstance& compiler, Options options);

  /// Handles the first pragma.
  void separate();

  /// Handles the second pragma, at `pragma`.
  void run_round(clang::SourceLocation pragma);

 private:
  void analyse_shapes();
  void enter_end_of_file();
  void enter_derivatives(std::string text, clang::SourceLocation pragma);
  bool instantiate_pending();
  void mark_served(const std::vector<Request>& requests,
                   llvm::ArrayRef<const clang::FunctionDecl*> postponed);
  Synthesis synthesis_of(const std::vector<Request>& requests);
  [[nodiscard]] std::string saved_path() const;
  void save(const std::string& text, const std::string& path);

  clang::CompilerInstance& compiler_;
  Options options_;
  clang::SourceLocation end_of_text_;
  std::optional<Names> names_;
  std::optional<Registry> registry_;
  HiddenMacros hidden_macros_;
  EntryParts entry_parts_;
  std::shared_ptr<MemoryRules> memory_rules_ = std::make_shared<MemoryRules>();
  llvm::SmallPtrSet<const clang::FunctionDecl*, 8> served_;
  llvm::DenseMap<const clang::FunctionDecl*, unsigned> waited_;  ///< Rounds, by entry.
  clang::SourceLocation last_request_;
  bool access_control_;
  unsigned round_ = 0;
};

}  // namespace ddx::compiler
