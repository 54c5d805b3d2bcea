#include "compiler/lower/expressions/initialisers.h"

#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/complex.h"
#include "compiler/lower/library/containers.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/library/sum_types.h"
#include "compiler/lower/library/tuples.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/constructors.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

void Initialisers::initialise(Path target, const Expr* initialiser, bool raw) {
  const Expr* source = below_initialiser(initialiser);
  const SourceLocation where = source->getExprLoc();
  target.type = target.type.getUnqualifiedType();
  if (dynamic_pointers_.loses_member(target, source)) {
    return;
  }
  if (isa<ImplicitValueInitExpr>(source)) {
    return initialise_zero(target, raw, where);
  }
  if (target.type->isScalarType()) {
    return builder_.store(
        target, expressions_.convert(expressions_.rvalue(source), target.type, where), where);
  }
  if (Types::container(target.type) == Container::StdComplex) {
    if (const auto parts = complex_.complex_parts(source)) {
      return complex_.store_parts(target, *parts, where);
    }
    return rejections_.lose(source, Diagnostic::UnsupportedInitialiser);
  }
  if (const auto* list = dyn_cast<InitListExpr>(source)) {
    return initialise_list(target, list, raw);
  }
  if (const auto* list = dyn_cast<CXXParenListInitExpr>(source)) {
    const CXXRecordDecl* record = Types::record(target.type);
    return record && !record->isUnion() && Types::container(target.type) == Container::None
               ? initialise_members(target, list->getInitExprs(), where, raw)
               : rejections_.lose(source, Diagnostic::UnsupportedInitialiser);
  }
  if (!context_.types.has_tangent(target.type)) {
    if (const auto text = texts_.text_of(source)) {
      Value* value = texts_.text_value(source, effects_.of(source), *text);
      construct(target, value, raw, where);
      return;
    }
    rejections_.lose(source, Diagnostic::UnsupportedConstruction,
                     {readable_type(target.type, context_.ast)});
    return;
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(source)) {
    return initialise_construction(target, construction, raw);
  }
  if (const auto* array = dyn_cast<ArrayInitLoopExpr>(source)) {
    if (const auto path = places_.lvalue(array->getCommonExpr()->getSourceExpr())) {
      return copy_array(target, *path, raw, where);
    }
  }
  if (isa<CallExpr>(source)) {
    return construct(target, expressions_.call_value(source, where), raw, where);
  }
  if (source->isGLValue()) {
    if (const auto path = places_.lvalue(source)) {
      Value* copy = builder_.load(*path, where);
      construct(target, copy, raw, where);
      return;
    }
  }
  if (isa<ConditionalOperator>(source)) {
    Path made_path = places_.materialise(source);
    Value* copy = builder_.load(made_path, where);
    construct(target, copy, raw, where);
    return;
  }
  rejections_.lose(source, Diagnostic::UnsupportedInitialiser);
}

void Initialisers::initialise_list(Path target, const InitListExpr* list, bool raw) {
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
    const Expr* inner = below_initialiser(list->getInit(0));
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
    const bool in_parts = context_.copies.needs_storage(element) && list->getNumInits() >= size;
    if (kind == Container::StdArray && !in_parts && (raw || list->getNumInits() < size)) {
      store_zero(target, raw, where);
      raw = false;  // All elements exist now.
    }
    for (std::uint64_t i = list->getNumInits(); kind == Container::CArray && i < size; ++i) {
      Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
      store_zero(*element_path(target, index, element), raw, where);
    }
    for (unsigned i = 0; i < list->getNumInits(); ++i) {
      Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
      initialise(*element_path(target, index, element), list->getInit(i), raw);
    }
    return;
  }
  const CXXRecordDecl* record = Types::record(target.type);
  if (!record || record->isUnion()) {
    rejections_.lose(list, Diagnostic::UnsupportedInitialiser);
    return;
  }
  initialise_members(target, list->inits(), where, raw);
}

/// The bases and members of an aggregate, in their order; those that are left out are zero.
void Initialisers::initialise_members(const Path& target, llvm::ArrayRef<Expr*> values,
                                      SourceLocation where, bool raw) {
  const CXXRecordDecl* record = Types::record(target.type);
  unlisted(record, where);
  unsigned position = 0;
  for (const CXXBaseSpecifier& base : record->bases()) {
    if (position < values.size()) {
      initialise(places_.base_path(target, base.getType()->getAsCXXRecordDecl()),
                 values[position++], raw);
    }
  }
  for (const FieldDecl* field : record->fields()) {
    if (field->isUnnamedBitField()) {
      continue;
    }
    if (field->getType()->isReferenceType() && position < values.size()) {
      rejections_.unsupported(values[position++]);
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
      const auto outer = is_default ? std::exchange(scope_.self, target) : scope_.self;
      initialise(part, with, raw);
      scope_.self = outer;
    } else {
      store_zero(part, raw, where);
    }
  }
}

/// The elements of braces, into an empty vector.
bool Initialisers::initialise_elements(Path target, const CXXStdInitializerListExpr* list) {
  const SourceLocation where = list->getExprLoc();
  const auto* elements = dyn_cast<InitListExpr>(below_initialiser(list->getSubExpr()));
  if (!elements) {
    return false;
  }
  const QualType element = context_.types.element(target.type).getUnqualifiedType();
  if (context_.copies.needs_storage(element)) {
    for (const Expr* made : elements->inits()) {
      Value* copy = builder_.load(places_.materialise(made), where);
      ir::Statement* append = builder_.add(ir::Statement::Kind::Vector, where);
      append->path = target;
      append->action = ir::Statement::VectorAction::Append;
      append->value = copy;
    }
    return true;
  }
  Value* count =
      builder_.literal(std::to_string(elements->getNumInits()), context_.ast.getSizeType(), where);
  ir::Statement* room = builder_.add(ir::Statement::Kind::Vector, where);
  room->path = target;
  room->action = ir::Statement::VectorAction::Resize;
  room->count = count;
  for (unsigned i = 0; i < elements->getNumInits(); ++i) {
    Value* index = builder_.literal(std::to_string(i), context_.ast.getSizeType(), where);
    initialise(*element_path(target, index, element), elements->getInit(i), false);
  }
  return true;
}

