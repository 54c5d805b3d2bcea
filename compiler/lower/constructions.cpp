#include "compiler/lower/lowering.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// True when the value of `statement` may depend on some real variable.
bool Lowering::mentions_real(const Stmt* statement) {
  const auto* expression = dyn_cast_or_null<Expr>(statement);
  if (!statement || (expression && replaced_.contains(expression))) {
    return false;
  }
  if (const auto* opaque = dyn_cast<OpaqueValueExpr>(statement)) {
    return context_.types.may_hold_real(opaque->getType());
  }
  if (const auto* reference = dyn_cast<DeclRefExpr>(statement)) {
    const auto* variable = dyn_cast<VarDecl>(reference->getDecl());
    if (!variable) {
      return isa<BindingDecl>(reference->getDecl());
    }
    return !variable->isConstexpr() && context_.types.may_hold_real(variable->getType());
  }
  if (isa<CXXThisExpr, LambdaExpr>(statement)) {
    return true;
  }
  if (const auto* member = dyn_cast<MemberExpr>(statement); member && known_member(member)) {
    return context_.types.may_hold_real(member->getType());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultArgExpr>(statement)) {
    return mentions_real(with_default->getExpr());
  }
  if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(statement)) {
    return mentions_real(with_default->getExpr());
  }
  for (const Stmt* child : statement->children()) {
    if (mentions_real(child)) {
      return true;
    }
  }
  return false;
}

const FieldDecl* Lowering::unlisted(const CXXRecordDecl* record, SourceLocation where) {
  if (context_.types.hides_base(record)) {
    ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedListedBase;
    rejected->facts = {record->getNameAsString()};
    rejected->always = true;
  }
  if (const FieldDecl* bare = context_.types.field_without_tangent(record)) {
    const bool said = llvm::any_of(function_.statements, [&](const ir::Statement& other) {
      return other.diagnostic == Diagnostic::UnsupportedListedField &&
             other.facts[0] == bare->getNameAsString() &&
             other.facts[1] == record->getNameAsString();
    });
    if (said) {
      return nullptr;
    }
    ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedListedField;
    rejected->facts = {bare->getNameAsString(), record->getNameAsString(),
                       readable_type(bare->getType(), context_.ast)};
    rejected->always = true;
    return nullptr;
  }
  const FieldDecl* field = context_.types.unlisted_field(record);
  if (field) {
    ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, where);
    rejected->diagnostic = Diagnostic::UnsupportedField;
    rejected->facts = {field->getNameAsString(), record->getNameAsString()};
    rejected->always = true;
  }
  return field;
}

namespace {

const Expr* strip(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParens();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
      expression = cleanups->getSubExpr();
    } else if (const auto* temporary = dyn_cast<MaterializeTemporaryExpr>(expression)) {
      expression = temporary->getSubExpr();
    } else if (const auto* bound = dyn_cast<CXXBindTemporaryExpr>(expression)) {
      expression = bound->getSubExpr();
    } else if (const auto* constant = dyn_cast<ConstantExpr>(expression)) {
      expression = constant->getSubExpr();
    } else if (const auto* with_default = dyn_cast<CXXDefaultInitExpr>(expression)) {
      expression = with_default->getExpr();
    } else if (const auto* argument = dyn_cast<CXXDefaultArgExpr>(expression)) {
      expression = argument->getExpr();
    } else if (const auto* parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(expression)) {
      expression = parameter->getReplacement();
    } else if (const auto* cast = dyn_cast<CastExpr>(expression);
               cast && cast->getType()->isRecordType() && !cast->isGLValue() &&
               (cast->getCastKind() == CK_NoOp || cast->getCastKind() == CK_ConstructorConversion ||
                cast->getCastKind() == CK_UserDefinedConversion)) {
      expression = cast->getSubExpr();
    } else {
      return expression;
    }
  }
}

bool is_elided(const CXXConstructExpr* construction) {
  return construction->getConstructor()->isCopyOrMoveConstructor() &&
         construction->getNumArgs() >= 1 && !construction->getArg(0)->isGLValue();
}

}  // namespace

