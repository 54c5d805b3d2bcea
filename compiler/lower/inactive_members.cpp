#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// A call of the library on a member without reals of an object with some, a string of messages
/// say: text, that changes nothing which has a tangent. `value` is what it returns, if anything.
bool Lowering::inactive_member_call(const FunctionDecl* callee, const Expr* source,
                                    const Expr* object, llvm::ArrayRef<const Expr*> arguments,
                                    Value** value) {
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  const Expr* const member = object ? object->IgnoreParenImpCasts() : nullptr;
  if (!method || method->isConst() || !member || !isa<MemberExpr, DeclRefExpr>(member) ||
      member->getType()->isPointerType() || context_.types.may_hold_real(member->getType())) {
    return false;
  }
  for (const Expr* argument : arguments) {
    const Effects found = effects(argument);
    if (found.lowers || !found.writes.empty()) {
      return false;
    }
  }
  const auto path = object_path(object);
  if (!path || !path->root->carries || path->steps.empty()) {
    return false;
  }
  const SourceLocation where = source->getExprLoc();
  const Binding place = bind_alias(*path, false, "part", where);
  replaced_[member] = hole(*place.alias);
  const auto text = text_of(source);
  Effects found = effects(source);
  replaced_.erase(member);
  if (!text) {
    return false;
  }
  const bool kept = !source->getType()->isVoidType() && !source->isGLValue();
  if (kept) {
    *value = text_value(source, found, *text);
  } else {
    ir::Statement* made = add(ir::Statement::Kind::Text, where);
    made->text = *text;
    note(made, found);
  }
  ir::Statement* const made = block_->statements.back();
  made->text_writes.push_back(path->root);
  made->beside = true;
  return true;
}

}  // namespace ddx::compiler
