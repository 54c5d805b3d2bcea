/// \file
/// Where a unit calls the operators, and which functions it hands to them by name.

#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceLocation.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace ddx::compiler {

/// A function that is handed to an operator by its name.
struct NamedFunction {
  const clang::FunctionDecl* function;
  clang::SourceLocation where;  ///< The call of the operator.
};

/// The calls of one translation unit that lead to entry points, from one walk over it.
///
/// The walk covers template instantiations and leaves out namespace std, which calls no operator by
/// itself.
class CallSites {
  struct Site {
    const clang::FunctionDecl* caller = nullptr;  ///< Null outside of functions.
    clang::SourceLocation where;
    bool by_derivative = false;  ///< By the text of a derivative that is asked for here.
  };

 public:
  /// Walks `sema`'s unit. `entry_header` is a location in `ddx/ad/detail/entry.h`; the folder `ddx`
  /// above it holds what counts as the library's own code.
  CallSites(clang::Sema& sema, clang::SourceLocation entry_header);

  /// The place nearest to `entry` in the chain of calls that leads to it, outside the library;
  /// invalid if there is none. A call inside a template is placed there, not where the template is
  /// instantiated.
  [[nodiscard]] clang::SourceLocation user_call(const clang::FunctionDecl* entry) const {
    return user_site(entry).where;
  }

  /// True where that place is outside of templates, and what it asks for is `entry` itself, not
  /// another derivative whose text calls `entry`.
  [[nodiscard]] bool is_plain_code(const clang::FunctionDecl* entry) const;

  /// True where ddx itself contains `where`.
  [[nodiscard]] bool in_library(clang::SourceLocation where) const;

  /// The functions named as first argument of a call of the library where that argument has the
  /// type `pointer` (after decay), each once, in source order: those of operators that may lead to
  /// `entry`.
  [[nodiscard]] llvm::SmallVector<NamedFunction> named_as(clang::QualType pointer,
                                                          const clang::FunctionDecl* entry) const;

 private:
  class Walk;

  [[nodiscard]] bool in_derivatives(clang::SourceLocation where) const;
  [[nodiscard]] Site user_site(const clang::FunctionDecl* entry) const;

  const clang::SourceManager& sources_;
  std::string library_folder_;
  llvm::DenseMap<const clang::FunctionDecl*, llvm::SmallVector<Site, 2>> callers_;
  struct Handed {
    NamedFunction named;
    const clang::FunctionDecl* to;  ///< The operator.
  };
  llvm::DenseMap<clang::QualType, llvm::SmallVector<Handed>> handed_;
};

}  // namespace ddx::compiler