/// An object without tangent that a constructor makes of numbers, which are lowered; null for
/// others.
Value* Lowering::construct_from_numbers(const Expr* source) {
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  const auto is_number = [](const Expr* argument) {
    return argument->getType()->isArithmeticType() || argument->getType()->isEnumeralType();
  };
  // An object that keeps real numbers without a tangent would lose what they depend on.
  if (!construction || construction->getNumArgs() == 0 ||
      context_.types.may_hold_real(construction->getType()) ||
      !llvm::all_of(construction->arguments(), is_number)) {
    return nullptr;
  }
  llvm::SmallVector<Value*, 3> operands;
  std::string text;
  for (const Expr* argument : construction->arguments()) {
    if (isa<CXXDefaultArgExpr>(argument)) {
      break;
    }
    text += (operands.empty() ? "$" : ", $") + std::to_string(operands.size());
    operands.push_back(argument->isGLValue() ? read(argument, argument->getExprLoc())
                                             : rvalue(argument));
    if (!operands.back()) {
      return nullptr;
    }
  }
  const QualType type = construction->getType().getUnqualifiedType();
  return form(context_.names.type(type) + "(" + text + ")", type, operands, source->getExprLoc());
}

/// True for a construction of an object that leads to memory: its constructor may make what lies
/// there.
bool Lowering::makes_here(const Expr* source) {
  const CXXRecordDecl* record = Types::record(source->getType());
  if (!record || in_library(record) || !context_.types.holds_dynamic_pointer(source->getType())) {
    return false;
  }
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  const CXXConstructorDecl* constructor = construction ? construction->getConstructor() : nullptr;
  return isa<InitListExpr>(source) ||
         (constructor &&
          (constructor->isCopyOrMoveConstructor() ? context_.types.copying_works(constructor)
                                                  : constructor->isUserProvided()));
}

/// The object that a call makes, where to move it on would make something unseen: it stays where
/// the body, which is lowered in place, has built it.
std::optional<Path> Lowering::built_in_place(const Expr* made) {
  made = strip(made);
  const auto* call = dyn_cast<CallExpr>(made);
  if (!call || !made->isPRValue() || !context_.types.move_works(made->getType())) {
    return std::nullopt;
  }
  std::optional<Path> object;
  this->call(call, &object);
  return object && object->root->kind == Root::Kind::Local ? object : std::nullopt;
}

/// Says that an object in raw storage has all its parts.
void Lowering::complete_object(Root* root) {
  ir::Statement* alive = add(ir::Statement::Kind::Text, root->where);
  alive->text = hole(*root) + "_storage.complete()";
  alive->harmless = true;
  alive->root = root;
}

