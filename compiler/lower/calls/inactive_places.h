/// \file
/// References to inactive objects that only text finds.

#pragma once

#include "compiler/lower/part.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Declares references to inactive objects that only text finds.
class InactivePlaces : Part {
 public:
  using Part::Part;

  /// True for a pointer whose object has a path: `this`, and what `&x` initialised.
  bool has_known_target(const clang::Expr* pointer) const;
  /// Declares a reference to what `place` names, an object without derivative, where no path leads
  /// to it. Nothing where one does, or where text cannot say it.
  std::optional<ir::Path> place_by_text(const clang::Expr* place, clang::QualType type,
                                        const std::string& name);
  /// The value of an object of the library made as `construction` says, where only parts without
  /// derivative depend on numbers; null where others do.
  ir::Value* made_of_inactive_parts(const clang::CXXConstructExpr* construction);

 private:
  bool is_found_by_text(const clang::Expr* place) const;
  llvm::SmallVector<const clang::Expr*> declare_inactive_parts(const clang::Expr* expression);
};

}  // namespace ddx::compiler
