#include "compiler/lower/statements/loops.h"

#include "compiler/ir/overlap.h"
#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/expressions.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/loop_bounds.h"
#include "compiler/lower/statements/moved_objects.h"
#include "compiler/lower/statements/statements.h"
#include "compiler/lower/texts.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

ir::Statement* Loops::open_loop(const Stmt* source, ir::Statement::LoopForm form) {
  ir::Statement* loop = builder_.add(ir::Statement::Kind::Loop, source->getBeginLoc());
  loop->form = form;
  Level& level = function_.levels.emplace_back();
  level.parent = builder_.block()->level;
  level.loop = loop;
  level.name = builder_.unique("it");
  loop->inner = &level;
  loop->body = builder_.new_block(loop, &level);
  return loop;
}

void Loops::lower_loop_body(ir::Statement* loop, Block* block, const Stmt* body) {
  scope_.breakables.push_back(loop);
  scope_.continuables.push_back(loop);
  if (const LabelStmt* label = label_of_increment(body); label && block == loop->body) {
    statements_.lower_labelled_body(loop, body, label);
  } else {
    // A block of its own: what continue jumps over lies after it.
    statements_.nested(block, body);
  }
  scope_.continuables.pop_back();
  scope_.breakables.pop_back();
}

/// `if (!condition) break;` at the place where the loop tests.
void Loops::lower_condition_exit(ir::Statement* loop, const Expr* condition_expression) {
  const SourceLocation where = condition_expression->getExprLoc();
  Value* test = expressions_.condition(condition_expression);
  const ir::Statement* branch =
      builder_.add_if(builder_.form("!$0", context_.ast.BoolTy, {test}, where), where);
  Block* outer = builder_.block();
  builder_.enter(branch->body);
  ir::Statement* jump = builder_.add(ir::Statement::Kind::Break, where);
  jump->target = loop;
  jump->site = ++loop->break_sites;
  builder_.enter(outer);
}

void Loops::lower_while(const WhileStmt* source) {
  Effects found = effects_.of(source->getCond());
  const auto text = found.lowers || source->getConditionVariable()
                        ? std::nullopt
                        : texts_.text_of(source->getCond());
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::While : ir::Statement::LoopForm::Forever);
  if (text) {
    loop->text = *text;
    effects_.note(loop, found);
    lower_loop_body(loop, loop->body, source->getBody());
    return;
  }
  Block* outer = builder_.block();
  builder_.enter(loop->body);
  if (source->getConditionVariableDeclStmt()) {
    statements_.statement(source->getConditionVariableDeclStmt());
  }
  lower_condition_exit(loop, source->getCond());
  builder_.enter(outer);
  lower_loop_body(loop, loop->body, source->getBody());
}

void Loops::lower_do(const DoStmt* source) {
  Effects found = effects_.of(source->getCond());
  const auto text = found.lowers ? std::nullopt : texts_.text_of(source->getCond());
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::DoWhile : ir::Statement::LoopForm::Forever);
  lower_loop_body(loop, loop->body, source->getBody());
  if (text) {
    loop->text = *text;
    effects_.note(loop, found);
    return;
  }
  loop->increment = builder_.new_block(loop, loop->inner);
  loop->uses_goto = loop->continue_sites > 0;
  Block* outer = builder_.block();
  builder_.enter(loop->increment);
  lower_condition_exit(loop, source->getCond());
  builder_.enter(outer);
}

namespace {

/// True where `statement` names a variable for which `found` holds.
bool names_variable(const Stmt* statement, llvm::function_ref<bool(const VarDecl*)> found) {
  const auto* reference = dyn_cast_or_null<DeclRefExpr>(statement);
  const auto* variable = reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  return (variable && found(variable)) ||
         (statement && llvm::any_of(statement->children(), [&](const Stmt* child) {
            return names_variable(child, found);
          }));
}

}  // namespace

/// True when `bound` says the same before and after `body` runs.
bool Loops::is_fixed_bound(const Expr* bound, const Stmt* body) {
  const auto object = [&](const VarDecl* named) -> const Root* {
    const auto found = scope_.bindings.find(named);
    const Root* const root = found == scope_.bindings.end() ? nullptr : found->second.path.root;
    return root ? &named_root(*root) : nullptr;
  };
  const auto may_overlap = [&](const VarDecl* one, const VarDecl* other) {
    const Root* const a = object(one);
    const Root* const b = object(other);
    return !a || !b || overlap(*a, *b);
  };
  // What a reference that text has bound leads to may have any other name.
  const auto is_bound_to_text = [&](const VarDecl* named) {
    const Root* const root = object(named);
    return root && root->bound_to_text;
  };
  return !names_variable(bound, is_bound_to_text) &&
         is_invariant(bound, body, may_overlap, exposures_);
}

