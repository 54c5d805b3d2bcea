#include "compiler/lower/builder.h"
#include "compiler/lower/effect_finder.h"
#include "compiler/lower/expressions/places.h"
#include "compiler/lower/library/iterators.h"
#include "compiler/lower/library/moving_expressions.h"
#include "compiler/lower/pointers/dynamic_pointers.h"
#include "compiler/lower/rejections.h"
#include "compiler/lower/scope.h"
#include "compiler/lower/statements/declarations.h"
#include "compiler/lower/statements/loops.h"
#include "compiler/lower/texts.h"
#include "compiler/support/holds_reals.h"
#include "compiler/support/types.h"

#include <cstdlib>

namespace ddx::compiler {

using namespace clang;
using namespace ir;

namespace {

/// `a < b`, however the operator was found.
struct Comparison {
  BinaryOperatorKind opcode = BO_EQ;
  const Expr* left = nullptr;
  const Expr* right = nullptr;
};

std::optional<Comparison> comparison(const Expr* expression) {
  expression = expression->IgnoreParenImpCasts();
  if (const auto* cleanups = dyn_cast<ExprWithCleanups>(expression)) {
    expression = cleanups->getSubExpr()->IgnoreParenImpCasts();
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(expression)) {
    return Comparison{operation->getOpcode(), operation->getLHS(), operation->getRHS()};
  }
  if (const auto* rewritten = dyn_cast<CXXRewrittenBinaryOperator>(expression)) {
    const auto form = rewritten->getDecomposedForm();
    return Comparison{form.Opcode, form.LHS, form.RHS};
  }
  const auto* call = dyn_cast<CXXOperatorCallExpr>(expression);
  if (call && call->getNumArgs() == 2 && call->isComparisonOp()) {
    return Comparison{BinaryOperator::getOverloadedOpcode(call->getOperator()), call->getArg(0),
                      call->getArg(1)};
  }
  return std::nullopt;
}

}  // namespace

/// True when `bound` says the same place before and after `body` runs.
bool Loops::is_fixed_iterator(const Expr* bound, const Stmt* body) {
  bound = below_copies(bound);
  if (const auto* construction = dyn_cast<CXXConstructExpr>(bound);
      construction && construction->getNumArgs() == 1) {
    return is_fixed_iterator(construction->getArg(0), body);
  }
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(bound)) {
    const bool sums = call->getOperator() == OO_Plus || call->getOperator() == OO_Minus;
    return sums && llvm::all_of(call->arguments(), [&](const Expr* argument) {
             return is_fixed_iterator(argument, body);
           });
  }
  if (const auto* operation = dyn_cast<BinaryOperator>(bound);
      operation && operation->getType()->isPointerType()) {
    return operation->isAdditiveOp() && is_fixed_iterator(operation->getLHS(), body) &&
           is_fixed_iterator(operation->getRHS(), body);
  }
  if (const auto* call = dyn_cast<CallExpr>(bound);
      call && !isa<CXXMemberCallExpr>(call) && call->getDirectCallee() && call->getNumArgs() == 1 &&
      in_library(call->getDirectCallee())) {
    const QualType type = call->getArg(0)->getType();
    const Container kind = Types::container(type);
    return named_variable(call->getArg(0)) &&
           (kind == Container::CArray || kind == Container::StdArray ||
            (kind == Container::StdVector && type.isConstQualified()));
  }
  return is_fixed_bound(bound, body);
}

