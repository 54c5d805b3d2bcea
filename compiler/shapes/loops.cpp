#include "compiler/shapes/classes.h"
#include "compiler/shapes/statements.h"

#include <utility>

namespace ddx::compiler::shapes {
namespace {

/// Iterations that are executed one by one, while their conditions are known.
constexpr unsigned most_iterations = 64;
/// The cost of an iteration up to which others are executed one by one.
constexpr std::size_t cheap_iteration = 400;
/// How often a loop is executed until what it changes is no longer known.
constexpr unsigned most_rounds = 3;

}  // namespace

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
void Statements::unknown_iterations(const clang::Expr* condition, llvm::function_ref<void()> body) {
  const std::optional<State> broken = in_.frame().broken;
  for (unsigned round = 1;; ++round) {
    const std::size_t found = in_.findings_.count();
    State before = state();
    in_.frame().broken = broken;
    const Value* goes_on =
        condition == nullptr ? in_.arena().unknown(false) : in_.rvalue(condition);
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
    if (round > 1) {  // What holds before the first iteration is exact.
      in_.findings_.shrink(found);
    }
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

/// The variable of a loop over a range; `place` is without a cell where the element is not known.
void Statements::bind_element(const clang::VarDecl& element, const Place& place,
                              const Value* list) {
  const clang::QualType type = element.getType();
  const Value* value = place.cell ? state().load(place) : in_.arena().unknown(is_informed(*list));
  in_.frame().variables[&element] = !type->isReferenceType()   ? state().add(value)
                                    : place.cell               ? place
                                    : is_access_to_const(type) ? state().add(value)
                                                               : state().add_escaped(value);
}

/// What the iterators of a range, and the body by a reference to an element, may change.
void Statements::forget_range(const Place& whole, bool is_constant) {
  state().escape(state().load(whole));
  if (!is_constant) {
    state().escape(in_.arena().pointer(whole));
    state().store(whole, in_.arena().unknown(true));
  }
  state().forget_escaped();
}

void Statements::range(const clang::CXXForRangeStmt* s) {
  const std::size_t size = state().size();
  in_.execute(s->getInit());
  in_.execute(s->getRangeStmt());
  const auto* range =
      llvm::cast<clang::VarDecl>(llvm::cast<clang::DeclStmt>(s->getRangeStmt())->getSingleDecl());
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
    bind_element(*element, place, list);
    if (!place.cell) {
      forget_range(whole, is_access_to_const(range->getType()) && list->kind != Kind::Record);
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
    // How many axes or extents there are may be related to shapes; how much data there is, is not.
    const bool is_lost = is_informed(*list) &&
                         element->getType().getNonReferenceType()->isIntegralOrEnumerationType();
    in_.lost_branches_ += is_lost ? 1 : 0;
    unknown_iterations(nullptr, body);
    in_.lost_branches_ -= is_lost ? 1 : 0;
  }
  if (in_.frame().broken) {
    state().join(*in_.frame().broken, false);
  }
  in_.frame().broken = std::move(broken);
  in_.frame().continued = std::move(continued);
  state().shrink(size);
}

}  // namespace ddx::compiler::shapes
