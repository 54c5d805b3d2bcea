#include "compiler/ir/overlap.h"
#include "compiler/lower/loop_bounds.h"
#include "compiler/lower/lowering.h"
#include "compiler/lower/moving_expressions.h"

namespace ddx::compiler {

using namespace clang;
using namespace ir;

ir::Statement* Lowering::open_loop(const Stmt* source, ir::Statement::LoopForm form) {
  ir::Statement* loop = add(ir::Statement::Kind::Loop, source->getBeginLoc());
  loop->form = form;
  Level& level = function_.levels.emplace_back();
  level.parent = block_->level;
  level.loop = loop;
  level.name = unique("it");
  loop->inner = &level;
  loop->body = new_block(loop, &level);
  return loop;
}

void Lowering::lower_loop_body(ir::Statement* loop, Block* block, const Stmt* body) {
  breakables_.push_back(loop);
  continuables_.push_back(loop);
  if (const LabelStmt* label = label_of_increment(body); label && block == loop->body) {
    lower_labelled_body(loop, body, label);
  } else {
    // A block of its own: what continue jumps over lies after it.
    nested(block, body);
  }
  continuables_.pop_back();
  breakables_.pop_back();
}

/// `if (!condition) break;` at the place where the loop tests.
void Lowering::lower_condition_exit(ir::Statement* loop, const Expr* condition_expression) {
  const SourceLocation where = condition_expression->getExprLoc();
  Value* test = condition(condition_expression);
  const ir::Statement* branch = add_if(form("!$0", context_.ast.BoolTy, {test}, where), where);
  Block* outer = block_;
  block_ = branch->body;
  ir::Statement* jump = add(ir::Statement::Kind::Break, where);
  jump->target = loop;
  jump->site = ++loop->break_sites;
  block_ = outer;
}

void Lowering::lower_while(const WhileStmt* source) {
  Effects found = effects(source->getCond());
  const auto text =
      found.lowers || source->getConditionVariable() ? std::nullopt : text_of(source->getCond());
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::While : ir::Statement::LoopForm::Forever);
  if (text) {
    loop->text = *text;
    note(loop, found);
    lower_loop_body(loop, loop->body, source->getBody());
    return;
  }
  Block* outer = block_;
  block_ = loop->body;
  if (source->getConditionVariableDeclStmt()) {
    statement(source->getConditionVariableDeclStmt());
  }
  lower_condition_exit(loop, source->getCond());
  block_ = outer;
  lower_loop_body(loop, loop->body, source->getBody());
}

void Lowering::lower_do(const DoStmt* source) {
  Effects found = effects(source->getCond());
  const auto text = found.lowers ? std::nullopt : text_of(source->getCond());
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::DoWhile : ir::Statement::LoopForm::Forever);
  lower_loop_body(loop, loop->body, source->getBody());
  if (text) {
    loop->text = *text;
    note(loop, found);
    return;
  }
  loop->increment = new_block(loop, loop->inner);
  loop->uses_goto = loop->continue_sites > 0;
  Block* outer = block_;
  block_ = loop->increment;
  lower_condition_exit(loop, source->getCond());
  block_ = outer;
}

