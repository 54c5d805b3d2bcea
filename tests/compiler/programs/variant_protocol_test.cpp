// A protocol as a machine over std::variant: states carry reals, overloaded visitors move between
// them.

#include "gradient_check.h"

#include <cmath>
#include <optional>
#include <variant>
#include <vector>

namespace {

struct Resting {
  double level;
};
struct Rising {
  double level;
  double speed;
};
struct Fallen {
  std::vector<double> trace;
};
using State = std::variant<Resting, Rising, Fallen>;

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

State advance(State state, double input, double gain) {
  return std::visit(Overloaded{[&](const Resting& s) -> State {
                                 if (input * gain > 0.5) {
                                   return Rising{s.level, gain * input};
                                 }
                                 return Resting{0.9 * s.level};
                               },
                               [&](Rising& s) -> State {
                                 s.level += s.speed;
                                 s.speed *= 0.7;
                                 if (s.level > 1.5) {
                                   return Fallen{{s.level, s.speed}};
                                 }
                                 return s;
                               },
                               [&](Fallen& s) -> State {
                                 s.trace.push_back(input * s.trace.back());
                                 if (s.trace.size() == 4) {
                                   return Resting{s.trace[0] * s.trace[3] + s.trace[2]};
                                 }
                                 return std::move(s);
                               }},
                    state);
}

double variant_protocol(const std::vector<double>& inputs, double gain) {
  State state = Resting{0.4};
  std::optional<double> peak;
  double sum = 0;
  for (const double x : inputs) {
    state = advance(std::move(state), x, gain);
    if (const auto* rising = std::get_if<Rising>(&state)) {
      peak = peak.value_or(0.1) + rising->level * rising->level;
    } else if (std::holds_alternative<Resting>(state)) {
      sum += std::get<Resting>(state).level;
    }
  }
  return sum + peak.value_or(gain) * gain + static_cast<double>(state.index()) * 0.1 * sum;
}

DDX_CHECK_GRADIENT(variant_protocol, at(std::vector{0.2, 0.9, 0.8, 0.4, 1.2, 1.4, 0.6, 0.3}, 0.8),
                   at(std::vector{0.1, 0.3}, 0.9), at(std::vector{2.0, 0.7, 0.6, 0.2}, 0.6))

}  // namespace
