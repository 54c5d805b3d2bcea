#include "compiler/shapes/statements.h"

#include "compiler/shapes/classes.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace ddx::compiler::shapes {
namespace {

bool has_pointer(const Value& value) {
  return value.kind == Kind::Pointer ||
         llvm::any_of(value.parts, [](const Value* part) { return has_pointer(*part); });
}

}  // namespace

void Interpreter::execute(const clang::Stmt* statement) {
  if (statement == nullptr || !step()) {
    return;
  }
  // A label in code that nothing reaches otherwise may be jumped to.
  if (state_.runs() || !frame().jumps.empty()) {
    Statements(*this).execute(statement);
  }
}

void Interpreter::branch(const Value* condition, llvm::function_ref<void()> then,
                         llvm::function_ref<void()> otherwise) {
  if (!state_.runs()) {
    return;
  }
  if (condition->is_number()) {
    condition->number != 0 ? then() : otherwise();
    return;
  }
  if (condition->kind == Kind::Pointer || condition->kind == Kind::Function) {
    then();
    return;
  }
  const bool lost = is_informed(*condition);
  const State before = state_;
  lost_branches_ += lost ? 1 : 0;
  then();
  State after = std::exchange(state_, before);
  otherwise();
  lost_branches_ -= lost ? 1 : 0;
  state_.join(after, lost);
}

/// Statements that may hold labels, which are executed also where nothing reaches them.
bool Statements::structure(const clang::Stmt* s) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    for (const clang::Stmt* part : block->body()) {
      in_.execute(part);
    }
    return true;
  }
  if (const auto* labelled = llvm::dyn_cast<clang::LabelStmt>(s)) {
    label(labelled);
    return true;
  }
  if (const auto* decided = llvm::dyn_cast<clang::IfStmt>(s)) {
    decision(decided);
    return true;
  }
  return false;
}

bool Statements::repetition(const clang::Stmt* s) {
  if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(s)) {
    for_loop(counted);
    return true;
  }
  if (const auto* repeated = llvm::dyn_cast<clang::WhileStmt>(s)) {
    if (repeated->getConditionVariable() != nullptr) {
      in_.give_up();
    } else {
      loop(repeated->getCond(), [&] { in_.execute(repeated->getBody()); }, true);
    }
    return true;
  }
  if (const auto* repeated = llvm::dyn_cast<clang::DoStmt>(s)) {
    loop(repeated->getCond(), [&] { in_.execute(repeated->getBody()); }, false);
    return true;
  }
  if (const auto* ranged = llvm::dyn_cast<clang::CXXForRangeStmt>(s)) {
    range(ranged);
    return true;
  }
  return false;
}

void Statements::execute(const clang::Stmt* s) {
  if (structure(s) || !state().runs() || repetition(s)) {
    return;
  }
  switch (s->getStmtClass()) {
    case clang::Stmt::NullStmtClass:
      return;
    case clang::Stmt::DeclStmtClass:
      return declaration(llvm::cast<clang::DeclStmt>(s));
    case clang::Stmt::ReturnStmtClass:
      return result(llvm::cast<clang::ReturnStmt>(s));
    case clang::Stmt::SwitchStmtClass:
      return selection(llvm::cast<clang::SwitchStmt>(s));
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
      return in_.execute(llvm::cast<clang::SwitchCase>(s)->getSubStmt());
    case clang::Stmt::CXXTryStmtClass:
      return guarded(llvm::cast<clang::CXXTryStmt>(s));
    case clang::Stmt::BreakStmtClass:
      return leave_to(in_.frame().broken);
    case clang::Stmt::ContinueStmtClass:
      return leave_to(in_.frame().continued);
    case clang::Stmt::GotoStmtClass:
      return jump(llvm::cast<clang::GotoStmt>(s));
    case clang::Stmt::AttributedStmtClass:
      return in_.execute(llvm::cast<clang::AttributedStmt>(s)->getSubStmt());
    default:
      if (const auto* e = llvm::dyn_cast<clang::Expr>(s)) {
        return expression(e);
      }
      in_.give_up();
  }
}

