#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

Path Lowering::field_path(Path base, const FieldDecl* field) {
  Step step;
  step.field = field;
  base.steps.push_back(step);
  QualType type = Types::member_type(field);
  if (base.type.isConstQualified() && !field->isMutable()) {
    type = type.withConst();
  }
  base.type = type;
  return base;
}

bool Lowering::hides_base(const CastExpr& to_base) {
  const QualType type = to_base.getSubExpr()->getType();
  return context_.types.hides_base(
      Types::record(type->isPointerType() ? type->getPointeeType() : type));
}

Path Lowering::base_path(Path base, const CXXRecordDecl* record) {
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

/// Each base class on the way of the conversion is a step of its own, as in the tangents.
Path Lowering::base_path(Path base, const CastExpr& to_base) {
  for (const CXXBaseSpecifier* specifier : to_base.path()) {
    base = base_path(base, specifier->getType()->getAsCXXRecordDecl());
  }
  return base;
}

/// The object of class `record` whose base class `base` names, where the path came through it.
std::optional<Path> Lowering::derived_path(std::optional<Path> base, const CXXRecordDecl* record) {
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

std::optional<Path> Lowering::element_path(std::optional<Path> base, Value* index, QualType type) {
  if (!base) {
    return std::nullopt;
  }
  Step step;
  if (index) {
    step.index.push_back(index);
  }
  const Container kind = Types::container(base->type);
  step.segmented = kind == Container::StdDeque;
  base->steps.push_back(step);
  base->type = type;
  return base;
}

std::optional<Path> Lowering::offset(std::optional<Path> base, Value* index) {
  if (!base || !index || (index->kind == Value::Kind::Text && index->text == "0")) {
    return base;
  }
  if (base->steps.empty() || !base->steps.back().is_element() || base->steps.back().segmented) {
    return std::nullopt;  // A pointer to a single object has no neighbours.
  }
  base->steps.back().index.push_back(index);
  return base;
}

std::optional<Path> Lowering::variable_path(const VarDecl* variable, SourceLocation where) {
  const auto found = bindings_.find(variable);
  if (found != bindings_.end()) {
    if (found->second.kind == Binding::Kind::Object) {
      return found->second.path;
    }
    return std::nullopt;
  }
  if (variable->hasGlobalStorage()) {
    Root* root =
        new_root(Root::Kind::Global, context_.names.variable(variable), variable->getType(), where);
    root->decl = variable;
    Binding binding;
    binding.kind = Binding::Kind::Object;
    binding.path.root = root;
    binding.path.type = variable->getType().getNonReferenceType();
    bindings_[variable] = binding;
    return binding.path;
  }
  return std::nullopt;
}

std::optional<Path> Lowering::member_path(const MemberExpr* member) {
  if (const auto* variable = dyn_cast<VarDecl>(member->getMemberDecl())) {
    return variable_path(variable, member->getExprLoc());
  }
  const auto* field = dyn_cast<FieldDecl>(member->getMemberDecl());
  if (!field) {
    return std::nullopt;
  }
  if (const auto capture = capture_of(member)) {
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
          unlisted(cast<CXXRecordDecl>(field->getParent()), member->getExprLoc());
      missing && (missing == field || Types::is_shared_name(missing->getParent()))) {
    return std::nullopt;
  }
  return field_path(*base, field);
}

Path Lowering::materialise(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto built = built_in_place(expression)) {
    return *built;
  }
  Root* root =
      new_root(Root::Kind::Local, "temporary", expression->getType(), expression->getExprLoc());
  block_->roots.push_back(root);
  declare_object(root, expression);
  Path path;
  path.root = root;
  path.type = expression->getType().getNonReferenceType();
  return path;
}

std::optional<Path> Lowering::lvalue(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (const auto place = places_.find(expression); place != places_.end()) {
    return place->second.path;
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    if (const auto* binding = dyn_cast<BindingDecl>(reference->getDecl())) {
      const auto found = structured_.find(binding);
      return found == structured_.end() ? std::nullopt : std::optional<Path>(found->second);
    }
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    return variable ? variable_path(variable, reference->getExprLoc()) : std::nullopt;
  }
  if (const auto* member = dyn_cast<MemberExpr>(expression)) {
    return member_path(member);
  }
  if (const auto* subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
    if (const auto part = written_part(subscript)) {
      return part;
    }
    std::optional<Path> base = pointer(subscript->getBase());
    return base ? [&] {
      auto path = offset(base, rvalue(subscript->getIdx()));
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
      increment(operation, &target);
      return target.root ? std::optional<Path>(target) : std::nullopt;
    }
    return std::nullopt;
  }
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(expression)) {
    Path target = compound_assign(compound);
    return target.root ? std::optional<Path>(target) : std::nullopt;
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    if (operation->getOpcode() == BO_Assign) {
      Path target = assign(operation);
      return target.root ? std::optional<Path>(target) : std::nullopt;
    }
    if (operation->getOpcode() == BO_Comma) {
      discard(operation->getLHS());
      return lvalue(operation->getRHS());
    }
    if (operation->isPtrMemOp()) {
      const Binding member = fixed_target(operation->getRHS());
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
          lose(cast, Diagnostic::UnsupportedExpression);
        }
        return path;
      }
      default:
        return std::nullopt;
    }
  }
  if (isa<CallExpr>(expression) && !is_iterator(expression->getType())) {
    std::optional<Path> reference;
    Value* value = call(expression, &reference);
    if (reference) {
      return reference;
    }
    // A reference from a function that is not understood names an object that is not known.
    if (!value || (expression->isGLValue() && value->kind != Value::Kind::Operation)) {
      return std::nullopt;
    }
    Root* root =
        new_root(Root::Kind::Local, "temporary", expression->getType(), expression->getExprLoc());
    ir::Statement* declaration = declare_local(root, expression->getExprLoc());
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

/// The object that `expression` names, also where it is a call whose text would do for its value.
std::optional<Path> Lowering::place(const Expr* expression) {
  const bool outer = std::exchange(needs_place_, true);
  auto path = lvalue(expression);
  needs_place_ = outer;
  return path;
}

std::optional<Path> Lowering::pointer(const Expr* expression) {
  expression = expression->IgnoreParens();
  if (isa<CXXThisExpr>(expression)) {
    return self_;
  }
  if (is_dynamic_pointer_value(expression)) {
    lost_pointer(expression);
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
          lose(cast, Diagnostic::UnsupportedExpression);
        }
        return path;
      }
      case CK_LValueToRValue: {
        const Expr* variable = cast->getSubExpr()->IgnoreParens();
        if (const auto capture = capture_of(variable)) {
          // A captured `this` is known as the object.
          const bool known =
              capture->kind == Binding::Kind::Pointer ||
              (capture->kind == Binding::Kind::Object && !capture->path.type->isPointerType());
          return known ? std::optional(iterator_path(*capture, cast->getExprLoc())) : std::nullopt;
        }
        if (isa<DeclRefExpr>(variable)) {
          return pointer(variable);
        }
        const Binding* moved = moving_iterator(variable);
        return moved ? std::optional(iterator_path(*moved, cast->getExprLoc())) : std::nullopt;
      }
      case CK_ConstructorConversion:
      case CK_UserDefinedConversion:
        return is_iterator(cast->getType()) ? pointer(cast->getSubExpr()) : std::nullopt;
      default:
        return std::nullopt;
    }
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(expression)) {
    const auto found = bindings_.find(dyn_cast<VarDecl>(reference->getDecl()));
    return found != bindings_.end() && found->second.kind == Binding::Kind::Pointer
               ? std::optional(iterator_path(found->second, expression->getExprLoc()))
               : std::nullopt;
  }
  if (const auto member = capture_of(expression)) {
    return member->kind == Binding::Kind::Pointer
               ? std::optional(iterator_path(*member, expression->getExprLoc()))
               : std::nullopt;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(expression)) {
    const auto from = construction->getNumArgs() == 1
                          ? context_.types.iterator(construction->getArg(0)->getType())
                          : std::nullopt;
    return from && is_iterator(construction->getType()) ? pointer(construction->getArg(0))
                                                        : std::nullopt;
  }
  if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
    return pointer(temporary->getSubExpr());
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(expression)) {
    return conditional_iterator(conditional);
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(expression)) {
    if (operation->isPostfix() && operation->isIncrementDecrementOp()) {
      return move_iterator(operation);
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
      return base ? offset(base, rvalue(left_pointer ? operation->getRHS() : operation->getLHS()))
                  : std::nullopt;
    }
    if (operation->getOpcode() == BO_Sub && left_pointer) {
      auto base = pointer(operation->getLHS());
      if (!base) {
        return std::nullopt;
      }
      Value* back = rvalue(operation->getRHS());
      return offset(base, form("-static_cast<std::ptrdiff_t>($0)",
                               context_.ast.getPointerDiffType(), {back}, operation->getExprLoc()));
    }
    return std::nullopt;
  }
  if (const auto* made = dyn_cast<CallExpr>(expression)) {
    if (made->isGLValue()) {  // It names a pointer or an iterator.
      const FunctionDecl* callee = made->getDirectCallee();
      const bool moved = callee && in_library(callee) && callee->getIdentifier() &&
                         callee->getName() == "move" && made->getNumArgs() == 1;
      const Binding* iterator = moved ? nullptr : moving_iterator(made);
      return moved      ? pointer(made->getArg(0))
             : iterator ? std::optional(iterator_path(*iterator, made->getExprLoc()))
                        : std::nullopt;
    }
    std::optional<Path> result;
    call(expression, &result);
    return result;
  }
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    return pointer(cleanups->getSubExpr());
  }
  return std::nullopt;
}

/// Declares the reference or pointer by which text names `path`.
Binding Lowering::bind_alias(Path path, bool is_pointer, const std::string& name,
                             SourceLocation where) {
  Root* alias = new_root(Root::Kind::Alias, name, path.type, where);
  alias->target = path;
  alias->is_constant = path.type.isConstQualified();
  alias->is_pointer_alias = is_pointer;
  add(ir::Statement::Kind::Bind, where)->root = alias;
  Binding bound;
  bound.kind = is_pointer ? Binding::Kind::Pointer : Binding::Kind::Object;
  bound.path = path;
  bound.alias = alias;
  return bound;
}

/// What names the object at `path`, without a name in text.
Binding Lowering::object_at(Path path) {
  Binding bound;
  bound.kind = Binding::Kind::Object;
  bound.path = std::move(path);
  return bound;
}

}  // namespace ddx::compiler