bool may_change(const VarDecl* variable, const Stmt* statement) {
  if (!statement) {
    return false;
  }
  const auto names = [&](const Expr* expression) {
    const auto* reference = dyn_cast<DeclRefExpr>(expression->IgnoreParens());
    return reference && reference->getDecl() == variable;
  };
  if (const auto* operation = dyn_cast<BinaryOperator>(statement);
      operation && operation->isAssignmentOp() && names(operation->getLHS())) {
    return true;
  }
  if (const auto* operation = dyn_cast<UnaryOperator>(statement);
      operation && (operation->isIncrementDecrementOp() || operation->getOpcode() == UO_AddrOf) &&
      names(operation->getSubExpr())) {
    return true;
  }
  if (const auto* lambda = dyn_cast<LambdaExpr>(statement)) {
    for (const LambdaCapture& capture : lambda->captures()) {
      if (capture.capturesVariable() && capture.getCapturedVar() == variable &&
          capture.getCaptureKind() == LCK_ByRef && !variable->getType().isConstQualified()) {
        return true;
      }
    }
  }
  const auto mutable_argument = [&](const FunctionDecl* callee, unsigned position,
                                    const Expr* argument) {
    if (!names(argument)) {
      return false;
    }
    if (!callee || position >= callee->getNumParams()) {
      return true;
    }
    const QualType type = callee->getParamDecl(position)->getType();
    return type->isReferenceType() && !type->getPointeeType().isConstQualified();
  };
  if (const auto* member = dyn_cast<CXXMemberCallExpr>(statement);
      member && member->getMethodDecl() && !member->getMethodDecl()->isConst() &&
      variable->getType()->isRecordType() && names(member->getImplicitObjectArgument())) {
    return true;
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(statement);
      call && call->getNumArgs() > 0 && names(call->getArg(0))) {
    const auto* method = dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
    if (method && !method->isConst()) {
      return true;
    }
  }
  if (const auto* call = dyn_cast<CallExpr>(statement)) {
    const unsigned shift =
        isa<CXXOperatorCallExpr>(call) && isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee())
            ? 1
            : 0;
    for (unsigned i = shift; i < call->getNumArgs(); ++i) {
      if (mutable_argument(call->getDirectCallee(), i - shift, call->getArg(i))) {
        return true;
      }
    }
  }
  if (const auto* construction = dyn_cast<CXXConstructExpr>(statement)) {
    for (unsigned i = 0; i < construction->getNumArgs(); ++i) {
      if (mutable_argument(construction->getConstructor(), i, construction->getArg(i))) {
        return true;
      }
    }
  }
  if (const auto* declaration = dyn_cast<DeclStmt>(statement)) {
    for (const Decl* decl : declaration->decls()) {
      const auto* other = dyn_cast<VarDecl>(decl);
      if (other && other->getType()->isReferenceType() && other->getInit() &&
          names(other->getInit()) && !other->getType()->getPointeeType().isConstQualified()) {
        return true;
      }
    }
  }
  for (const Stmt* child : statement->children()) {
    if (may_change(variable, child)) {
      return true;
    }
  }
  return false;
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
bool Lowering::is_fixed_bound(const Expr* bound, const Stmt* body) {
  const auto object = [&](const VarDecl* named) -> const Root* {
    const auto found = bindings_.find(named);
    const Root* const root = found == bindings_.end() ? nullptr : found->second.path.root;
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
bool Lowering::lower_counted(const ForStmt* source) {
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
  Effects bound_effects = effects(bound);
  if (bound_effects.lowers || !bound_effects.writes.empty()) {
    return false;
  }
  ir::Statement* scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = new_block(scope, block_->level);
  Block* outer = block_;
  block_ = scope->body;
  Value* begin = convert(rvalue(variable->getInit()), variable->getType(), variable->getLocation());
  Value* end = rvalue(bound);
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  loop->step = step;
  loop->inclusive = inclusive;
  loop->offset = shift;
  Root* root = new_root(Root::Kind::Induction, variable->getNameAsString(), variable->getType(),
                        variable->getLocation());
  root->level = loop->inner;
  root->block = loop->body;
  loop->root = root;
  Binding bound_variable;
  bound_variable.kind = Binding::Kind::Object;
  bound_variable.path.root = root;
  bound_variable.path.type = variable->getType().withConst();
  bindings_[variable] = bound_variable;
  lower_loop_body(loop, loop->body, source->getBody());
  block_ = outer;
  return true;
}

void Lowering::lower_for(const ForStmt* source) {
  if (lower_counted(source) || lower_counted_iterator(source)) {
    return;
  }
  ir::Statement* scope = add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = new_block(scope, block_->level);
  Block* outer = block_;
  block_ = scope->body;
  statement(source->getInit());
  Effects found;
  std::optional<std::string> text("true");
  if (source->getCond()) {
    found = effects(source->getCond());
    text =
        found.lowers || source->getConditionVariable() ? std::nullopt : text_of(source->getCond());
  }
  ir::Statement* loop =
      open_loop(source, text ? ir::Statement::LoopForm::While : ir::Statement::LoopForm::Forever);
  Block* around = block_;
  if (text) {
    loop->text = *text;
    note(loop, found);
  } else {
    block_ = loop->body;
    if (source->getConditionVariableDeclStmt()) {
      statement(source->getConditionVariableDeclStmt());
    }
    lower_condition_exit(loop, source->getCond());
    block_ = around;
  }
  lower_loop_body(loop, loop->body, source->getBody());
  if (source->getInc()) {
    loop->increment = new_block(loop, loop->inner);
    loop->uses_goto = loop->continue_sites > 0;
    block_ = loop->increment;
    discard(source->getInc());
    empty_moved(source->getInc());
  }
  block_ = outer;
}

}  // namespace ddx::compiler