void Statements::expression(const clang::Expr* e) {
  const std::size_t size = state().size();
  e->isGLValue() ? (void)in_.lvalue(e) : (void)in_.rvalue(e);
  state().shrink(size);
}

void Statements::declaration(const clang::DeclStmt* s) {
  for (const clang::Decl* declared : s->decls()) {
    if (const auto* one = llvm::dyn_cast<clang::VarDecl>(declared)) {
      variable(one);
    }
  }
}

void Statements::variable(const clang::VarDecl* declared) {
  if (!state().runs() || declared->isStaticLocal() || declared->hasExternalStorage()) {
    return;
  }
  const clang::QualType type = declared->getType();
  in_.begin_life(type);
  const clang::Expr* initialiser = declared->getInit();
  if (type->isReferenceType()) {
    in_.frame().variables[declared] = initialiser == nullptr ? Place() : in_.lvalue(initialiser);
  } else {
    const Place place = state().add(in_.blank(type));
    in_.frame().variables[declared] = place;
    const std::size_t size = state().size();
    if (initialiser != nullptr) {
      in_.initialise(place, initialiser, type);
    }
    const auto* record = type->getAsCXXRecordDecl();
    if (record != nullptr && class_name(record) == "std::span") {
      state().store(place, in_.arena().unknown(true));  // Its elements may change.
    }
    if (!has_pointer(*state().load(place))) {
      state().shrink(size);
    }
  }
  if (const auto* decomposed = llvm::dyn_cast<clang::DecompositionDecl>(declared)) {
    for (const clang::BindingDecl* binding : decomposed->bindings()) {
      if (const clang::VarDecl* holder = binding->getHoldingVar()) {
        variable(holder);
      }
    }
  }
  in_.note_shape(*declared);
}

const Value* Statements::condition(const clang::Expr* e, const clang::VarDecl* declared) {
  if (declared != nullptr) {
    variable(declared);
  }
  return e == nullptr ? in_.arena().number(1) : in_.rvalue(e);
}

void Statements::decision(const clang::IfStmt* s) {
  if (!state().runs()) {
    in_.execute(s->getThen());
    in_.execute(s->getElse());
    return;
  }
  const std::size_t size = state().size();
  in_.execute(s->getInit());
  if (s->isConsteval()) {
    in_.execute(s->isNonNegatedConsteval() ? s->getElse() : s->getThen());
    return;
  }
  if (s->isConstexpr()) {
    if (const auto chosen = s->getNondiscardedCase(in_.ast_)) {
      in_.execute(*chosen);
      return;
    }
  }
  const Value* value = condition(s->getCond(), s->getConditionVariable());
  const auto choose = [&](const clang::Stmt* taken) {
    return [this, taken] { in_.execute(taken); };
  };
  if (!in_.frame().jumps.empty() && value->is_number()) {
    value = in_.arena().unknown(true);  // Both ways: one may be jumped to.
  }
  in_.branch(value, choose(s->getThen()), choose(s->getElse()));
  state().shrink(size);
}

void Statements::run_from(const clang::SwitchCase* label, const clang::SwitchStmt* s) {
  const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s->getBody());
  bool reached = false;
  if (block == nullptr) {
    in_.execute(s->getBody());
    return;
  }
  for (const clang::Stmt* part : block->body()) {
    const clang::Stmt* inner = part;
    while (!reached && llvm::isa<clang::SwitchCase>(inner)) {
      reached = inner == label;
      inner = llvm::cast<clang::SwitchCase>(inner)->getSubStmt();
    }
    if (reached) {
      in_.execute(part);
    }
  }
  if (!reached) {
    in_.give_up();  // The label is within another statement.
  }
}