/// Declares `root` in the forward sweep and gives it its first value.
void Lowering::declare_object(Root* root, const Expr* initialiser) {
  ir::Statement* declaration = nullptr;
  const auto declare_with = [&](Value* value, std::string text) {
    declaration = add(ir::Statement::Kind::Declare, root->where);
    declaration->root = root;
    declaration->value = value;
    declaration->text = std::move(text);
    declaration->range = initialiser ? initialiser->getSourceRange() : clang::SourceRange();
  };
  const auto reject = [&](const Expr* made, Diagnostic diagnostic) {
    const QualType type = root->type;
    Value* value = unsupported(made, diagnostic, {readable_type(type, context_.ast)});
    ir::Statement& rejected = function_.statements.back();
    rejected.always |= context_.types.holds_only_pointers(type) ||
                       context_.types.copy_works(type) || context_.types.move_works(type);
    rejected.root = root;
    rejected.where = root->where;
    for (const FieldDecl* field : is_scalarized(type) ? context_.types.scalarized_members(type)
                                                      : std::vector<const FieldDecl*>()) {
      if (field->getType()->isReferenceType()) {
        rejected.diagnostic = Diagnostic::UnsupportedObjectWithPointer;
        rejected.facts = {readable_type(root->type, context_.ast), field->getNameAsString(),
                          "reference"};
      }
    }
    declare_with(value, "");
  };
  const auto choose = [&](const ConditionalOperator* conditional) {
    declare_with(nullptr, "");
    const bool raw = context_.types.needs_storage(root->type);
    declaration->in_storage = raw;
    Path path;
    path.root = root;
    path.type = root->type;
    for_each_arm(conditional, root->where, [&](const Expr* arm) {
      const Path made = arm->isGLValue() ? lvalue(arm).value_or(Path{}) : materialise(arm);
      if (made.root) {
        Value* value = load(made, root->where);
        raw ? construct(path, value, true, root->where) : store(path, value, root->where);
      } else {
        unsupported(arm);
      }
    });
    if (raw) {
      complete_object(root);
    }
  };
  if (root->type->isVariableArrayType()) {
    ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, root->where);
    rejected->diagnostic = Diagnostic::UnsupportedVariableLength;
    rejected->facts = {root->name};
    rejected->always = true;
    rejected->root = root;
    return;
  }
  const CXXRecordDecl* record = Types::record(root->type);
  const bool hand_written =
      record && !in_library(record) && !context_.types.is_leaf(record) && has_destructor(record);
  const bool ends_unseen = record && !in_library(record) && !root->has_tangent &&
                           context_.types.holds_dynamic_pointer(root->type) &&
                           ends_with_numbers(record);
  if (ends_unseen) {
    ir::Statement* rejected = add(ir::Statement::Kind::Unsupported, root->where);
    rejected->diagnostic = Diagnostic::UnsupportedDestructor;
    rejected->facts = {record->getNameAsString()};
    rejected->always = true;
  }
  if (root->type.isVolatileQualified() || (hand_written && root->has_tangent)) {
    ir::Statement* doubtful = add(ir::Statement::Kind::Unsupported, root->where);
    const bool is_volatile = root->type.isVolatileQualified();
    doubtful->diagnostic =
        is_volatile ? Diagnostic::UnsupportedVolatile : Diagnostic::UnsupportedDestructor;
    doubtful->facts = {is_volatile ? root->name : record->getNameAsString()};
    doubtful->primal_text = "static_cast<void>(0)";
    doubtful->reads.push_back(root);
  }
  if (!initialiser) {
    return declare_with(nullptr, "");
  }
  const Expr* source = strip(initialiser);
  if (root->type->isScalarType()) {
    return declare_with(convert(rvalue(source), root->type, root->where), "");
  }
  const bool constructs_here = makes_here(source);
  if (!root->has_tangent && context_.types.holds_only_pointers(root->type) && !constructs_here) {
    if (const auto pointer_found = dynamic_pointer_text(source)) {
      const auto* made = dyn_cast<CXXConstructExpr>(source);
      const bool empty = made && made->getNumArgs() == 0;
      declare_with(nullptr, empty ? "" : " = " + pointer_found->text);
      return note(declaration, pointer_found->effects);
    }
    return reject(source, Diagnostic::UnsupportedObject);
  }
  Effects found = effects(source);
  const bool depends = mentions_real(source) || constructs_here;
  if (!depends && !found.lowers) {
    const auto* construction = dyn_cast<CXXConstructExpr>(source);
    std::optional<std::string> text;
    if (isa<InitListExpr>(source) && root->type->isArrayType()) {
      text = text_of(source);
    } else if (construction && !construction->isListInitialization() &&
               llvm::all_of(construction->arguments(),
                            [](const Expr* given) { return isa<CXXDefaultArgExpr>(given); })) {
      text = construction->requiresZeroInitialization() ? "{}" : "";
    } else if (const auto whole = text_of(source)) {
      text = " = " + *whole;
      if (construction && !is_elided(construction) &&
          construction->getConstructor()->isConvertingConstructor(false) &&
          construction->getNumArgs() == 1) {
        text = "(" + *whole + ")";
      }
    }
    if (text) {
      declare_with(nullptr, *text);
      note(declaration, found);
      return;
    }
  }
  if (root->has_tangent && Types::container(root->type) == Container::StdComplex) {
    const auto parts = complex_parts(source);
    if (!parts) {
      return reject(source, Diagnostic::UnsupportedConstruction);
    }
    declare_with(nullptr, "{}");
    Path path;
    path.root = root;
    path.type = root->type;
    return store_parts(path, *parts, root->where);
  }
  if (!root->has_tangent && !constructs_here) {
    if (const auto text = found.lowers ? std::nullopt : text_of(source)) {
      declare_with(nullptr, " = " + *text);
      note(declaration, found);
      if (const auto cause = find_cause(source)) {
        declaration->diagnostic = cause->diagnostic;
        declaration->facts = cause->facts;
      }
      return;
    }
    if (isa<CallExpr>(source)) {
      return declare_with(call_value(source, root->where), "");
    }
    if (const auto* copy = dyn_cast<CXXConstructExpr>(source);
        copy && copy->getConstructor()->isCopyOrMoveConstructor() && !is_elided(copy)) {
      if (const auto path = lvalue(copy->getArg(0))) {
        return declare_with(load(*path, root->where), "");
      }
    }
    if (Value* made = construct_from_numbers(source)) {
      return declare_with(made, "");
    }
    return reject(source, Diagnostic::UnsupportedObject);
  }
  if (isa<CallExpr>(source) && !source->isGLValue()) {
    return declare_with(call_value(source, root->where), "");
  }
  const auto* construction = dyn_cast<CXXConstructExpr>(source);
  if (construction && construction->getConstructor()->isCopyOrMoveConstructor()) {
    if (is_elided(construction)) {
      return declare_object(root, construction->getArg(0));
    }
    const CXXConstructorDecl* constructor = construction->getConstructor();
    const bool plain = constructor->isDefaulted() || constructor->isTrivial() ||
                       in_library(constructor->getParent()) ||
                       context_.types.is_leaf(constructor->getParent());
    if (plain && !constructs_here) {
      const Expr* from = construction->getArg(0)->IgnoreParenImpCasts();
      if (const auto* conditional = dyn_cast<ConditionalOperator>(from)) {
        return choose(conditional);
      }
      if (const auto path = lvalue(construction->getArg(0))) {
        return declare_with(load(*path, root->where), "");
      }
      return declare_with(unsupported(source), "");
    }
  }
  if (const auto* conditional = dyn_cast<ConditionalOperator>(source)) {
    return choose(conditional);
  }
  // Constructed part by part.
  const bool known = Types::container(root->type) != Container::None;
  const bool leaf = record && context_.types.is_leaf(record);
  if (leaf || (record && in_library(record) && !known)) {
    if (Value* made = construction ? made_of_inactive_parts(construction) : nullptr) {
      return declare_with(made, "");
    }
    return reject(source, Diagnostic::UnsupportedConstruction);
  }

  if (record && !known && construction && record->isPolymorphic() &&
      declare_polymorphic(root, construction)) {
    return;
  }
  if (record && !known && (record->isPolymorphic() || record->getNumVBases() > 0)) {
    return reject(source, Diagnostic::UnsupportedPolymorphic);
  }
  const bool in_parts = (record && !known) || context_.types.needs_storage(root->type);
  declare_with(nullptr, !in_parts ? "{}" : "");
  Path path;
  path.root = root;
  path.type = root->type;
  declaration->in_storage = in_parts;
  initialise(path, source, declaration->in_storage);
  if (declaration->in_storage) {
    complete_object(root);
  }
}

