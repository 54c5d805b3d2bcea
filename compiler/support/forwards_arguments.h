/// \file
/// Which functions forward what their arguments keep.

#pragma once

#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace ddx::compiler {

/// What has been found out so far about functions that, themselves or in what they call, move from
/// objects of their callers or exchange them. Each body is walked once.
class ForwardsArguments {
 public:
  /// Nothing where it is not known yet.
  [[nodiscard]] std::optional<bool> find(const clang::FunctionDecl* function) const {
    const auto found = known_.find(function->getCanonicalDecl());
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }

  void add(const clang::FunctionDecl* function, bool forwards) {
    known_[function->getCanonicalDecl()] = forwards;
  }

 private:
  llvm::DenseMap<const clang::FunctionDecl*, bool> known_;
};

}  // namespace ddx::compiler
