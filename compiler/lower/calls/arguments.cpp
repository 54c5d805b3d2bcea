// What a call hands over: each argument as the parameter takes it.

#include "compiler/lower/calls/arguments.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/expressions/scalarized_objects.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"
#include "compiler/support/whole_types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void Arguments::expand_path(ir::Statement* made, Path path, bool is_pointer, bool is_constant) {
  Argument argument;
  argument.kind = is_pointer ? Argument::Kind::Pointer : Argument::Kind::Reference;
  argument.has_tangent = context_.types.has_tangent(path.type);
  argument.is_constant = is_constant;
  argument.path = std::move(path);
  made->arguments.push_back(std::move(argument));
}

/// Hands over which function a parameter denotes, and what a lambda among them captures.
bool Arguments::expand_target(ir::Statement* made, const Binding& target) {
  switch (target.kind) {
    case Binding::Kind::Function:
      if (is_call_operator(target.function)) {
        return false;  // A pointer to that member would be taken for the object.
      }
      made->targets.push_back(target.function);
      made->by_name = false;
      return true;
    case Binding::Kind::Functor:
      made->targets.push_back(target.function);
      made->by_name = false;
      expand_path(made, target.path, false, cast<CXXMethodDecl>(target.function)->isConst());
      return true;
    case Binding::Kind::Closure:
      made->targets.push_back(operator_of(target));
      made->by_name = false;
      if (!made->targets.back()) {
        return false;
      }
      return expand_scalarized(made, *target.closure, {}, true);
    default:
      return false;
  }
}

bool Arguments::expand_scalarized(ir::Statement* made, const ScalarizedObject& scalarized,
                                  QualType of, bool is_constant) {
  made->by_name = false;
  if (!of.isNull() && context_.types.holds_pullback(of)) {
    return false;  // The callee would not know what it pulls back.
  }
  const auto members = context_.types.scalarized_members(
      of.isNull() ? context_.ast.getRecordType(scalarized.record) : of);
  return llvm::all_of(members, [&](const FieldDecl* field) {
    const Binding* member = scope_.member_of(const_cast<ScalarizedObject&>(scalarized), field);
    return member && !(member->position && !is_constant && !scalarized.record->isLambda()) &&
           expand_member(made, *member, field, is_constant);
  });
}

bool Arguments::expand_member(ir::Statement* made, const Binding& member, const FieldDecl* field,
                              bool is_constant) {
  const QualType type = field->getType();
  if (Types::is_callable(type.getNonReferenceType())) {
    if (expand_target(made, member)) {
      return true;
    }
    // An unknown function may still be compared with others, as entries do, or passed on.
    if (member.kind != Binding::Kind::Object) {
      return false;
    }
    made->targets.push_back(nullptr);
  }
  switch (member.kind) {
    case Binding::Kind::Closure:
      return expand_scalarized(
          made, *member.closure, context_.types.is_scalarized(type) ? type : QualType(),
          type->isReferenceType() ? type.getNonReferenceType().isConstQualified() : is_constant);
    case Binding::Kind::Object: {
      if (type->isPointerType() && context_.types.iterator(type) &&
          member.path.type->isPointerType()) {  // To reals that are not known here.
        Argument unknown;
        unknown.kind = Argument::Kind::Text;
        unknown.text = hole(*member.path.root);
        unknown.type = type;
        unknown.where = made->where;
        unknown.is_constant = type->getPointeeType().isConstQualified();
        unknown.reads = {member.path.root};
        made->reads.push_back(member.path.root);
        made->arguments.push_back(std::move(unknown));
        return true;
      }
      const bool held = !type->isReferenceType() && !field->isMutable();
      const bool is_const =
          member.path.type.isConstQualified() || type.getNonReferenceType().isConstQualified() ||
          (held && is_constant && !cast<CXXRecordDecl>(field->getParent())->isLambda());
      expand_path(made, member.path, false, is_const);
      return true;
    }
    case Binding::Kind::Pointer:
      expand_path(made, iterators_.iterator_path(member, made->where), true,
                  member.path.type.isConstQualified());
      return true;
    case Binding::Kind::View:
      views_.expand_view(made, member);
      return true;
    case Binding::Kind::Function:
    case Binding::Kind::Functor:
    case Binding::Kind::Member:
    case Binding::Kind::None:
      return false;
  }
  llvm_unreachable("closed set");
}