void Lowering::initialise(Path target, const Expr* initialiser, bool raw) {
  const Expr* source = strip(initialiser);
  const SourceLocation where = source->getExprLoc();
  target.type = target.type.getUnqualifiedType();
  if (!makes_here(source) && initialise_dynamic_pointer(target, source, raw)) {
    return;
  }
  if (!makes_here(source) && context_.types.move_works(target.type)) {
    lost_pointer(source);
    return;
  }
  if (isa<ImplicitValueInitExpr>(source)) {
    return initialise_zero(target, raw, where);
  }
  if (target.type->isScalarType()) {
    return store(target, convert(rvalue(source), target.type, where), where);
  }
  if (Types::container(target.type) == Container::StdComplex) {
    if (const auto parts = complex_parts(source)) {
      return store_parts(target, *parts, where);
    }
    return lose(source, Diagnostic::UnsupportedInitialiser);
  }
  if (const auto* list = dyn_cast<InitListExpr>(source)) {
    return initialise_list(target, list, raw);
  }
  if (const auto* list = dyn_cast<CXXParenListInitExpr>(source)) {
    const CXXRecordDecl* record = Types::record(target.type);
    return record && !record->isUnion() && Types::container(target.type) == Container::None
               ? initialise_members(target, list->getInitExprs(), where, raw)
               : lose(source, Diagnostic::UnsupportedInitialiser);
  }
  if (!context_.types.has_tangent(target.type) && !makes_here(source)) {
    if (const auto text = text_of(source)) {
      Value* value = text_value(source, effects(source), *text);
      construct(target, value, raw, where);
      return;
    }
    lose(source, Diagnostic::UnsupportedConstruction, {readable_type(target.type, context_.ast)});
    return;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(source)) {
    return initialise_construction(target, construction, raw);
  }
  if (const auto* array = dyn_cast<ArrayInitLoopExpr>(source)) {
    if (const auto path = lvalue(array->getCommonExpr()->getSourceExpr())) {
      return copy_array(target, *path, raw, where);
    }
  }
  if (isa<CallExpr>(source)) {
    return construct(target, call_value(source, where), raw, where);
  }
  if (source->isGLValue()) {
    if (const auto path = lvalue(source)) {
      Value* copy = load(*path, where);
      construct(target, copy, raw, where);
      return;
    }
  }
  if (isa<ConditionalOperator>(source)) {
    Path made_path = materialise(source);
    Value* copy = load(made_path, where);
    construct(target, copy, raw, where);
    return;
  }
  lose(source, Diagnostic::UnsupportedInitialiser);
}

