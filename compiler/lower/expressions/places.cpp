#include "compiler/lower/expressions/places.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/callables.h"
#include "compiler/lower/calls/calls.h"
#include "compiler/lower/expressions/assignments.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/initialisers.h"
#include "compiler/lower/expressions/synthesised_code.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

bool Places::hides_base(const CastExpr& to_base) {
  const QualType type = to_base.getSubExpr()->getType();
  return context_.types.hides_base(
      Types::record(type->isPointerType() ? type->getPointeeType() : type));
}

Path Places::base_path(Path base, const CXXRecordDecl* record) {
  if (Types::record(base.type) == record->getDefinition()) {
    return base;
  }
  Step step;
  step.base = record;
  base.steps.push_back(step);
  QualType type = context_.ast.getRecordType(record);
  base.type = base.type.isConstQualified() ? type.withConst() : type;
  return base;
}

bool removes_const(const CastExpr& cast) {
  const auto pointee = [](const Expr* expression) {
    const QualType type = expression->getType();
    return type->isPointerType() ? type->getPointeeType() : type;
  };
  return isa<ExplicitCastExpr>(cast) && pointee(cast.getSubExpr()).isConstQualified() &&
         !pointee(&cast).isConstQualified() &&
         (cast.isGLValue() || cast.getType()->isPointerType());
}

Path Places::base_path(Path base, const CastExpr& to_base) {
  for (const CXXBaseSpecifier* specifier : to_base.path()) {
    base = base_path(base, specifier->getType()->getAsCXXRecordDecl());
  }
  return base;
}

