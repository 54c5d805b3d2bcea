/// \file
/// Reports what the memory path cannot differentiate, at its place in the source.

#pragma once

#include "compiler/diagnostics/diagnostics.h"
#include "compiler/memory/memory_rules.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"

#include <set>
#include <string>
#include <utility>

namespace ddx::compiler::memory {

class Errors {
 public:
  Errors(clang::DiagnosticsEngine& diagnostics, clang::SourceManager& sources,
         const MemoryRules& rules)
      : diagnostics_(diagnostics), sources_(sources), rules_(rules) {}

  /// Reports `id` at the place of `where`, once for each place. The call of the user's that led
  /// there follows as a note where the place is in a header of the system.
  void report(const llvm::Instruction& where, Diagnostic id, llvm::StringRef fact = {});

  /// From here on, errors are kept instead of reported: what is derived only because a pointer
  /// might lead there fails when it is called.
  void begin_tentative() { is_tentative_ = true; }

  /// The first error kept since the last call, as text with its place; empty where there is none.
  std::string take_kept() { return std::exchange(kept_, {}); }

  /// Reports an error of the compiler itself.
  void internal(const llvm::Function& function, llvm::StringRef what);

  [[nodiscard]] bool any() const { return any_; }

 private:
  clang::SourceLocation place_of(const llvm::DebugLoc& where) const;
  clang::SourceLocation place_of(const llvm::Instruction& where) const;

  clang::DiagnosticsEngine& diagnostics_;
  clang::SourceManager& sources_;
  const MemoryRules& rules_;
  std::set<std::pair<unsigned, std::string>> reported_;
  bool any_ = false;
  bool is_tentative_ = false;
  std::string kept_;
};

/// The name of a function as a C++ programmer writes it, without its parameters.
std::string readable_name(llvm::StringRef mangled);

}  // namespace ddx::compiler::memory