/// `for (T i = a; i < b; i += c)` over an integer that only the header changes, with a bound that
/// does not change: its trip count is known.
bool Loops::lower_counted(const ForStmt* source) {
  const auto* init = dyn_cast_or_null<DeclStmt>(source->getInit());
  const auto* variable =
      init && init->isSingleDecl() ? dyn_cast<VarDecl>(init->getSingleDecl()) : nullptr;
  const auto* test = source->getCond()
                         ? dyn_cast<BinaryOperator>(source->getCond()->IgnoreParenImpCasts())
                         : nullptr;
  if (!variable || !variable->getInit() || !variable->getType()->isIntegerType() || !test ||
      source->getConditionVariable() || !source->getInc()) {
    return false;
  }
  const auto names = [&](const Expr* expression) {
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParenImpCasts());
    return reference && reference->getDecl() == variable;
  };
  long step = 0;
  const Expr* increment = source->getInc()->IgnoreParenImpCasts();
  if (const auto* operation = dyn_cast<UnaryOperator>(increment);
      operation && operation->isIncrementDecrementOp() && names(operation->getSubExpr())) {
    step = operation->isIncrementOp() ? 1 : -1;
  } else if (const auto* compound = dyn_cast<CompoundAssignOperator>(increment);
             compound && names(compound->getLHS())) {
    Expr::EvalResult amount;
    if ((compound->getOpcode() == BO_AddAssign || compound->getOpcode() == BO_SubAssign) &&
        compound->getRHS()->EvaluateAsInt(amount, context_.ast)) {
      step = amount.Val.getInt().getExtValue() * (compound->getOpcode() == BO_AddAssign ? 1 : -1);
    }
  }
  const Expr* bound = nullptr;
  bool inclusive = false;
  long shift = 0;
  const Expr* tested = test->getLHS()->IgnoreParenImpCasts();
  if (const auto* sum = dyn_cast<BinaryOperator>(tested);
      sum && (sum->getOpcode() == BO_Add || sum->getOpcode() == BO_Sub) && names(sum->getLHS())) {
    Expr::EvalResult amount;
    if (sum->getRHS()->EvaluateAsInt(amount, context_.ast)) {
      shift = amount.Val.getInt().getExtValue() * (sum->getOpcode() == BO_Add ? 1 : -1);
      tested = sum->getLHS();
    }
  }
  if (names(tested)) {
    bound = test->getRHS();
    switch (test->getOpcode()) {
      case BO_LT:
        if (step <= 0)
          return false;
        break;
      case BO_LE:
        if (step <= 0)
          return false;
        inclusive = true;
        break;
      case BO_GT:
        if (step >= 0)
          return false;
        break;
      case BO_GE:
        if (step >= 0 || variable->getType()->isUnsignedIntegerType())
          return false;
        inclusive = true;
        break;
      case BO_NE:
        if (step != 1 && step != -1)
          return false;
        break;
      default:
        return false;
    }
  }
  // The comparison must see the variable itself, not a version of it that a conversion wrapped
  // around.
  if (step == 0 || !bound || !bound->getType()->isIntegralOrEnumerationType() ||
      test->getOpcode() == BO_NE || may_step(variable, source->getBody()) ||
      !is_fixed_bound(bound, source->getBody())) {
    return false;
  }
  Effects bound_effects = effects_.of(bound);
  if (bound_effects.lowers || !bound_effects.writes.empty()) {
    return false;
  }
  ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = builder_.new_block(scope, builder_.block()->level);
  Block* outer = builder_.block();
  builder_.enter(scope->body);
  Value* begin = expressions_.convert(expressions_.rvalue(variable->getInit()), variable->getType(),
                                      variable->getLocation());
  Value* end = expressions_.rvalue(bound);
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  loop->step = step;
  loop->inclusive = inclusive;
  loop->offset = shift;
  Root* root = builder_.new_root(Root::Kind::Induction, variable->getNameAsString(),
                                 variable->getType(), variable->getLocation());
  root->level = loop->inner;
  root->block = loop->body;
  loop->root = root;
  Binding bound_variable;
  bound_variable.kind = Binding::Kind::Object;
  bound_variable.path.root = root;
  bound_variable.path.type = variable->getType().withConst();
  scope_.bindings[variable] = bound_variable;
  lower_loop_body(loop, loop->body, source->getBody());
  builder_.enter(outer);
  return true;
}

void Loops::lower_for(const ForStmt* source) {
  if (lower_counted(source) || lower_counted_iterator(source)) {
    return;
  }
  ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = builder_.new_block(scope, builder_.block()->level);
  Block* outer = builder_.block();
  builder_.enter(scope->body);
  statements_.statement(source->getInit());
  Effects found;
  std::optional<std::string> text("true");
  if (source->getCond()) {
    found = effects_.of(source->getCond());
    text = found.lowers || source->getConditionVariable() ? std::nullopt
                                                          : texts_.text_of(source->getCond());
  }
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::While : ir::Statement::LoopForm::Forever);
  Block* around = builder_.block();
  if (text) {
    loop->text = *text;
    effects_.note(loop, found);
  } else {
    builder_.enter(loop->body);
    if (source->getConditionVariableDeclStmt()) {
      statements_.statement(source->getConditionVariableDeclStmt());
    }
    lower_condition_exit(loop, source->getCond());
    builder_.enter(around);
  }
  lower_loop_body(loop, loop->body, source->getBody());
  if (source->getInc()) {
    loop->increment = builder_.new_block(loop, loop->inner);
    loop->uses_goto = loop->continue_sites > 0;
    builder_.enter(loop->increment);
    expressions_.discard(source->getInc());
    moved_objects_.check_moves(source->getInc());
  }
  builder_.enter(outer);
}

}  // namespace ddx::compiler
