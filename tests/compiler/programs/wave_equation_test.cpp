// A string with three time levels in a rotating buffer; a microphone sums what it hears.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

constexpr int points = 9;
using Line = std::array<double, points>;

double wave_equation(double speed, double damping, double pluck, int steps) {
  std::array<Line, 3> levels{};
  for (int i = 1; i < points - 1; ++i) {
    levels[0][i] = levels[1][i] = pluck * std::sin(0.4 * i) * (i < 4 ? 1.0 : 0.5);
  }
  double heard = 0;
  int now = 1;
  for (int n = 0; n < steps; ++n) {
    const Line& before = levels[(now + 2) % 3];
    const Line& current = levels[now];
    Line& next = levels[(now + 1) % 3];
    for (int i = 1; i < points - 1; ++i) {
      const double curvature = current[i + 1] - 2 * current[i] + current[i - 1];
      next[i] = 2 * current[i] - before[i] + speed * speed * curvature -
                damping * (current[i] - before[i]);
    }
    heard = 0.9 * heard + next[6] * next[2];
    now = (now + 1) % 3;
  }
  return heard + levels[now][4];
}

DDX_CHECK_GRADIENT(wave_equation, at(0.5, 0.1, 1.0, 6), at(0.8, 0.02, 0.4, 9), at(0.3, 0.2, 0.7, 0))

}  // namespace