void Lowering::initialise_list(Path target, const InitListExpr* list, bool raw) {
  const SourceLocation where = list->getBeginLoc();
  if (!list->isSemanticForm() && list->getSemanticForm()) {
    list = list->getSemanticForm();
  }
  if (list->isTransparent()) {
    return initialise(target, list->getInit(0), raw);
  }
  const Container kind = Types::container(target.type);
  if (kind == Container::StdArray && list->getNumInits() <= 1) {  // std::array holds one C array.
    if (list->getNumInits() == 0) {
      return store_zero(target, raw, where);
    }
    const Expr* inner = strip(list->getInit(0));
    if (const auto* elements = dyn_cast<InitListExpr>(inner)) {
      return initialise_list(target, elements, raw);
    }
    if (isa<ImplicitValueInitExpr>(inner)) {
      return store_zero(target, raw, where);
    }
  }
  if (kind == Container::CArray || kind == Container::StdArray) {
    const QualType element = context_.types.element(target.type).getUnqualifiedType();
    const std::uint64_t size = context_.types.array_size(target.type);
    const bool in_parts = context_.types.needs_storage(element) && list->getNumInits() >= size;
    if (kind == Container::StdArray && !in_parts && (raw || list->getNumInits() < size)) {
      store_zero(target, raw, where);
      raw = false;  // All elements exist now.
    }
    for (std::uint64_t i = list->getNumInits(); kind == Container::CArray && i < size; ++i) {
      Value* index = literal(std::to_string(i), context_.ast.getSizeType(), where);
      store_zero(*element_path(target, index, element), raw, where);
    }
    for (unsigned i = 0; i < list->getNumInits(); ++i) {
      Value* index = literal(std::to_string(i), context_.ast.getSizeType(), where);
      initialise(*element_path(target, index, element), list->getInit(i), raw);
    }
    return;
  }
  const CXXRecordDecl* record = Types::record(target.type);
  if (!record || record->isUnion()) {
    lose(list, Diagnostic::UnsupportedInitialiser);
    return;
  }
  initialise_members(target, list->inits(), where, raw);
}

/// The bases and members of an aggregate, in their order; those that are left out are zero.
void Lowering::initialise_members(const Path& target, llvm::ArrayRef<Expr*> values,
                                  SourceLocation where, bool raw) {
  const CXXRecordDecl* record = Types::record(target.type);
  unlisted(record, where);
  unsigned position = 0;
  for (const CXXBaseSpecifier& base : record->bases()) {
    if (position < values.size()) {
      initialise(base_path(target, base.getType()->getAsCXXRecordDecl()), values[position++], raw);
    }
  }
  for (const FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) {
      continue;
    }
    if (field->getType()->isReferenceType() && position < values.size()) {
      unsupported(values[position++]);
      ir::Statement& rejected = function_.statements.back();
      rejected.diagnostic = Diagnostic::UnsupportedObjectWithPointer;
      rejected.facts = {readable_type(target.type, context_.ast), field->getNameAsString(),
                        "reference"};
      rejected.always = true;
      continue;
    }
    Path part = field_path(target, field);
    part.type = part.type.getUnqualifiedType();
    if (position < values.size()) {
      const Expr* with = values[position++];
      if (const auto* list = dyn_cast<InitListExpr>(with);
          list && list->getNumInits() == 1 && part.type->isScalarType()) {
        with = list->getInit(0);  // Also of a member with several names.
      }
      // A default member initialiser means the object that is made.
      const bool is_default = isa<CXXDefaultInitExpr>(with);
      const auto outer = is_default ? std::exchange(self_, target) : self_;
      initialise(part, with, raw);
      self_ = outer;
    } else {
      store_zero(part, raw, where);
    }
  }
}

