/// \file
/// Spans and initialiser lists.

#pragma once

#include "compiler/lower/binding.h"
#include "compiler/lower/calls/call_rule.h"
#include "compiler/lower/part.h"

#include <optional>
#include <string>

namespace ddx::compiler {

/// Lowers spans and initialiser lists.
class Views : Part, public CallRule {
 public:
  using Part::Part;

  std::optional<ir::Value*> lower_by_rule(const CallSite& site) override;

  /// A view is passed as its first element and the number of elements.
  void expand_view(ir::Statement* call, const Binding& view);
  /// A view as text; a list of initialisers has none.
  std::optional<std::string> spell_view(const Binding& view);
  /// The number of elements of `view`, as a `type`.
  ir::Value* extent_of(const Binding& view, clang::QualType type, clang::SourceLocation where);
  /// What a view expression shows; nothing where that is not known.
  std::optional<Binding> view(const clang::Expr* expression);
  /// `std::span s(v)`.
  void declare_view(const clang::VarDecl* variable);

 private:
  /// Members of views. Returns false for any other call.
  bool view_call(const clang::CXXMethodDecl* method, const clang::Expr* source,
                 const clang::Expr* object, llvm::ArrayRef<const clang::Expr*> arguments,
                 ir::Value** value, std::optional<ir::Path>* reference);
  Binding make_view(ir::Path first, ir::Value* count, clang::QualType type,
                    clang::SourceLocation where);
  std::optional<Binding> view_of_range(const clang::Expr* expression, clang::QualType type);
  std::optional<Binding> view_of_list(const clang::CXXStdInitializerListExpr* list);
  std::optional<Binding> part_of_view(const clang::CXXMemberCallExpr* call);
};

}  // namespace ddx::compiler
