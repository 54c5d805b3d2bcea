#include "ddx/nn/detail/wolfe_search.h"

#include "ddx/nn/runtime_number.h"

#include <functional>

namespace ddx::nn::detail {
namespace {

using NumberProbe = WolfeState::NumberProbe;

RuntimeNumber is_finite(const NumberProbe& probe) {
  return detail::is_finite(probe.value) * detail::is_finite(probe.slope);
}

NumberProbe chosen(const RuntimeNumber& condition, const NumberProbe& a, const NumberProbe& b) {
  return {choose_positive(condition, a.distance, b.distance),
          choose_positive(condition, a.value, b.value),
          choose_positive(condition, a.slope, b.slope)};
}

/// Where the cubic through two probes has its minimum, kept off the ends of the interval; the
/// middle where the cubic has none or an end is not finite.
RuntimeNumber between(const NumberProbe& a, const NumberProbe& b) {
  const RuntimeNumber low = min(a.distance, b.distance);
  const RuntimeNumber high = max(a.distance, b.distance);
  const RuntimeNumber d1 = a.slope + b.slope - 3 * (a.value - b.value) / (a.distance - b.distance);
  const RuntimeNumber root = sqrt(d1 * d1 - a.slope * b.slope);
  const RuntimeNumber d2 = choose_positive(b.distance - a.distance, root, -root);
  const RuntimeNumber at =
      b.distance - (b.distance - a.distance) * (b.slope + d2 - d1) / (b.slope - a.slope + 2 * d2);
  const RuntimeNumber margin = 0.1 * (high - low);
  const RuntimeNumber inside = min(max(at, low + margin), high - margin);
  // Without a minimum, the root is NaN.
  const RuntimeNumber is_usable = is_finite(a) * is_finite(b) * detail::is_finite(at);
  return choose_positive(is_usable, inside, (low + high) / 2);
}

RuntimeNumber magnitude(const RuntimeNumber& a) {
  return max(a, -a);
}

}  // namespace

RuntimeNumber is_above(const RuntimeNumber& a, const RuntimeNumber& b) {
  return choose_positive(a - b, 1, 0);
}

RuntimeNumber is_finite(const RuntimeNumber& number) {
  return choose_zero(number - number, 1, 0);
}

WolfeState wolfe_start(const NumberProbe& start, const RuntimeNumber& first) {
  return {.low = start, .high = start, .best = start, .distance = first};
}

RuntimeNumber is_searching(const WolfeState& state, const WolfeConditions& conditions) {
  return (1 - state.satisfied) * is_above(conditions.max_probes, state.probes);
}

WolfeState wolfe_next(const WolfeState& state, const NumberProbe& here, const NumberProbe& start,
                      const WolfeConditions& conditions) {
  const NumberProbe& low = state.low;
  const RuntimeNumber bound = start.value + conditions.decrease * here.distance * start.slope;
  const RuntimeNumber falls = is_finite(here) * (1 - is_above(here.value, bound));
  const RuntimeNumber is_flat =
      1 - is_above(magnitude(here.slope), -conditions.curvature * start.slope);
  // Before there is an interval, the start is no bound for values.
  const RuntimeNumber is_lower =
      max(is_above(low.value, here.value), (1 - state.has_high) * (1 - is_above(low.distance, 0)));
  const RuntimeNumber is_good = falls * is_lower;
  const RuntimeNumber is_found = is_good * is_flat;
  const RuntimeNumber slope_to_high = choose_positive(
      state.has_high, here.slope * (state.high.distance - low.distance), here.slope);
  const RuntimeNumber is_past = is_good * (1 - is_above(0, slope_to_high));
  WolfeState next = state;
  next.low = chosen(is_good, here, low);
  next.high = chosen(is_good, chosen(is_past, low, state.high), here);
  next.best =
      chosen(max(is_found, falls * is_above(state.best.value, here.value)), here, state.best);
  next.probes = state.probes + 1;
  next.has_high = max(state.has_high, max(1 - is_good, is_past));
  next.satisfied = is_found;
  next.distance = choose_positive(next.has_high, between(next.low, next.high), 4 * here.distance);
  return next;
}

WolfeResult wolfe_search(const std::function<Probe(double)>& probe, const Probe& start,
                         double first, const WolfeConditions& conditions) {
  const auto numbers = [](const Probe& at) { return NumberProbe{at.distance, at.value, at.slope}; };
  WolfeState state = wolfe_start(numbers(start), first);
  while (is_searching(state, conditions).value() > 0) {
    state = wolfe_next(state, numbers(probe(state.distance.value())), numbers(start), conditions);
  }
  return {{state.best.distance.value(), state.best.value.value(), state.best.slope.value()},
          state.satisfied.value() > 0};
}

}  // namespace ddx::nn::detail
