#include "compiler/lower/builder.h"
#include "compiler/lower/calls/inactive_places.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/library/views.h"
#include "compiler/lower/path_steps.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/lower/statements/loops.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/support/readable_names.h"
#include "compiler/support/types.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// The places that `begin()` and `end()` of a class mean, where both are in one sequence.
std::optional<std::pair<Path, Path>> Loops::ends_of_class(const CXXForRangeStmt* source,
                                                          const Path& range) {
  const auto variable_of = [](const DeclStmt* statement) {
    return statement ? dyn_cast<VarDecl>(statement->getSingleDecl()) : nullptr;
  };
  const VarDecl* const whole = variable_of(source->getRangeStmt());
  const VarDecl* const first = variable_of(source->getBeginStmt());
  const VarDecl* const last = variable_of(source->getEndStmt());
  const auto is_known = [&](const VarDecl* variable) {
    const auto kind = variable ? context_.types.iterator(variable->getType()) : std::nullopt;
    return kind && !kind->reversed && variable->getInit();
  };
  if (!whole || !is_known(first) || !is_known(last)) {
    return std::nullopt;
  }
  scope_.bindings[whole] = places_.bind_alias(range, false, "range", source->getBeginLoc());
  const auto start = places_.pointer(first->getInit());
  const auto stop = start ? places_.pointer(last->getInit()) : std::nullopt;
  if (!stop || start->steps.empty() || !start->steps.back().is_element() || stop->steps.empty() ||
      !stop->steps.back().is_element() || !iterators_.same_sequence(*start, *stop)) {
    return std::nullopt;
  }
  return std::pair(*start, *stop);
}

/// A loop over what holds no reals (a set of names, a range of integers), as it is defined: by its
/// iterators, which are text.
void Loops::lower_inactive_range(const CXXForRangeStmt* source) {
  ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = builder_.new_block(scope, builder_.block()->level);
  Block* const outer = builder_.enter(scope->body);
  for (const Stmt* part : {source->getInit(), static_cast<const Stmt*>(source->getRangeStmt()),
                           static_cast<const Stmt*>(source->getBeginStmt()),
                           static_cast<const Stmt*>(source->getEndStmt())}) {
    if (part) {
      statements_.statement(part);
    }
  }
  const VarDecl* const named = named_variable(source->getRangeInit());
  const QualType element = source->getLoopVariable()->getType();
  const bool fixed = !source->getRangeInit()->isGLValue() ||
                     source->getRangeInit()->getType().isConstQualified() ||
                     (named && !may_change(named, source->getBody()));
  if (fixed && element->isReferenceType() && element.getNonReferenceType().isConstQualified() &&
      !context_.types.holds_dynamic_pointer(element)) {
    scope_.fixed_elements.insert(source->getLoopVariable());  // A copy is as good.
  }
  ASTContext& ast = context_.ast;
  const SourceLocation begin = source->getBeginLoc();
  auto* const variable = const_cast<DeclStmt*>(source->getLoopVarStmt());
  auto* const body = CompoundStmt::Create(ast, {variable, const_cast<Stmt*>(source->getBody())},
                                          FPOptionsOverride(), begin, source->getEndLoc());
  statements_.statement(new (ast) ForStmt(ast, nullptr, const_cast<Expr*>(source->getCond()),
                                          nullptr, const_cast<Expr*>(source->getInc()), body, begin,
                                          begin, begin));
  builder_.enter(outer);
}

/// Declares the variable of a loop over a range, or what it decomposes.
void Loops::declare_loop_variable(const CXXForRangeStmt* source, const Path& element) {
  const SourceLocation where = source->getBeginLoc();
  const Expr* range_expression = source->getRangeInit();
  const VarDecl* variable = source->getLoopVariable();
  Binding bound;
  bound.kind = Binding::Kind::Object;
  if (Types::is_closure(variable->getType())) {
    rejections_.lose(range_expression, Diagnostic::UnsupportedRange,
                     {readable_type(range_expression->getType(), context_.ast)});
  } else if (variable->getType()->isReferenceType()) {
    Path target = element;
    target.type = variable->getType().getNonReferenceType();
    bound = places_.bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
  } else {
    Value* copy = expressions_.convert(builder_.load(element, where), variable->getType(), where);
    Root* root = builder_.new_root(Root::Kind::Local, variable->getNameAsString(),
                                   variable->getType(), variable->getLocation());
    ir::Statement* declaration = builder_.declare_local(root, where);
    declaration->value = copy;
    bound.path.root = root;
    bound.path.type = variable->getType();
  }
  const auto* decomposition = dyn_cast<DecompositionDecl>(variable);
  if (const auto wrong =
          decomposition ? declarations_.name_parts(decomposition, bound.path) : std::nullopt) {
    rejections_.lose(range_expression, *wrong, {readable_type(variable->getType(), context_.ast)});
  }
  scope_.bindings[variable] = bound;
}