/// True for a member that its class leaves out of its tangent, and for what lies in one.
bool Arguments::names_left_out_member(const Expr* expression) {
  const auto* member = dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts());
  if (!member) {
    return false;
  }
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  return (field && context_.types.is_left_out(field)) || names_left_out_member(member->getBase());
}

/// True for the name of a member or variable whose class has no members: what it is, not what
/// derives from it.
static bool names_hollow(const Expr* expression) {
  expression = expression->IgnoreParens();
  while (const auto* cast = dyn_cast<ImplicitCastExpr>(expression)) {
    if (cast->getCastKind() != CK_NoOp) {
      return false;  // To a base class, perhaps.
    }
    expression = cast->getSubExpr()->IgnoreParens();
  }
  const ValueDecl* named = nullptr;
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    named = member->getMemberDecl();
  } else if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    named = reference->getDecl();
  }
  return named && isa<FieldDecl, VarDecl>(named) && !named->getType()->isReferenceType() &&
         Types::is_hollow(named->getType());
}

/// A copy of a number that is no object of this function: an element of a table, say.
std::optional<Path> Arguments::copy_of_constant(const Expr* glvalue) {
  const Effects found = effects_.of(glvalue);
  const auto text = found.lowers ? std::nullopt : texts_.text_of(glvalue);
  if (!text) {
    return std::nullopt;
  }
  Path copy;
  copy.type = glvalue->getType();
  copy.root = builder_.new_root(Root::Kind::Local, "constant", copy.type.getUnqualifiedType(),
                                glvalue->getExprLoc());
  builder_.keep(copy.root);
  ir::Value* value = texts_.text_value(glvalue, found, *text);
  ir::Statement* declaration = builder_.add(ir::Statement::Kind::Declare, glvalue->getExprLoc());
  declaration->root = copy.root;
  declaration->value = value;
  return copy;
}

