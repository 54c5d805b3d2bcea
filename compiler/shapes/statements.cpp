#include "compiler/shapes/classes.h"
#include "compiler/shapes/interpreter.h"
#include "compiler/shapes/natives.h"

#include "llvm/ADT/STLExtras.h"

#include <utility>

namespace ddx::compiler::shapes {
namespace {

/// Iterations that are executed one by one, while their conditions are known.
constexpr unsigned most_iterations = 64;
/// The cost of an iteration up to which others are executed one by one.
constexpr std::size_t cheap_iteration = 400;
/// How often a loop is executed until what it changes is no longer known.
constexpr unsigned most_rounds = 3;

bool has_pointer(const Value& value) {
  return value.kind == Kind::Pointer ||
         llvm::any_of(value.parts, [](const Value* part) { return has_pointer(*part); });
}

}  // namespace

/// The statements.
class Statements {
 public:
  explicit Statements(Interpreter& in) : in_(in) {}

  void execute(const clang::Stmt* s);

 private:
  State& state() { return in_.state_; }
  void expression(const clang::Expr* e);
  void declaration(const clang::DeclStmt* s);
  void variable(const clang::VarDecl* declared);
  void decision(const clang::IfStmt* s);
  void selection(const clang::SwitchStmt* s);
  void run_from(const clang::SwitchCase* label, const clang::SwitchStmt* s);
  void loop(const clang::Expr* condition, llvm::function_ref<void()> body, bool tests_first);
  void unknown_iterations(const clang::Expr* condition, llvm::function_ref<void()> body);
  void iteration(llvm::function_ref<void()> body);
  void for_loop(const clang::ForStmt* s);
  void range(const clang::CXXForRangeStmt* s);
  void guarded(const clang::CXXTryStmt* s);
  void jump(const clang::GotoStmt* s);
  void label(const clang::LabelStmt* s);
  void result(const clang::ReturnStmt* s);
  const Value* condition(const clang::Expr* e, const clang::VarDecl* declared);
  void leave_to(std::optional<State>& target);

