// References to objects without derivative that only run-time text finds: what a function returns,
// an element of a map, what a pointer leads to. They are declared as they stand. Which objects they
// are part of is not known, so what is read of them is read once, where the program reads it.

#include "compiler/lower/calls/inactive_places.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// The sequence in `access`, an element of a container whose elements have paths; or null.
const Expr* indexed_sequence(const CallExpr* access) {
  const auto* method = dyn_cast_or_null<CXXMethodDecl>(access->getDirectCallee());
  const bool by_name = method && method->getIdentifier() &&
                       llvm::is_contained({"at", "front", "back"}, method->getName());
  if (!method || !(by_name || method->getOverloadedOperator() == OO_Subscript)) {
    return nullptr;
  }
  const Container kind =
      Types::container(method->getASTContext().getRecordType(method->getParent()));
  if (kind != Container::StdVector && kind != Container::StdArray && kind != Container::StdDeque) {
    return nullptr;
  }
  const auto* member = dyn_cast<CXXMemberCallExpr>(access);
  return member ? member->getImplicitObjectArgument() : access->getArg(0);
}

}  // namespace

bool InactivePlaces::has_known_target(const Expr* pointer) const {
  pointer = pointer->IgnoreParenImpCasts();
  const auto* reference = dyn_cast<DeclRefExpr>(pointer);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  const auto found = variable ? scope_.bindings.find(variable) : scope_.bindings.end();
  return isa<CXXThisExpr>(pointer) || pointer->getType()->isArrayType() ||
         (found != scope_.bindings.end() && found->second.kind == Binding::Kind::Pointer);
}

/// True where no path leads to what `place` names.
bool InactivePlaces::is_found_by_text(const Expr* place) const {
  place = place->IgnoreParenCasts();
  if (const auto* member = dyn_cast<MemberExpr>(place)) {
    return isa<FieldDecl>(member->getMemberDecl()) &&
           (member->isArrow() ? !has_known_target(member->getBase())
                              : is_found_by_text(member->getBase()));
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(place)) {
    const Expr* base = subscript->getBase()->IgnoreParenImpCasts();
    return base->getType()->isArrayType() ? is_found_by_text(base) : !has_known_target(base);
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(place)) {
    return operation->getOpcode() == UO_Deref && !has_known_target(operation->getSubExpr());
  }
  if (const auto* call = dyn_cast<CallExpr>(place)) {
    const Expr* sequence = indexed_sequence(call);
    return call->getDirectCallee() && (!sequence || is_found_by_text(sequence));
  }
  return isa<ConditionalOperator>(place);
}

std::optional<Path> InactivePlaces::place_by_text(const Expr* place, QualType type,
                                                  const std::string& name) {
  type = type.getNonReferenceType();
  place = place->IgnoreParens();
  if (!place->isGLValue() || type->isFunctionType() || type.isVolatileQualified() ||
      type->isArrayType() || context_.types.may_hold_real(type) ||
      context_.types.has_tangent(type) || context_.types.holds_dynamic_pointer(type) ||
      Types::is_callable(type) || context_.types.is_scalarized(type) || !is_found_by_text(place)) {
    return std::nullopt;
  }
  Effects found;
  effects_.collect(place, !type.isConstQualified(), found);
  const bool writes_numbers = llvm::any_of(found.writes, [](const Root* root) {
    return root->has_tangent;  // By part of an object with numbers: it has a path.
  });
  const auto text = found.lowers || (writes_numbers && !type.isConstQualified())
                        ? std::nullopt
                        : texts_.text_of(place);
  if (!text) {
    return std::nullopt;
  }
  if (!type.isConstQualified()) {
    effects_.expose(place);
  }
  Root* root = builder_.new_root(Root::Kind::Reference, name, type, place->getExprLoc());
  root->bound_to_text = true;
  root->exposed = true;
  ir::Statement* declaration = builder_.declare_local(root, root->where);
  declaration->text = " = static_cast<" + context_.names.type(type.getUnqualifiedType()) +
                      (type.isConstQualified() ? " const" : "") +
                      (place->isXValue() ? "&&>(" : "&>(") + *text + ")";
  effects_.note(declaration, found);
  Path path;
  path.root = root;
  path.type = type;
  return path;
}

/// Declares what in `expression` depends on numbers and has no derivative (the shape of a tensor,
/// its device), so that the rest of it names no numbers there. Returns: the parts, until which
/// text names them by what is declared.
llvm::SmallVector<const Expr*> InactivePlaces::declare_inactive_parts(const Expr* expression) {
  llvm::SmallVector<const Expr*> parts;
  for (const Stmt* child : expression->children()) {
    const auto* part = dyn_cast_or_null<Expr>(child);
    if (!part || !effects_.mentions_real(part)) {
      continue;
    }
    const QualType type = part->getType();
    const bool inactive = !type->isVoidType() && !type->isFunctionType() &&
                          !context_.types.may_hold_real(type) &&
                          !context_.types.has_tangent(type) &&
                          !context_.types.holds_dynamic_pointer(type) && !Types::is_callable(type);
    const Effects found = effects_.of(part);
    const auto text = inactive && part->isPRValue() && !isa<ImplicitCastExpr>(part) && !found.lowers
                          ? texts_.text_of(part)
                          : std::nullopt;
    if (!text) {
      parts.append(declare_inactive_parts(part));
      continue;
    }
    Root* root = builder_.new_root(Root::Kind::Local, "part", type, part->getExprLoc());
    ir::Statement* declaration = builder_.declare_local(root, root->where);
    declaration->text = " = " + *text;
    effects_.note(declaration, found);
    scope_.replaced[part] = type->isRecordType() ? "std::move(" + hole(*root) + ")" : hole(*root);
    parts.push_back(part);
  }
  return parts;
}

Value* InactivePlaces::made_of_inactive_parts(const CXXConstructExpr* construction) {
  const llvm::SmallVector<const Expr*> parts = declare_inactive_parts(construction);
  Value* made = nullptr;
  if (!effects_.mentions_real(construction)) {
    if (const auto text = texts_.text_of(construction)) {
      made = texts_.text_value(construction, effects_.of(construction), *text);
    }
  }
  for (const Expr* part : parts) {
    scope_.replaced.erase(part);
  }
  return made;
}

}  // namespace ddx::compiler
