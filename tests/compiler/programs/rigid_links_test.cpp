// Inverse kinematics of a chain by damped least squares: structs with arrays, references, early
// return.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

struct Chain {
  static constexpr int links = 3;
  std::array<double, links> angles{};
  std::array<double, links> lengths{};
  DDX_DIFFERENTIABLE(Chain, angles, lengths)

  [[nodiscard]] std::array<double, 2> tip(int from = 0) const {
    double x = 0;
    double y = 0;
    double heading = 0;
    for (int i = 0; i < links; ++i) {
      heading += angles[i];
      if (i < from) {
        continue;
      }
      x += lengths[i] * std::cos(heading);
      y += lengths[i] * std::sin(heading);
    }
    return {x, y};
  }
};

/// Number of steps taken; the chain is moved.
int solve(Chain& chain, double x, double y, double damping) {
  for (int n = 0; n < 6; ++n) {
    const auto [tip_x, tip_y] = chain.tip();
    const double ex = x - tip_x;
    const double ey = y - tip_y;
    if (ex * ex + ey * ey < 1e-6) {
      return n;
    }
    for (int i = 0; i < Chain::links; ++i) {
      const auto arm = chain.tip(i);
      double& angle = chain.angles[i];
      angle += damping * (-arm[1] * ex + arm[0] * ey);
    }
  }
  return 6;
}

double rigid_links(Chain chain, double x, double damping) {
  const int steps = solve(chain, x, 0.8, damping);
  const auto tip = chain.tip();
  return tip[0] * tip[1] + chain.angles[2] * steps + chain.lengths[0] * x;
}

DDX_CHECK_GRADIENT(rigid_links, at(Chain{{0.1, 0.4, 0.2}, {1, 0.7, 0.5}}, 1.2, 0.2),
                   at(Chain{{0.5, -0.3, 0.6}, {0.8, 0.9, 0.4}}, 0.9, 0.3),
                   at(Chain{{0.2, 0.2, 0.2}, {0.6, 0.6, 0.6}}, 0.7, 0.1))

}  // namespace
