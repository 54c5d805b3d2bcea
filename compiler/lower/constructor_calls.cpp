#include "compiler/lower/lowering.h"

#include "llvm/ADT/ScopeExit.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// Calls a constructor on the object at `target`.
Value* Lowering::construct_call(const CXXConstructorDecl* constructor, Path target,
                                const Expr* source, llvm::ArrayRef<const Expr*> arguments) {
  // The text of a construction makes a temporary, not this object: it cannot be carried over.
  const auto not_constructed = [this]() -> Value* {
    function_.statements.back().primal_text.clear();
    return nullptr;
  };
  const FunctionDecl* body = visible_body(constructor);
  if (!body) {
    unsupported(source, Diagnostic::UnsupportedHiddenBody, {constructor->getNameAsString()});
    return not_constructed();
  }
  unlisted(constructor->getParent(), source->getExprLoc());
  if (const auto* written = dyn_cast<CXXConstructExpr>(source);
      written && written->requiresZeroInitialization()) {
    zero_numbers(target, source->getExprLoc());
  }
  ir::Statement* made = make(ir::Statement::Kind::Call, source->getExprLoc());
  made->callee = body;
  // What casts to the derived class must know the whole object; virtual functions mean those of the
  // class under construction.
  const bool casts =
      !constructor->getParent()->isPolymorphic() && context_.casts_to_derived.reached_from(body);
  const bool outer_casts = std::exchange(callee_casts_, casts);
  const auto restore = llvm::make_scope_exit([&] { callee_casts_ = outer_casts; });
  if (!casts || !expand_whole(made, target, false)) {
    expand_path(made, target, false, false);
  }
  for (unsigned i = 0; i < arguments.size() && i < constructor->getNumParams(); ++i) {
    if (!expand_argument(made, constructor->getParamDecl(i)->getType(), arguments[i])) {
      unsupported_argument(source, arguments[i]);
      return not_constructed();
    }
  }
  return emit_call(made, context_.ast.VoidTy);
}

}  // namespace ddx::compiler