void Statements::selection(const clang::SwitchStmt* s) {
  in_.execute(s->getInit());
  const Value* value = condition(s->getCond(), s->getConditionVariable());
  if (!state().runs()) {
    return;
  }
  std::optional<State> outer = std::exchange(in_.frame().broken, std::nullopt);
  const State before = state();
  std::optional<State> after;
  bool has_default = false;
  bool is_taken = false;
  const bool lost = !value->is_number() && is_informed(*value);
  in_.lost_branches_ += lost ? 1 : 0;
  const clang::SwitchCase* fallback = nullptr;
  const auto take = [&](const clang::SwitchCase* one) {
    state() = before;
    run_from(one, s);
    after ? after->join(state(), lost) : (void)after.emplace(state());
  };
  for (const clang::SwitchCase* one = s->getSwitchCaseList(); one != nullptr;
       one = one->getNextSwitchCase()) {
    const auto* labelled = llvm::dyn_cast<clang::CaseStmt>(one);
    has_default |= labelled == nullptr;
    if (labelled == nullptr && value->is_number()) {
      fallback = one;
      continue;
    }
    clang::Expr::EvalResult number;
    if (labelled != nullptr && value->is_number() &&
        labelled->getLHS()->EvaluateAsInt(number, in_.ast_) && labelled->getRHS() == nullptr &&
        number.Val.getInt() != value->number) {
      continue;
    }
    is_taken = true;
    take(one);
  }
  if (fallback != nullptr && !is_taken) {
    take(fallback);
    is_taken = true;
  }
  if (!is_taken || (!value->is_number() && !has_default && !s->isAllEnumCasesCovered())) {
    after ? after->join(before, lost) : (void)after.emplace(before);
  }
  in_.lost_branches_ -= lost ? 1 : 0;
  state() = *after;
  if (in_.frame().broken) {
    state().join(*in_.frame().broken, false);
  }
  in_.frame().broken = std::move(outer);
}

void Statements::leave_to(std::optional<State>& target) {
  target ? target->join(state(), false) : (void)target.emplace(state());
  state().flow = Flow::Leaves;
}

void Statements::guarded(const clang::CXXTryStmt* s) {
  State thrown = state();
  ++in_.handlers_;
  const auto changed = in_.arena_.changes_of([&] { in_.execute(s->getTryBlock()); });
  --in_.handlers_;
  thrown.forget(changed);
  for (unsigned i = 0; i < s->getNumHandlers(); ++i) {
    State joined = state();
    state() = thrown;
    const clang::CXXCatchStmt* handler = s->getHandler(i);
    if (const clang::VarDecl* caught = handler->getExceptionDecl()) {
      in_.frame().variables[caught] = state().add(in_.arena().unknown(true));
    }
    // Whether something throws, and which handler runs, may depend on shapes.
    ++in_.lost_branches_;
    in_.execute(handler->getHandlerBlock());
    --in_.lost_branches_;
    joined.join(state(), true);
    state() = joined;
  }
}

void Statements::jump(const clang::GotoStmt* s) {
  Frame& frame = in_.frame();
  if (llvm::is_contained(frame.passed, s->getLabel())) {
    in_.give_up();
    return;
  }
  const auto [target, is_new] = frame.jumps.try_emplace(s->getLabel(), state());
  if (!is_new) {
    target->second.join(state(), true);
  }
  state().flow = Flow::Leaves;
}

void Statements::label(const clang::LabelStmt* s) {
  Frame& frame = in_.frame();
  frame.passed.push_back(s->getDecl());
  const auto found = frame.jumps.find(s->getDecl());
  if (found != frame.jumps.end()) {
    const State jumped = found->second;
    state().join(jumped, true);
    frame.jumps.erase(found);
  }
  in_.execute(s->getSubStmt());
}

void Statements::result(const clang::ReturnStmt* s) {
  const clang::Expr* e = s->getRetValue();
  const Value* value = nullptr;
  if (e != nullptr) {
    const clang::QualType type = in_.frame().function->getReturnType();
    if (type->isReferenceType()) {
      value = in_.arena().pointer(in_.lvalue(e));
    } else if (class_of(type) == Class::Record && !e->isGLValue()) {
      const Place place = state().add(in_.blank(type));
      in_.initialise(place, e, type);
      value = state().load(place);
    } else {
      value = in_.rvalue(e);
    }
  }
  if (state().runs()) {
    in_.leave(value);
  }
}

}  // namespace ddx::compiler::shapes