void Loops::lower_range_for(const CXXForRangeStmt* source) {
  const QualType over = source->getRangeInit()->getType();
  if (over->isRecordType() && Types::container(over) == Container::None &&
      !context_.types.viewed(over) && !context_.types.may_hold_real(over) &&
      source->getBeginStmt() && source->getEndStmt()) {
    return lower_inactive_range(source);
  }
  ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = builder_.new_block(scope, builder_.block()->level);
  Block* outer = builder_.block();
  builder_.enter(scope->body);
  if (source->getInit()) {
    statements_.statement(source->getInit());
  }
  const auto finish = [&] { builder_.enter(outer); };
  const Expr* range_expression = source->getRangeInit();
  const bool views = context_.types.viewed(range_expression->getType()) ||
                     isa<CXXStdInitializerListExpr>(below_copies(range_expression));
  const auto shown = views ? views_.view(range_expression) : std::nullopt;
  std::optional<Path> range =
      shown ? std::optional(shown->path)
      : range_expression->isGLValue() && !views
          ? inactive_places_.place_by_text(range_expression, range_expression->getType(), "range")
          : std::nullopt;
  if (!range && !views && range_expression->isGLValue()) {
    range = places_.lvalue(range_expression);
  }
  if (!range && !views && !range_expression->isGLValue() &&
      range_expression->getType()->isRecordType()) {
    range = places_.materialise(range_expression);
  }
  moved_objects_.check_moves(range_expression);
  const Container kind = range ? Types::container(range->type) : Container::None;
  std::optional<std::pair<Path, Path>> ends;
  if (range && !shown && kind == Container::None) {
    ends = ends_of_class(source, *range);
  }
  if (!range || (!shown && !ends && kind != Container::CArray && kind != Container::StdArray &&
                 kind != Container::StdVector && kind != Container::StdDeque)) {
    rejections_.lose(range_expression, Diagnostic::UnsupportedRange,
                     {readable_type(range_expression->getType(), context_.ast)});
    return finish();
  }
  const SourceLocation where = source->getBeginLoc();
  const QualType size_type = context_.ast.getSizeType();
  Value* begin = builder_.literal("0", size_type, where);
  Value* end = nullptr;
  if (ends) {
    begin = iterators_.position_of(ends->first, where);
    end = iterators_.position_of(ends->second, where);
  } else if (shown) {
    end = views_.extent_of(*shown, size_type, where);
  } else if (const auto* array = context_.ast.getAsConstantArrayType(range->type)) {
    end = builder_.literal(std::to_string(array->getSize().getZExtValue()), size_type, where);
  } else {
    // The number of elements is fixed when the loop is entered.
    Root* alias = builder_.new_root(Root::Kind::Alias, "range", range->type, where);
    alias->target = *range;
    alias->is_constant = true;
    builder_.add(ir::Statement::Kind::Bind, where)->root = alias;
    end = builder_.new_value(Value::Kind::Text, size_type, where);
    end->text = hole(*alias) + ".size()";
    end->reads = {alias, range->root};
    end->cheap = true;
    ir::Statement* definition = builder_.add(ir::Statement::Kind::Define, where);
    definition->value = end;
    definition->reads.assign(end->reads.begin(), end->reads.end());
  }
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  Root* index = builder_.new_root(Root::Kind::Induction, "k",
                                  ends ? context_.ast.getPointerDiffType() : size_type, where);
  index->level = loop->inner;
  index->block = loop->body;
  loop->root = index;
  builder_.enter(loop->body);
  Value* const position = builder_.value_in(*index, where);
  const auto element_at = [&] {
    if (ends) {
      Path place = ends->first;
      place.steps.back().index = {position};
      return place;
    }
    return shown ? *offset(range, position)
                 : *element_path(range, position, context_.types.element(range->type));
  };
  declare_loop_variable(source, element_at());
  builder_.enter(scope->body);
  lower_loop_body(loop, loop->body, source->getBody());
  finish();
}

}  // namespace ddx::compiler
