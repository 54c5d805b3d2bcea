#include "compiler/lower/scope.h"

#include "compiler/lower/library/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

bool names_same_object(const CastExpr& cast) {
  switch (cast.getCastKind()) {
    case CK_NoOp:
    case CK_DerivedToBase:
    case CK_UncheckedDerivedToBase:
    case CK_BaseToDerived:
      return true;
    default:
      return false;
  }
}

std::optional<Binding> Scope::bound_to(const ValueDecl* name) const {
  if (const auto* part = dyn_cast<BindingDecl>(name)) {
    const auto found = structured.find(part);
    return found == structured.end() ? std::nullopt : std::optional<Binding>(found->second);
  }
  const auto* variable = dyn_cast<VarDecl>(name);
  const auto found = variable ? bindings.find(variable) : bindings.end();
  return found == bindings.end() ? std::nullopt : std::optional<Binding>(found->second);
}

void Scope::bind_name(const ValueDecl* name, const std::optional<Binding>& binding) {
  if (const auto* part = dyn_cast<BindingDecl>(name)) {
    if (binding) {
      structured[part] = *binding;
    } else {
      structured.erase(part);
    }
  } else if (binding) {
    bindings[cast<VarDecl>(name)] = *binding;
  } else {
    bindings.erase(cast<VarDecl>(name));
  }
}

const Binding* Scope::named_iterator(const Expr* expression) {
  expression = below_copies(expression);
  const Binding* found = nullptr;
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    found = known_member(member);
  } else if (const auto known = bindings.find(named_variable(expression));
             known != bindings.end()) {
    found = &known->second;
  }
  return found && found->position ? found : nullptr;
}

Binding* Scope::member_of(ScalarizedObject& scalarized, const FieldDecl* field) {
  const auto members =
      context_.types.scalarized_members(context_.ast.getRecordType(scalarized.record));
  const auto found = llvm::find(members, field);
  return found == members.end()
             ? nullptr
             : &scalarized.captures[static_cast<std::size_t>(found - members.begin())];
}

bool Scope::is_in_scalarized(const Expr* object) {
  for (;;) {
    object = object->IgnoreParens();
    const QualType type = object->getType();
    if (isa<CXXThisExpr>(object)) {
      return self_scalarized != nullptr;
    }
    if (!type->isPointerType() && context_.types.is_scalarized(type)) {
      return true;
    }
    if (const auto* cast = dyn_cast<CastExpr>(object); cast && names_same_object(*cast)) {
      object = cast->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(object)) {
      object = temporary->getSubExpr();
    } else if (const auto* operation = dyn_cast<UnaryOperator>(object);
               operation && operation->getOpcode() == UO_Deref) {
      object = operation->getSubExpr();
    } else {
      const auto* reference = dyn_cast<DeclRefExpr>(object);
      const auto found = reference ? bound_to(reference->getDecl()) : std::nullopt;
      return found && found->kind == Binding::Kind::Closure;
    }
  }
}

std::shared_ptr<ScalarizedObject> Scope::known_scalarized(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return self_scalarized;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    return names_same_object(*cast) ? known_scalarized(cast->getSubExpr()) : nullptr;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    return operation->getOpcode() == UO_Deref ? known_scalarized(operation->getSubExpr()) : nullptr;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = bound_to(reference->getDecl());
    return found && found->kind == Binding::Kind::Closure ? found->closure : nullptr;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    const Binding* part = known_member(member);
    return part && part->kind == Binding::Kind::Closure ? part->closure : nullptr;
  }
  return nullptr;
}

const Binding* Scope::known_member(const MemberExpr* member) {
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  const auto whole = field ? known_scalarized(member->getBase()) : nullptr;
  return whole ? member_of(*whole, field) : nullptr;
}

}  // namespace ddx::compiler