std::optional<Path> Places::derived_path(std::optional<Path> base, const CXXRecordDecl* record) {
  record = record->getDefinition();
  while (base && !base->steps.empty() && base->steps.back().base) {
    base->steps.pop_back();
    QualType type = base->root->type;
    if (!base->steps.empty()) {
      const Step& last = base->steps.back();
      if (last.is_element() || last.part >= 0) {
        return std::nullopt;
      }
      type = last.field ? Types::member_type(last.field) : context_.ast.getRecordType(last.base);
    }
    base->type = base->type.isConstQualified() ? type.withConst() : type;
    const CXXRecordDecl* whole = Types::record(type);
    if (whole == record) {
      return base;
    }
    if (!whole || whole->isDerivedFrom(record)) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Path> Places::variable_path(const VarDecl* variable, SourceLocation where) {
  const auto found = scope_.bindings.find(variable);
  if (found != scope_.bindings.end()) {
    if (found->second.kind == Binding::Kind::Object) {
      return found->second.path;
    }
    return std::nullopt;
  }
  if (variable->hasGlobalStorage()) {
    Root* root = builder_.new_root(Root::Kind::Global, context_.names.variable(variable),
                                   variable->getType(), where);
    root->decl = variable;
    Binding binding;
    binding.kind = Binding::Kind::Object;
    binding.path.root = root;
    binding.path.type = variable->getType().getNonReferenceType();
    scope_.bindings[variable] = binding;
    return binding.path;
  }
  return std::nullopt;
}

std::optional<Path> Places::member_path(const MemberExpr* member) {
  if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
    return variable_path(variable, member->getExprLoc());
  }
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (!field) {
    return std::nullopt;
  }
  if (const auto capture = synthesised_code_.capture_of(member)) {
    return capture->kind == Binding::Kind::Object ? std::optional<Path>(capture->path)
                                                  : std::nullopt;
  }
  std::optional<Path> base =
      member->isArrow() ? pointer(member->getBase()) : lvalue(member->getBase());
  if (!base) {
    return std::nullopt;
  }
  if (Types::is_shared_name(field->getParent())) {
    return base;
  }
  if (field->getParent()->isUnion() || field->getType().isVolatileQualified() ||
      field->getType()->isReferenceType() ||
      (field->getType()->isPointerType() && context_.types.has_tangent(field->getType())) ||
      field->isBitField()) {
    return std::nullopt;
  }
  if (const FieldDecl* missing =
          initialisers_.unlisted(cast<CXXRecordDecl>(field->getParent()), member->getExprLoc());
      missing && (missing == field || Types::is_shared_name(missing->getParent()))) {
    return std::nullopt;
  }
  return field_path(*base, field);
}

Path Places::materialise(const Expr* expression) {
  expression = expression->IgnoreParens();
  Root* root = builder_.new_root(Root::Kind::Local, "temporary", expression->getType(),
                                 expression->getExprLoc());
  builder_.keep(root);
  initialisers_.declare_object(root, expression);
  Path path;
  path.root = root;
  path.type = expression->getType().getNonReferenceType();
  return path;
}

std::optional<Path> Places::lvalue(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto place = scope_.places.find(expression); place != scope_.places.end()) {
    return place->second.path;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    if (isa<BindingDecl>(reference->getDecl())) {
      const auto part = scope_.bound_to(reference->getDecl());
      return part && part->kind == Binding::Kind::Object ? std::optional(part->path) : std::nullopt;
    }
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable ? variable_path(variable, reference->getExprLoc()) : std::nullopt;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    return member_path(member);
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
    if (const auto part = complex_.written_part(subscript)) {
      return part;
    }
    std::optional<Path> base = pointer(subscript->getBase());
    return base ? [&] {
      auto path = offset(base, expressions_.rvalue(subscript->getIdx()));
      if (path) {
        path->type = subscript->getType();
      }
      return path;
    }()
                : std::nullopt;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->getOpcode() == UO_Deref) {
      return pointer(operation->getSubExpr());
    }
    if (operation->isPrefix() && operation->isIncrementDecrementOp()) {
      Path target;
      expressions_.increment(operation, &target);
      return target.root ? std::optional<Path>(target) : std::nullopt;
    }
    return std::nullopt;
  }
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    Path target = assignments_.compound_assign(compound);
    return target.root ? std::optional<Path>(target) : std::nullopt;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->getOpcode() == BO_Assign) {
      Path target = assignments_.assign(operation);
      return target.root ? std::optional<Path>(target) : std::nullopt;
    }
    if (operation->getOpcode() == BO_Comma) {
      expressions_.discard(operation->getLHS());
      return lvalue(operation->getRHS());
    }
    if (operation->isPtrMemOp()) {
      const Binding member = callables_.fixed_target(operation->getRHS());
      const auto object = member.kind == Binding::Kind::Member
                              ? object_path(Receiver(operation->getLHS()))
                              : std::nullopt;
      return object ? std::optional<Path>(field_path(*object, member.member)) : std::nullopt;
    }
    return std::nullopt;
  }
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return materialise(temporary->getSubExpr());
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    switch (cast->getCastKind()) {
      case CK_NoOp: {
        auto path = cast->getSubExpr()->isGLValue()
                        ? lvalue(cast->getSubExpr())
                        : std::optional<Path>(materialise(cast->getSubExpr()));
        if (path && path->root->is_constant && removes_const(*cast)) {
          return std::nullopt;
        }
        if (path) {
          path->type = cast->getType();
        }
        return path;
      }
      case CK_UncheckedDerivedToBase:
      case CK_DerivedToBase: {
        const bool is_virtual = llvm::any_of(
            cast->path(), [](const CXXBaseSpecifier* base) { return base->isVirtual(); });
        auto path = is_virtual || hides_base(*cast) ? std::nullopt : lvalue(cast->getSubExpr());
        return path ? std::optional<Path>(base_path(*path, *cast)) : std::nullopt;
      }
      case CK_BaseToDerived: {
        const auto path =
            derived_path(lvalue(cast->getSubExpr()), cast->getType()->getAsCXXRecordDecl());
        if (!path) {
          rejections_.lose(cast, Diagnostic::UnsupportedExpression);
        }
        return path;
      }
      default:
        return std::nullopt;
    }
  }
  if (isa<CallExpr>(expression) && !iterators_.is_iterator(expression->getType())) {
    std::optional<Path> reference;
    Value* value = calls_.call(expression, &reference);
    if (reference) {
      return reference;
    }
    // A reference from a function that is not understood names an object that is not known.
    if (!value || (expression->isGLValue() && value->kind != Value::Kind::Operation)) {
      return std::nullopt;
    }
    Root* root = builder_.new_root(Root::Kind::Local, "temporary", expression->getType(),
                                   expression->getExprLoc());
    ir::Statement* declaration = builder_.declare_local(root, expression->getExprLoc());
    declaration->value = value;
    for (const Value* operand : value->operands) {
      if (expression->isGLValue() && operand->kind == Value::Kind::Load) {
        declaration->stands_for.push_back(operand->path.root);
      }
    }
    Path path;
    path.root = root;
    path.type = expression->getType();
    return path;
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return lvalue(cleanups->getSubExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(expression)) {
    return lvalue(with_default->getExpr());
  }
  if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) {
    return lvalue(parameter->getReplacement());
  }
  if (expression->isPRValue() && expression->getType()->isRecordType()) {
    return materialise(expression);
  }
  return std::nullopt;
}

std::optional<Path> Places::place(const Expr* expression) {
  const bool outer = std::exchange(scope_.needs_place, true);
  auto path = lvalue(expression);
  scope_.needs_place = outer;
  return path;
}