  Interpreter& in_;
};

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

void Statements::execute(const clang::Stmt* s) {
  if (const auto* block = llvm::dyn_cast<clang::CompoundStmt>(s)) {
    for (const clang::Stmt* part : block->body()) {
      in_.execute(part);
    }
    return;
  }
  if (const auto* labelled = llvm::dyn_cast<clang::LabelStmt>(s)) {
    label(labelled);
    return;
  }
  if (const auto* decided = llvm::dyn_cast<clang::IfStmt>(s)) {
    decision(decided);
    return;
  }
  if (!state().runs()) {
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
    case clang::Stmt::ForStmtClass:
      return for_loop(llvm::cast<clang::ForStmt>(s));
    case clang::Stmt::WhileStmtClass: {
      const auto* repeated = llvm::cast<clang::WhileStmt>(s);
      if (repeated->getConditionVariable() != nullptr) {
        return in_.give_up();
      }
      return loop(repeated->getCond(), [&] { in_.execute(repeated->getBody()); }, true);
    }
    case clang::Stmt::DoStmtClass: {
      const auto* repeated = llvm::cast<clang::DoStmt>(s);
      return loop(repeated->getCond(), [&] { in_.execute(repeated->getBody()); }, false);
    }
    case clang::Stmt::CXXForRangeStmtClass:
      return range(llvm::cast<clang::CXXForRangeStmt>(s));
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
  if (declared->needsDestruction(in_.ast_) == clang::QualType::DK_cxx_destructor) {
    const auto* record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
    const clang::CXXDestructorDecl* destructor = record->getDestructor();
    if (destructor != nullptr && destructor->isUserProvided() && !is_of_std(*destructor) &&
        class_of(type) == Class::Record && !is_of_library(in_.ast_, *destructor)) {
      in_.give_up();  // What it does at the end of the scope is not executed.
      return;
    }
  }
  const clang::Expr* initialiser = declared->getInit();
  if (type->isReferenceType()) {
    in_.frame().variables[declared] =
        initialiser == nullptr ? Place() : in_.lvalue(initialiser);
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

void Statements::iteration(llvm::function_ref<void()> body) {
  const std::size_t size = state().size();
  in_.frame().continued.reset();
  body();
  if (in_.frame().continued) {
    state().join(*in_.frame().continued, false);
    in_.frame().continued.reset();
  }
  state().shrink(size);
}

/// Iterations of which the analysis does not know how many there are: executes the body for what
/// holds before each of them.
void Statements::unknown_iterations(const clang::Expr* condition,
                                    llvm::function_ref<void()> body) {
  const std::optional<State> broken = in_.frame().broken;
  for (unsigned round = 1;; ++round) {
    const std::size_t found = in_.findings_.count();
    State before = state();
    in_.frame().broken = broken;
    const Value* goes_on = condition == nullptr ? in_.arena().unknown(false)
                                                : in_.rvalue(condition);
    if (goes_on->is_known(0)) {
      state() = before;
      return;
    }
    const bool lost = !goes_on->is_number() && is_informed(*goes_on);
    in_.lost_branches_ += lost ? 1 : 0;
    iteration(body);
    in_.lost_branches_ -= lost ? 1 : 0;
    State after = before;
    after.join(state(), false);
    if (after.same_values(before) || in_.gave_up_) {
      state() = after;
      return;
    }
    in_.findings_.shrink(found);  // Found again where it holds in each iteration.
    if (round >= most_rounds) {
      before.forget_changes(after);
      state() = before;
    } else {
      state() = after;
    }
  }
}

void Statements::loop(const clang::Expr* condition, llvm::function_ref<void()> body,
                      bool tests_first) {
  std::optional<State> broken = std::exchange(in_.frame().broken, std::nullopt);
  std::optional<State> continued = std::exchange(in_.frame().continued, std::nullopt);
  bool ends = false;
  for (unsigned i = 0; i < most_iterations && state().runs(); ++i) {
    const std::size_t begin = in_.steps_;
    if (tests_first || i > 0) {
      const Value* value = condition == nullptr ? in_.arena().number(1) : in_.rvalue(condition);
      ends = value->is_known(0);
      if (!value->is_number() || ends) {
        break;
      }
    }
    iteration(body);
    if (in_.steps_ - begin > cheap_iteration || in_.gave_up_) {
      break;
    }
  }
  if (!ends && state().runs()) {
    unknown_iterations(condition, body);
    // An endless loop is left by break alone.
    clang::Expr::EvalResult known;
    if (condition == nullptr ||
        (condition->EvaluateAsInt(known, in_.ast_) && known.Val.getInt() != 0)) {
      state().flow = Flow::Leaves;
    }
  }
  if (in_.frame().broken) {
    state().join(*in_.frame().broken, false);
  }
  in_.frame().broken = std::move(broken);
  in_.frame().continued = std::move(continued);
}

void Statements::for_loop(const clang::ForStmt* s) {
  if (s->getConditionVariable() != nullptr) {
    return in_.give_up();
  }
  const std::size_t size = state().size();
  in_.execute(s->getInit());
  loop(
      s->getCond(),
      [&] {
        in_.execute(s->getBody());
        if (in_.frame().continued) {
          state().join(*in_.frame().continued, false);
          in_.frame().continued.reset();
        }
        if (s->getInc() != nullptr && state().runs()) {
          expression(s->getInc());
        }
      },
      true);
  state().shrink(size);
}

void Statements::range(const clang::CXXForRangeStmt* s) {
  const std::size_t size = state().size();
  in_.execute(s->getInit());
  in_.execute(s->getRangeStmt());
  const auto* range = llvm::cast<clang::VarDecl>(
      llvm::cast<clang::DeclStmt>(s->getRangeStmt())->getSingleDecl());
  if (!state().runs()) {
    return;
  }
  const Place whole = in_.frame().variables[range];
  const Value* list = state().load(whole);
  const clang::VarDecl* element = s->getLoopVariable();
  const bool is_list = list->is_list() && list->parts.size() <= most_iterations;
  unsigned index = 0;
  const auto body = [&] {
    const Place place = is_list && whole.cell && index < list->parts.size()
                            ? whole.at({index++, nullptr})
                            : Place();
    if (element->getType()->isReferenceType()) {
      in_.frame().variables[element] =
          place.cell ? place : state().add(in_.arena().unknown(is_informed(*list)));
    } else {
      in_.frame().variables[element] =
          state().add(place.cell ? state().load(place) : in_.arena().unknown(is_informed(*list)));
    }
    if (!place.cell && is_mutable_access(element->getType())) {
      state().escape(in_.arena().pointer(whole));
      state().store(whole, in_.arena().unknown(true));
    }
    if (const auto* parts = llvm::dyn_cast<clang::DecompositionDecl>(element)) {
      for (const clang::BindingDecl* binding : parts->bindings()) {
        if (const clang::VarDecl* holder = binding->getHoldingVar()) {
          variable(holder);
        }
      }
    }
    in_.execute(s->getBody());
  };
  std::optional<State> broken = std::exchange(in_.frame().broken, std::nullopt);
  std::optional<State> continued = std::exchange(in_.frame().continued, std::nullopt);
  bool is_done = is_list && list->parts.empty();
  const std::size_t begin = in_.steps_;
  while (is_list && index < list->parts.size() && state().runs() &&
         in_.steps_ - begin <= cheap_iteration * most_iterations) {
    iteration(body);
    is_done = index == list->parts.size();
  }
  if (!is_done && state().runs()) {
    index = most_iterations;
    unknown_iterations(nullptr, body);
  }
  if (in_.frame().broken) {
    state().join(*in_.frame().broken, false);
  }
  in_.frame().broken = std::move(broken);
  in_.frame().continued = std::move(continued);
  state().shrink(size);
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