/// The elements of braces, into an empty vector.
bool Lowering::initialise_elements(Path target, const CXXStdInitializerListExpr* list) {
  const SourceLocation where = list->getExprLoc();
  const auto* elements = dyn_cast<InitListExpr>(strip(list->getSubExpr()));
  if (!elements) {
    return false;
  }
  const QualType element = context_.types.element(target.type).getUnqualifiedType();
  if (context_.types.needs_storage(element)) {
    for (const Expr* made : elements->inits()) {
      Value* copy = load(materialise(made), where);
      ir::Statement* append = add(ir::Statement::Kind::Vector, where);
      append->path = target;
      append->action = ir::Statement::VectorAction::Append;
      append->value = copy;
    }
    return true;
  }
  Value* count =
      literal(std::to_string(elements->getNumInits()), context_.ast.getSizeType(), where);
  ir::Statement* room = add(ir::Statement::Kind::Vector, where);
  room->path = target;
  room->action = ir::Statement::VectorAction::Resize;
  room->count = count;
  for (unsigned i = 0; i < elements->getNumInits(); ++i) {
    Value* index = literal(std::to_string(i), context_.ast.getSizeType(), where);
    initialise(*element_path(target, index, element), elements->getInit(i), false);
  }
  return true;
}

/// `v = {a, b}`: a vector of its own first, for the elements may be made of those of `v`.
std::optional<Path> Lowering::assign_elements(Path target, const CXXStdInitializerListExpr* list) {
  const SourceLocation where = list->getExprLoc();
  Path made;
  made.type = target.type.getUnqualifiedType();
  made.root = new_root(Root::Kind::Local, "temporary", made.type, where);
  ir::Statement* declaration = declare_local(made.root, where);
  declaration->text = "{}";
  if (!initialise_elements(made, list)) {
    return std::nullopt;
  }
  store(target, load(made, where), where);
  return target;
}

/// `std::vector<T> v(n)`, `v(n, x)`, `v{a, b}`: elements are stored one by one where they may be
/// active.
bool Lowering::initialise_vector(Path target, const CXXConstructExpr* construction) {
  const SourceLocation where = construction->getExprLoc();
  const QualType element = context_.types.element(target.type).getUnqualifiedType();
  const unsigned arguments = construction->getNumArgs();
  const auto given = [&](unsigned i) {
    return i < arguments && !isa<CXXDefaultArgExpr>(construction->getArg(i));
  };
  const auto vector_statement = [&](ir::Statement::VectorAction action) {
    ir::Statement* made = add(ir::Statement::Kind::Vector, where);
    made->path = target;
    made->action = action;
    return made;
  };
  if (!given(0)) {
    return true;
  }
  const Expr* first = strip(construction->getArg(0));
  if (const auto* list = dyn_cast<CXXStdInitializerListExpr>(first)) {
    return initialise_elements(target, list);
  }
  if (context_.types.viewed(first->getType())) {
    return call_on(target, "vector_assign", construction, {construction->getArg(0)});
  }
  if (first->getType()->isIntegerType() &&
      construction->getConstructor()->getParamDecl(0)->getType()->isIntegerType()) {
    const bool filled_with = given(1) && construction->getConstructor()->getNumParams() >= 3;
    const Expr* with = filled_with ? strip(construction->getArg(1)) : nullptr;
    if (with && !element->isScalarType()) {
      return call_on(target, "vector_assign", construction,
                     {construction->getArg(0), construction->getArg(1)});
    }
    Value* count = rvalue(first);
    Value* fill = nullptr;
    if (with) {
      const auto path = with->isGLValue() ? lvalue(with) : std::nullopt;
      fill = path                ? load(*path, where)
             : with->isGLValue() ? nullptr
                                 : convert(rvalue(with), element, where);
      if (!fill) {
        return false;
      }
    }
    vector_statement(ir::Statement::VectorAction::Resize)->count = count;
    if (fill) {
      vector_statement(ir::Statement::VectorAction::Fill)->value = fill;
    }
    return true;
  }
  if (given(1) && context_.types.iterator(first->getType())) {
    return call_on(target, "vector_assign", construction,
                   {construction->getArg(0), construction->getArg(1)});
  }
  return false;
}

