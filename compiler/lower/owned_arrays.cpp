/// Arrays of numbers behind pointers that lead to memory: `new T[n]`, and the members that own
/// such.

#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// The expression that gives the value, below the initialisers around it.
const Expr* unwrapped(const Expr* expression) {
  for (;;) {
    expression = below_copies(expression);
    if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
      expression = with_default->getExpr();
    } else if (const auto* list = dyn_cast<InitListExpr>(expression);
               list && list->getNumInits() == 1 && list->getType()->isScalarType()) {
      expression = list->getInit(0);
    } else {
      return expression;
    }
  }
}

}  // namespace

/// True for a member that points to an array which its object deletes.
bool Lowering::names_owned_array(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts());
  const auto* field = member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  return field && context_.types.owns_array(field);
}

/// True for the path of such a member.
bool Lowering::is_owned_array(const Path& path) {
  return !path.steps.empty() && path.steps.back().field &&
         context_.types.owns_array(path.steps.back().field);
}

/// True where `pointer` is null or leads to memory, and never to an object with a name.
bool Lowering::leads_to_memory(const Expr* pointer) {
  pointer = unwrapped(pointer);
  if (isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(pointer) ||
      pointer->isNullPointerConstant(context_.ast, Expr::NPC_NeverValueDependent)) {
    return true;
  }
  if (const auto* list = dyn_cast<InitListExpr>(pointer)) {
    return list->getNumInits() == 0;
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(pointer)) {
    return leads_to_memory(conditional->getTrueExpr()) &&
           leads_to_memory(conditional->getFalseExpr());
  }
  if (const auto* call = dyn_cast<CallExpr>(pointer)) {
    const FunctionDecl* callee = call->getDirectCallee();
    const bool exchanges = callee && in_library(callee) && callee->getIdentifier() &&
                           callee->getName() == "exchange" && call->getNumArgs() == 2;
    const auto* member = dyn_cast<CXXMemberCallExpr>(call);
    return (exchanges && leads_to_memory(call->getArg(0)) && leads_to_memory(call->getArg(1))) ||
           (member &&
            context_.types.is_dynamic_pointer(member->getImplicitObjectArgument()->getType()));
  }
  return is_dynamic_pointer_value(pointer);
}

/// Gives a member that owns an array its first value, or another one. What may lead to an object
/// with a name is an error.
void Lowering::set_owned_array(const Path& target, const Expr* source) {
  const SourceLocation where = source->getExprLoc();
  Binding place;
  place.kind = Binding::Kind::Object;
  place.path = target;
  const auto name = spell_path(place);
  const Expr* given = unwrapped(source);
  const auto* call = dyn_cast<CallExpr>(given);
  if (name && call && call->getDirectCallee() && !in_library(call->getDirectCallee())) {
    const auto path = pointer(given);
    if (path && path->root->kind == Root::Kind::Memory) {
      Root* made =
          new_root(Root::Kind::Local, "made", given->getType().getUnqualifiedType(), where);
      made->is_dynamic_pointer = true;
      block_->roots.push_back(made);
      Value* const address = address_of(*path, where);
      ir::Statement* declaration = add(ir::Statement::Kind::Declare, where);
      declaration->root = made;
      declaration->value = address;
      ir::Statement* statement = add(ir::Statement::Kind::Text, where);
      statement->text = *name + " = " + hole(*made);
      statement->reads.push_back(made);
      if (!target.root->has_tangent) {
        statement->text_writes.push_back(target.root);
      }
      return;
    }
  }
  const bool empty = isa<ImplicitValueInitExpr>(given) ||
                     (isa<InitListExpr>(given) && cast<InitListExpr>(given)->getNumInits() == 0);
  const auto text = !leads_to_memory(given) ? std::nullopt
                    : empty                 ? std::optional(PointerText{"nullptr", {}})
                                            : dynamic_pointer_text(given);
  if (!name || !text) {
    lost_pointer(source);
    return;
  }
  add_text(*name + " = " + text->text, *text, where, {});
  if (!target.root->has_tangent) {
    block_->statements.back()->text_writes.push_back(target.root);
  }
}

/// `new T[n]`: each element is zero, or what its class says, where `filled`; else nothing is read
/// before it is written. Null where the elements are no numbers, nor made of them.
Root* Lowering::create_elements(QualType type, const Expr* count, bool filled,
                                SourceLocation where) {
  const CXXRecordDecl* record = Types::record(type);
  const bool plain =
      type->isScalarType() ||
      (record && !in_library(record) && record->hasDefaultConstructor() &&
       !record->hasUserProvidedDefaultConstructor() && record->hasTrivialDestructor() &&
       !record->isPolymorphic() && !record->hasInClassInitializer() && !is_scalarized(type));
  if (!plain || type->isPointerType() || !context_.types.has_tangent(type) ||
      context_.types.holds_dynamic_pointer(type) || !is_made_of_numbers(type)) {
    return nullptr;
  }
  Value* const number = rvalue(count);
  if (!number) {
    return nullptr;
  }
  Root* size = new_root(Root::Kind::Local, "count", context_.ast.getSizeType(), where);
  Value* const counted = form("static_cast<std::size_t>($0)", size->type, {number}, where);
  declare_local(size, where)->value = counted;
  Root* made = new_root(Root::Kind::Local, "made", context_.ast.getPointerType(type), where);
  made->is_dynamic_pointer = true;
  ir::Statement* declaration = declare_local(made, where);
  declaration->text = " = new " + context_.names.type(type) + "[" + hole(*size) + "]";
  declaration->reads.push_back(size);
  if (!filled) {
    return made;
  }
  auto* first = new (context_.ast) OpaqueValueExpr(where, made->type, VK_PRValue);
  auto* times = new (context_.ast) OpaqueValueExpr(where, size->type, VK_PRValue);
  const FunctionDecl* plain_fill = plain_function("memory_fill", {first, times});
  const FunctionDecl* body = plain_fill ? visible_body(plain_fill) : nullptr;
  if (!body) {
    return nullptr;
  }
  Value* const address = value_in(*made, where);
  Value* const elements = value_in(*size, where);
  ir::Statement* fill = make(ir::Statement::Kind::Call, where);
  fill->callee = body;
  expand_path(fill, pointee_path(address, type, where), true, false);
  Argument passed;
  passed.kind = Argument::Kind::Value;
  passed.value = elements;
  passed.is_constant = true;
  fill->arguments.push_back(std::move(passed));
  emit_call(fill, context_.ast.VoidTy);
  return made;
}

/// A pointer variable that starts at `target`, in memory.
Binding Lowering::declare_pointer_at(const Path& target, QualType type, const std::string& name,
                                     SourceLocation where) {
  Value* const address = address_of(target, where);
  Root* root = new_root(Root::Kind::Local, name, type.getUnqualifiedType(), where);
  root->is_dynamic_pointer = true;
  ir::Statement* declaration = declare_local(root, where);
  declaration->value = address;
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path.root = root;
  bound.path.type = root->type;
  bound.in_memory = true;
  return bound;
}

}  // namespace ddx::compiler
