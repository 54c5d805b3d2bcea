#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

/// The places that `begin()` and `end()` of a class mean, where both are in one sequence.
std::optional<std::pair<Path, Path>> Lowering::ends_of_class(const CXXForRangeStmt* source,
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
  bindings_[whole] = bind_alias(range, false, "range", source->getBeginLoc());
  const auto start = pointer(first->getInit());
  const auto stop = start ? pointer(last->getInit()) : std::nullopt;
  if (!stop || start->steps.empty() || !start->steps.back().is_element() || stop->steps.empty() ||
      !stop->steps.back().is_element() || !same_sequence(*start, *stop)) {
    return std::nullopt;
  }
  return std::pair(*start, *stop);
}

/// A loop over what holds no reals (a set of names, a range of integers), as it is defined: by its
/// iterators, which are text.
void Lowering::lower_inactive_range(const CXXForRangeStmt* source) {
  ir::Statement* scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = new_block(scope, block_->level);
  Block* const outer = std::exchange(block_, scope->body);
  for (const Stmt* part : {source->getInit(), static_cast<const Stmt*>(source->getRangeStmt()),
                           static_cast<const Stmt*>(source->getBeginStmt()),
                           static_cast<const Stmt*>(source->getEndStmt())}) {
    if (part) {
      statement(part);
    }
  }
  const VarDecl* const named = named_variable(source->getRangeInit());
  const QualType element = source->getLoopVariable()->getType();
  const bool fixed = !source->getRangeInit()->isGLValue() ||
                     source->getRangeInit()->getType().isConstQualified() ||
                     (named && !may_change(named, source->getBody()));
  if (fixed && element->isReferenceType() && element.getNonReferenceType().isConstQualified() &&
      !context_.types.holds_dynamic_pointer(element)) {
    fixed_elements_.insert(source->getLoopVariable());  // A copy is as good.
  }
  ASTContext& ast = context_.ast;
  const SourceLocation begin = source->getBeginLoc();
  auto* const variable = const_cast<DeclStmt*>(source->getLoopVarStmt());
  auto* const body = CompoundStmt::Create(ast, {variable, const_cast<Stmt*>(source->getBody())},
                                          FPOptionsOverride(), begin, source->getEndLoc());
  statement(new (ast) ForStmt(ast, nullptr, const_cast<Expr*>(source->getCond()), nullptr,
                              const_cast<Expr*>(source->getInc()), body, begin, begin, begin));
  block_ = outer;
}

/// Declares the variable of a loop over a range, or what it decomposes.
void Lowering::declare_loop_variable(const CXXForRangeStmt* source, const Path& element) {
  const SourceLocation where = source->getBeginLoc();
  const Expr* range_expression = source->getRangeInit();
  const VarDecl* variable = source->getLoopVariable();
  Binding bound;
  bound.kind = Binding::Kind::Object;
  if (Types::is_closure(variable->getType())) {
    lose(range_expression, Diagnostic::UnsupportedRange,
         {readable_type(range_expression->getType(), context_.ast)});
  } else if (variable->getType()->isReferenceType()) {
    Path target = element;
    target.type = variable->getType().getNonReferenceType();
    bound = bind_alias(target, false, variable->getNameAsString(), variable->getLocation());
  } else {
    Value* copy = convert(load(element, where), variable->getType(), where);
    Root* root = new_root(Root::Kind::Local, variable->getNameAsString(), variable->getType(),
                          variable->getLocation());
    ir::Statement* declaration = declare_local(root, where);
    declaration->value = copy;
    bound.path.root = root;
    bound.path.type = variable->getType();
  }
  const auto* decomposition = dyn_cast<DecompositionDecl>(variable);
  if (const auto wrong = decomposition ? name_parts(decomposition, bound.path) : std::nullopt) {
    lose(range_expression, *wrong, {readable_type(variable->getType(), context_.ast)});
  }
  bindings_[variable] = bound;
}

void Lowering::lower_range_for(const CXXForRangeStmt* source) {
  const QualType over = source->getRangeInit()->getType();
  if (over->isRecordType() && Types::container(over) == Container::None &&
      !context_.types.viewed(over) && !context_.types.may_hold_real(over) &&
      source->getBeginStmt() && source->getEndStmt()) {
    return lower_inactive_range(source);
  }
  ir::Statement* scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = new_block(scope, block_->level);
  Block* outer = block_;
  block_ = scope->body;
  if (source->getInit()) {
    statement(source->getInit());
  }
  const auto finish = [&] { block_ = outer; };
  const Expr* range_expression = source->getRangeInit();
  const bool views = context_.types.viewed(range_expression->getType()) ||
                     isa<CXXStdInitializerListExpr>(below_copies(range_expression));
  const auto shown = views ? view(range_expression) : std::nullopt;
  std::optional<Path> range =
      shown ? std::optional(shown->path)
      : range_expression->isGLValue() && !views
          ? place_by_text(range_expression, range_expression->getType(), "range")
          : std::nullopt;
  if (!range && !views && range_expression->isGLValue()) {
    range = lvalue(range_expression);
  }
  if (!range && !views && !range_expression->isGLValue() &&
      range_expression->getType()->isRecordType()) {
    range = materialise(range_expression);
  }
  empty_moved(range_expression);
  const Container kind = range ? Types::container(range->type) : Container::None;
  std::optional<std::pair<Path, Path>> ends;
  if (range && !shown && kind == Container::None) {
    ends = ends_of_class(source, *range);
  }
  if (!range || (!shown && !ends && kind != Container::CArray && kind != Container::StdArray &&
                 kind != Container::StdVector && kind != Container::StdDeque)) {
    lose(range_expression, Diagnostic::UnsupportedRange,
         {readable_type(range_expression->getType(), context_.ast)});
    return finish();
  }
  const SourceLocation where = source->getBeginLoc();
  const QualType size_type = context_.ast.getSizeType();
  Value* begin = literal("0", size_type, where);
  Value* end = nullptr;
  if (ends) {
    begin = position_of(ends->first, where);
    end = position_of(ends->second, where);
  } else if (shown) {
    end = extent_of(*shown, size_type, where);
  } else if (const auto* array = context_.ast.getAsConstantArrayType(range->type)) {
    end = literal(std::to_string(array->getSize().getZExtValue()), size_type, where);
  } else {
    // The number of elements is fixed when the loop is entered.
    Root* alias = new_root(Root::Kind::Alias, "range", range->type, where);
    alias->target = *range;
    alias->is_constant = true;
    add(ir::Statement::Kind::Bind, where)->root = alias;
    end = new_value(Value::Kind::Text, size_type, where);
    end->text = hole(*alias) + ".size()";
    end->reads = {alias, range->root};
    end->cheap = true;
    ir::Statement* definition = add(ir::Statement::Kind::Define, where);
    definition->value = end;
    definition->reads.assign(end->reads.begin(), end->reads.end());
  }
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  Root* index = new_root(Root::Kind::Induction, "k",
                         ends ? context_.ast.getPointerDiffType() : size_type, where);
  index->level = loop->inner;
  index->block = loop->body;
  loop->root = index;
  block_ = loop->body;
  Value* const position = value_in(*index, where);
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
  block_ = scope->body;
  lower_loop_body(loop, loop->body, source->getBody());
  finish();
}

}  // namespace ddx::compiler