std::optional<Path> Initialisers::assign_elements(Path target,
                                                  const CXXStdInitializerListExpr* list) {
  const SourceLocation where = list->getExprLoc();
  Path made;
  made.type = target.type.getUnqualifiedType();
  made.root = builder_.new_root(Root::Kind::Local, "temporary", made.type, where);
  ir::Statement* declaration = builder_.declare_local(made.root, where);
  declaration->text = "{}";
  if (!initialise_elements(made, list)) {
    return std::nullopt;
  }
  builder_.store(target, builder_.load(made, where), where);
  return target;
}

/// `std::vector<T> v(n)`, `v(n, x)`, `v{a, b}`: elements are stored one by one where they may be
/// active.
bool Initialisers::initialise_vector(Path target, const CXXConstructExpr* construction) {
  const SourceLocation where = construction->getExprLoc();
  const QualType element = context_.types.element(target.type).getUnqualifiedType();
  const unsigned arguments = construction->getNumArgs();
  const auto given = [&](unsigned i) {
    return i < arguments && !isa<CXXDefaultArgExpr>(construction->getArg(i));
  };
  const auto vector_statement = [&](ir::Statement::VectorAction action) {
    ir::Statement* made = builder_.add(ir::Statement::Kind::Vector, where);
    made->path = target;
    made->action = action;
    return made;
  };
  if (!given(0)) {
    return true;
  }
  const Expr* first = below_initialiser(construction->getArg(0));
  if (const auto* list = dyn_cast<CXXStdInitializerListExpr>(first)) {
    return initialise_elements(target, list);
  }
  if (context_.types.viewed(first->getType())) {
    return containers_.call_on(target, "vector_assign", construction, {construction->getArg(0)});
  }
  if (first->getType()->isIntegerType() &&
      construction->getConstructor()->getParamDecl(0)->getType()->isIntegerType()) {
    const bool filled_with = given(1) && construction->getConstructor()->getNumParams() >= 3;
    const Expr* with = filled_with ? below_initialiser(construction->getArg(1)) : nullptr;
    if (with && !element->isScalarType()) {
      return containers_.call_on(target, "vector_assign", construction,
                                 {construction->getArg(0), construction->getArg(1)});
    }
    Value* count = expressions_.rvalue(first);
    Value* fill = nullptr;
    if (with) {
      const auto path = with->isGLValue() ? places_.lvalue(with) : std::nullopt;
      fill = path                ? builder_.load(*path, where)
             : with->isGLValue() ? nullptr
                                 : expressions_.convert(expressions_.rvalue(with), element, where);
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
    return containers_.call_on(target, "vector_assign", construction,
                               {construction->getArg(0), construction->getArg(1)});
  }
  return false;
}

void Initialisers::initialise_construction(Path target, const CXXConstructExpr* construction,
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
    if (constructor->isDefaulted() || constructor->isTrivial() || in_library(record) ||
        context_.types.is_leaf(record)) {
      if (const auto path = places_.lvalue(construction->getArg(0))) {
        return construct_from(builder_.load(*path, where));
      }
      return construct_from(rejections_.unsupported(construction));
    }
  }
  const bool grows = kind == Container::StdVector || kind == Container::StdDeque;
  if (grows) {
    if (raw) {
      construct_from(builder_.literal(context_.names.type(target.type) + "{}", target.type, where));
    }
    if (!initialise_vector(target, construction)) {
      construct_from(rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
                                             {readable_type(target.type, context_.ast)}));
    }
    return;
  }
  if (kind == Container::StdMap) {
    Value* value = rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
                                           {readable_type(target.type, context_.ast)});
    function_.statements.back().always = true;
    return construct_from(value);
  }
  if (kind == Container::StdPair && construction->getNumArgs() > 0) {
    const llvm::SmallVector<const Expr*> values(construction->arg_begin(), construction->arg_end());
    if (!tuples_.initialise_parts(target, values, raw)) {
      construct_from(rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
                                             {readable_type(target.type, context_.ast)}));
    }
    return;
  }
  if (kind == Container::SumType && construction->getNumArgs() > 0) {
    if (raw) {
      construct_from(builder_.literal(context_.names.type(target.type) + "{}", target.type, where));
    }
    if (!sum_types_.initialise_sum_type(target, construction)) {
      construct_from(rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
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
  if (context_.types.is_scalarized(target.type)) {
    Value* value = rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
                                           {readable_type(target.type, context_.ast)});
    function_.statements.back().always = true;
    return construct_from(value);
  }
  if (in_library(record) || context_.types.is_leaf(record)) {
    if (Value* made = inactive_places_.made_of_inactive_parts(construction)) {
      return construct_from(made);
    }
    construct_from(rejections_.unsupported(construction, Diagnostic::UnsupportedConstruction,
                                           {readable_type(target.type, context_.ast)}));
    return;
  }
  llvm::SmallVector<const Expr*> arguments(construction->arg_begin(), construction->arg_end());
  constructors_.construct_call(constructor, target, construction, arguments);
}

}  // namespace ddx::compiler