bool Arguments::expand_argument(ir::Statement* made, QualType parameter, const Expr* argument) {
  const bool is_default = isa<CXXDefaultArgExpr>(argument);
  if (is_default) {
    argument = cast<CXXDefaultArgExpr>(argument)->getExpr();
  }
  const QualType plain = parameter.getNonReferenceType();
  const auto finish = [&] {
    made->arguments.back().is_default = is_default;
    return true;
  };
  const auto pass = [&](const std::optional<Path>& path, bool is_pointer, bool is_constant) {
    return path && path->root && (expand_path(made, *path, is_pointer, is_constant), finish());
  };
  if (context_.types.is_scalarized(parameter)) {
    Binding whole = scalarized_objects_.scalarized(argument);
    if (whole.kind == Binding::Kind::Object) {
      whole = scalarized_objects_.scalarized_at(whole.path);
    }
    return whole.kind == Binding::Kind::Closure &&
           expand_scalarized(made, *whole.closure, parameter, plain.isConstQualified());
  }
  if (Types::is_callable(plain)) {
    if (expand_target(made, callables_.callable(argument))) {
      return true;
    }
    made->targets.push_back(nullptr);
  }
  if (!made->registered && dynamic_pointers_.loses_argument(made, parameter, argument)) {
    return finish();
  }
  const bool has_tangent = context_.types.has_tangent(parameter);
  if (context_.types.viewed(plain)) {
    const auto shown = views_.view(argument);
    if (shown) {
      views_.expand_view(made, *shown);
    }
    return shown.has_value();
  }
  if (const auto iterator = context_.types.iterator(plain)) {
    const Expr* bare = argument->IgnoreParenCasts();
    if (plain->isPointerType() &&
        bare->isNullPointerConstant(context_.ast, Expr::NPC_NeverValueDependent)) {
      Argument null;
      null.kind = Argument::Kind::Text;
      null.text = "nullptr";
      null.type = plain;
      null.where = argument->getExprLoc();
      null.is_null = true;
      null.is_constant = true;
      made->arguments.push_back(std::move(null));
      return finish();
    }
    // By reference it may be bound to something else there.
    const bool binds = parameter->isLValueReferenceType() && !plain.isConstQualified();
    made->by_name = made->by_name && plain->isPointerType();  // It is passed by its pointer.
    return !(binds && dynamic_pointers_.lost_pointer(argument)) &&
           pass(places_.pointer(argument), true, iterator->element.isConstQualified());
  }
  if (has_tangent && (parameter->isReferenceType() || !Types::is_real(plain))) {
    const Expr* inner = argument->IgnoreParens();
    const bool temporary = !inner->isGLValue() || isa<MaterializeTemporaryExpr>(inner);
    std::optional<Path> path;
    if (temporary) {
      const auto* materialised = dyn_cast<MaterializeTemporaryExpr>(inner);
      path = places_.materialise(materialised ? materialised->getSubExpr() : inner);
    } else {
      path = places_.lvalue(inner);
    }
    if (!path && Types::is_real(plain) && plain.isConstQualified()) {
      path = copy_of_constant(inner);
    }
    if (!path || !path->root) {
      return false;
    }
    const bool by_reference = parameter->isReferenceType();
    expand_path(made, *path, false, by_reference && plain.isConstQualified());
    made->arguments.back().is_moved = !by_reference;
    return finish();
  }
  Argument passed;
  passed.has_tangent = has_tangent;
  passed.is_constant = !parameter->isReferenceType() || plain.isConstQualified();
  if (!parameter->isReferenceType() && plain->isScalarType() && !plain->isPointerType()) {
    passed.kind = Argument::Kind::Value;
    passed.value =
        expressions_.convert(expressions_.rvalue(argument), plain, argument->getExprLoc());
    if (!passed.value) {
      return false;
    }
    made->arguments.push_back(std::move(passed));
    return finish();
  }
  if (parameter->isRValueReferenceType() && !made->registered) {  // Text is an rvalue at best.
    const Expr* inner = argument->IgnoreParens();
    const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(inner);
    const auto path = temporary ? std::optional(places_.materialise(temporary->getSubExpr()))
                                : places_.lvalue(inner);
    return pass(path, false, false);
  }
  Effects found = effects_.of(argument);
  if (const auto text = found.lowers ? std::nullopt : texts_.text_of(argument)) {
    passed.kind = Argument::Kind::Text;
    passed.text = *text;
    if (!is_discrete(plain, context_.types) && !names_left_out_member(argument) &&
        !names_hollow(argument)) {
      passed.reads.assign(found.reads.begin(), found.reads.end());
    }
    passed.type = plain;
    passed.where = argument->getExprLoc();
    made->reads.append(found.reads.begin(), found.reads.end());
    made->text_writes.append(found.writes.begin(), found.writes.end());
    if (!passed.is_constant) {
      made->text_writes.append(found.reads.begin(), found.reads.end());
      effects_.expose(argument);
    }
    made->arguments.push_back(std::move(passed));
    return finish();
  }
  if (parameter->isReferenceType()) {
    return pass(places_.lvalue(argument), false, plain.isConstQualified());
  }
  return false;
}

Value* Arguments::emit_call(ir::Statement* made, QualType result) {
  builder_.append(made);
  if (result->isVoidType()) {
    return nullptr;
  }
  Value* value = builder_.new_value(Value::Kind::Call, result, made->where);
  value->call = made;
  made->value = value;
  return value;
}

}  // namespace ddx::compiler
