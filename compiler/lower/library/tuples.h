/// \file
/// Pairs and tuples.

#pragma once

#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ddx::compiler {

/// Lowers pairs and tuples.
class Tuples : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// Element `position` of a pair or a tuple.
  ir::Path part_path(ir::Path whole, unsigned position);
  /// Gives every part of a new pair or tuple its value.
  bool initialise_parts(const ir::Path& whole, llvm::ArrayRef<const clang::Expr*> values, bool raw);

 private:
  /// `std::get` of an array, a pair or a tuple; rejected for others.
  ir::Value* get(const CallSite& site);
  /// `std::apply(f, t)`: a call of `f` with the elements of `t`.
  bool apply(const clang::FunctionDecl* callee, const clang::Expr* source,
             llvm::ArrayRef<const clang::Expr*> arguments, ir::Value** value,
             std::optional<ir::Path>* reference);
  /// `std::tie(a, b) = pair or tuple`: the right side first, then one variable after the other.
  bool assign_tied(const clang::Expr* target, const clang::Expr* value);
  /// `std::make_pair` and `std::make_tuple`.
  bool make_parts(const clang::FunctionDecl* callee, const clang::Expr* source,
                  llvm::ArrayRef<const clang::Expr*> arguments, std::optional<ir::Path>* reference);
  /// The position that `std::get` receives, by number or by type.
  std::optional<unsigned> part_named(const clang::FunctionDecl* get, clang::QualType whole);
  std::optional<llvm::SmallVector<const clang::Expr*>> elements(const clang::Expr* tuple);
};

}  // namespace ddx::compiler