std::optional<Path> Places::pointer(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return scope_.self;
  }
  if (dynamic_pointers_.is_dynamic_pointer_value(expression)) {
    dynamic_pointers_.lost_pointer(expression);
    return std::nullopt;
  }
  if (const auto* cast = dyn_cast<CastExpr>(expression)) {
    switch (cast->getCastKind()) {
      case CK_ArrayToPointerDecay: {
        auto base = lvalue(cast->getSubExpr());
        return element_path(base, nullptr, cast->getType()->getPointeeType());
      }
      case CK_NoOp: {
        auto path = pointer(cast->getSubExpr());
        return path && path->root->is_constant && removes_const(*cast) ? std::nullopt : path;
      }
      case CK_UncheckedDerivedToBase:
      case CK_DerivedToBase: {
        auto path = hides_base(*cast) ? std::nullopt : pointer(cast->getSubExpr());
        return path ? std::optional<Path>(base_path(*path, *cast)) : std::nullopt;
      }
      case CK_BaseToDerived: {
        const auto path =
            derived_path(pointer(cast->getSubExpr()), cast->getType()->getPointeeCXXRecordDecl());
        if (!path) {
          rejections_.lose(cast, Diagnostic::UnsupportedExpression);
        }
        return path;
      }
      case CK_LValueToRValue: {
        const Expr* variable = cast->getSubExpr()->IgnoreParens();
        if (const auto capture = synthesised_code_.capture_of(variable)) {
          // A captured `this` is known as the object.
          const bool known =
              capture->kind == Binding::Kind::Pointer ||
              (capture->kind == Binding::Kind::Object && !capture->path.type->isPointerType());
          return known ? std::optional(iterators_.iterator_path(*capture, cast->getExprLoc()))
                       : std::nullopt;
        }
        if (isa<DeclRefExpr>(variable)) {
          return pointer(variable);
        }
        const Binding* moved = iterators_.moving_iterator(variable);
        return moved ? std::optional(iterators_.iterator_path(*moved, cast->getExprLoc()))
                     : std::nullopt;
      }
      case CK_ConstructorConversion:
      case CK_UserDefinedConversion:
        return iterators_.is_iterator(cast->getType()) ? pointer(cast->getSubExpr()) : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = scope_.bindings.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != scope_.bindings.end() && found->second.kind == Binding::Kind::Pointer
               ? std::optional(iterators_.iterator_path(found->second, expression->getExprLoc()))
               : std::nullopt;
  }
  if (const auto member = synthesised_code_.capture_of(expression)) {
    return member->kind == Binding::Kind::Pointer
               ? std::optional(iterators_.iterator_path(*member, expression->getExprLoc()))
               : std::nullopt;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    const auto from = construction->getNumArgs() == 1
                          ? context_.types.iterator(construction->getArg(0)->getType())
                          : std::nullopt;
    return from && iterators_.is_iterator(construction->getType())
               ? pointer(construction->getArg(0))
               : std::nullopt;
  }
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return pointer(temporary->getSubExpr());
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->isPostfix() && operation->isIncrementDecrementOp()) {
      return iterators_.move_iterator(operation);
    }
    if (operation->getOpcode() == UO_Plus) {  // As spell_cursor writes it.
      return pointer(operation->getSubExpr());
    }
    return operation->getOpcode() == UO_AddrOf ? lvalue(operation->getSubExpr()) : std::nullopt;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    const bool left_pointer = operation->getLHS()->getType()->isPointerType();
    if (operation->getOpcode() == BO_Add) {
      auto base = pointer(left_pointer ? operation->getLHS() : operation->getRHS());
      return base ? offset(base, expressions_.rvalue(left_pointer ? operation->getRHS()
                                                                  : operation->getLHS()))
                  : std::nullopt;
    }
    if (operation->getOpcode() == BO_Sub && left_pointer) {
      auto base = pointer(operation->getLHS());
      if (!base) {
        return std::nullopt;
      }
      Value* back = expressions_.rvalue(operation->getRHS());
      return offset(
          base, builder_.form("-static_cast<std::ptrdiff_t>($0)", context_.ast.getPointerDiffType(),
                              {back}, operation->getExprLoc()));
    }
    return std::nullopt;
  }
  if (const auto* made = dyn_cast<CallExpr>(expression)) {
    if (made->isGLValue()) {  // It names a pointer or an iterator.
      const FunctionDecl* callee = made->getDirectCallee();
      const bool moved = callee && in_library(callee) && callee->getIdentifier() &&
                         callee->getName() == "move" && made->getNumArgs() == 1;
      const Binding* iterator = moved ? nullptr : iterators_.moving_iterator(made);
      return moved      ? pointer(made->getArg(0))
             : iterator ? std::optional(iterators_.iterator_path(*iterator, made->getExprLoc()))
                        : std::nullopt;
    }
    std::optional<Path> result;
    calls_.call(expression, &result);
    return result;
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return pointer(cleanups->getSubExpr());
  }
  return std::nullopt;
}

Binding Places::bind_alias(Path path, bool is_pointer, const std::string& name,
                           SourceLocation where) {
  Root* alias = builder_.new_root(Root::Kind::Alias, name, path.type, where);
  alias->target = path;
  alias->is_constant = path.type.isConstQualified();
  alias->is_pointer_alias = is_pointer;
  builder_.add(ir::Statement::Kind::Bind, where)->root = alias;
  Binding bound;
  bound.kind = is_pointer ? Binding::Kind::Pointer : Binding::Kind::Object;
  bound.path = path;
  bound.alias = alias;
  return bound;
}

std::optional<Path> Places::object_path(const Receiver& object) {
  if (object.known) {
    return object.known->path;
  }
  return object.expression->getType()->isPointerType() ? pointer(object.expression)
                                                       : lvalue(object.expression);
}

}  // namespace ddx::compiler