/// `for (auto i = v.begin(); i != v.end(); ++i)`: a loop over places whose number is known.
bool Loops::lower_counted_iterator(const ForStmt* source) {
  const auto* init = dyn_cast_or_null<DeclStmt>(source->getInit());
  if (!init || !source->getCond() || !source->getInc() || source->getConditionVariable()) {
    return false;
  }
  const auto step = stepping(source->getInc(), context_.ast);
  auto test = comparison(source->getCond());
  const VarDecl* variable = step ? named_variable(step->target) : nullptr;
  if (!variable || !test || !llvm::is_contained(init->decls(), variable)) {
    return false;
  }
  const auto kind = context_.types.iterator(variable->getType());
  if (!kind || variable->getType()->isReferenceType() || !variable->getInit()) {
    return false;
  }
  if (named_variable(test->left) != variable) {
    std::swap(test->left, test->right);
    test->opcode = BinaryOperator::reverseComparisonOp(test->opcode);
  }
  const long amount = kind->reversed ? -step->amount : step->amount;
  const bool onward = test->opcode == BO_NE ? std::abs(amount) == 1
                      : step->amount > 0    ? test->opcode == BO_LT
                                            : test->opcode == BO_GT;
  const auto other_kind = context_.types.iterator(test->right->getType());
  if (named_variable(test->left) != variable || named_variable(test->right) == variable ||
      amount == 0 || !onward || !other_kind || other_kind->reversed != kind->reversed ||
      may_change(variable, source->getBody()) ||
      !is_fixed_iterator(test->right, source->getBody())) {
    return false;
  }
  const Effects bound_effects = effects_.of(test->right);
  const Effects start_effects = effects_.of(variable->getInit());
  if (bound_effects.lowers || start_effects.lowers || !bound_effects.writes.empty() ||
      !start_effects.writes.empty()) {
    return false;
  }
  if (dynamic_pointers_.is_dynamic_pointer_value(variable->getInit())) {
    return false;  // A pointer variable like any other.
  }
  const SourceLocation where = variable->getLocation();
  ir::Statement* scope = builder_.add(ir::Statement::Kind::Block, source->getBeginLoc());
  scope->body = builder_.new_block(scope, builder_.block()->level);
  Block* outer = builder_.block();
  builder_.enter(scope->body);
  std::optional<Path> start;
  for (const Decl* decl : init->decls()) {
    if (decl == variable) {
      start = places_.pointer(variable->getInit());
    } else if (const auto* other = dyn_cast<VarDecl>(decl)) {
      declarations_.declare(other);
    }
  }
  const auto stop = start ? places_.pointer(test->right) : std::nullopt;
  const auto start_text = texts_.text_of(variable->getInit());
  const auto stop_text = texts_.text_of(test->right);
  const bool one_sequence = start && stop && !start->steps.empty() && !stop->steps.empty() &&
                            start->steps.back().is_element() && stop->steps.back().is_element() &&
                            iterators_.same_sequence(*start, *stop);
  if (!start || start->steps.empty() || !start->steps.back().is_element() ||
      (!one_sequence && !(start_text && stop_text))) {
    builder_.enter(outer);
    rejections_.unsupported(variable->getInit(), Diagnostic::UnsupportedIterator,
                            {variable->getNameAsString()});
    function_.statements.back().always = true;
    function_.statements.back().unplaced.push_back(variable);
    scope_.bindings[variable] = {};
    return true;
  }
  Value* begin = iterators_.position_of(*start, where);
  Value* end = nullptr;
  if (one_sequence) {
    end = iterators_.position_of(*stop, where);
  } else {
    Value* distance =
        builder_.new_value(Value::Kind::Text, context_.ast.getPointerDiffType(), where);
    distance->text = "(" + *stop_text + ") - (" + *start_text + ")";
    distance->reads.assign(bound_effects.reads.begin(), bound_effects.reads.end());
    distance->reads.append(start_effects.reads.begin(), start_effects.reads.end());
    builder_.define(distance);
    end = builder_.form(kind->reversed ? "$0 - $1" : "$0 + $1", distance->type, {begin, distance},
                        where);
  }
  ir::Statement* loop = open_loop(source, ir::Statement::LoopForm::Counted);
  loop->begin = begin;
  loop->end = end;
  loop->step = amount;
  Root* place = builder_.new_root(Root::Kind::Induction, variable->getNameAsString() + "_at",
                                  context_.ast.getPointerDiffType(), where);
  place->level = loop->inner;
  place->block = loop->body;
  loop->root = place;
  builder_.enter(loop->body);
  scope_.bindings[variable] = iterators_.iterator_at(*start, place, variable->getType(),
                                                     variable->getNameAsString(), where);
  builder_.enter(scope->body);
  lower_loop_body(loop, loop->body, source->getBody());
  builder_.enter(outer);
  return true;
}

}  // namespace ddx::compiler