void Lowering::initialise_construction(Path target, const CXXConstructExpr* construction,
                                       bool raw) {
  const SourceLocation where = construction->getExprLoc();
  const CXXConstructorDecl* constructor = construction->getConstructor();
  const CXXRecordDecl* record = constructor->getParent();
  const Container kind = Types::container(target.type);
  const auto construct_from = [&](Value* value) { construct(target, value, raw, where); };
  if (constructor->isCopyOrMoveConstructor()) {
    if (is_elided(construction)) {
      return initialise(target, construction->getArg(0), raw);
    }
    if (!makes_here(construction) && (constructor->isDefaulted() || constructor->isTrivial() ||
                                      in_library(record) || context_.types.is_leaf(record))) {
      if (const auto path = lvalue(construction->getArg(0))) {
        return construct_from(load(*path, where));
      }
      return construct_from(unsupported(construction));
    }
  }
  const bool grows = kind == Container::StdVector || kind == Container::StdDeque;
  if (grows) {
    if (raw) {
      construct_from(literal(context_.names.type(target.type) + "{}", target.type, where));
    }
    if (!initialise_vector(target, construction)) {
      construct_from(unsupported(construction, Diagnostic::UnsupportedConstruction,
                                 {readable_type(target.type, context_.ast)}));
    }
    return;
  }
  if (kind == Container::StdMap) {
    Value* value = unsupported(construction, Diagnostic::UnsupportedConstruction,
                               {readable_type(target.type, context_.ast)});
    function_.statements.back().always = true;
    return construct_from(value);
  }
  if (kind == Container::StdPair && construction->getNumArgs() > 0) {
    const llvm::SmallVector<const Expr*> values(construction->arg_begin(), construction->arg_end());
    if (!initialise_parts(target, values, raw)) {
      construct_from(unsupported(construction, Diagnostic::UnsupportedConstruction,
                                 {readable_type(target.type, context_.ast)}));
    }
    return;
  }
  if (kind == Container::SumType && construction->getNumArgs() > 0) {
    if (raw) {
      construct_from(literal(context_.names.type(target.type) + "{}", target.type, where));
    }
    if (!initialise_sum_type(target, construction)) {
      construct_from(unsupported(construction, Diagnostic::UnsupportedConstruction,
                                 {readable_type(target.type, context_.ast)}));
    }
    return;
  }
  if (construction->getNumArgs() == 0 && (kind != Container::None || constructor->isTrivial())) {
    if (construction->requiresZeroInitialization() || kind != Container::None || raw) {
      if (constructor->isTrivial() && !construction->requiresZeroInitialization() &&
          kind == Container::None) {
        return;
      }
      store_zero(target, raw, where);
    }
    return;
  }
  if (is_scalarized(target.type)) {
    Value* value = unsupported(construction, Diagnostic::UnsupportedConstruction,
                               {readable_type(target.type, context_.ast)});
    function_.statements.back().always = true;
    return construct_from(value);
  }
  if (in_library(record) || context_.types.is_leaf(record)) {
    if (Value* made = made_of_inactive_parts(construction)) {
      return construct_from(made);
    }
    construct_from(unsupported(construction, Diagnostic::UnsupportedConstruction,
                               {readable_type(target.type, context_.ast)}));
    return;
  }
  llvm::SmallVector<const Expr*> arguments(construction->arg_begin(), construction->arg_end());
  construct_call(constructor, target, construction, arguments);
}

}  // namespace ddx::compiler
