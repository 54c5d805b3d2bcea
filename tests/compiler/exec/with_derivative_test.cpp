// Cotangents that are changed on their way back.

#include "ddx/ad.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <vector>

namespace {

using Vector = std::vector<double>;

TEST(WithDerivative, ScalesWhatFlowsBack) {
  const auto f = [](double x, double y) {
    const double scale = 3;
    const double held = ddx::with_derivative(x * y, [scale](double d) { return d * scale + 1; });
    return held * held + x;
  };
  const auto [value, slope] = ddx::value_with_gradient(f, 2.0, 5.0);
  EXPECT_EQ(value, 102);
  // The cotangent of held is 20; 61 goes on.
  EXPECT_EQ(std::get<0>(slope), 61 * 5 + 1);
  EXPECT_EQ(std::get<1>(slope), 61 * 2);
}

TEST(WithDerivative, ChangesInPlaceAtEachIteration) {
  const auto f = [](const Vector& x, double limit) {
    Vector state = x;
    for (std::size_t k = 1; k < 4; ++k) {
      for (double& s : state) {
        s *= static_cast<double>(k);
      }
      state = ddx::with_derivative(state, [limit](Vector& d) {
        for (double& part : d) {
          part = std::clamp(part, -limit, limit);
        }
      });
      limit += 1;
    }
    return 5 * state[0] - state[1];
  };
  const auto [dx, dlimit] = ddx::gradient(f, Vector{0.3, -0.7}, 2.0);
  // Back through k = 3 with limit 4, k = 2 with limit 3, k = 1 with limit 2.
  EXPECT_EQ(dx, (Vector{2, -2}));
  EXPECT_EQ(dlimit, 0);  // Of the change, not of the function.
}

struct Line {
  double slope = 0;
  double offset = 0;
  DDX_DIFFERENTIABLE(Line, slope, offset)
};

/// Part by part, by a function object; a value that does not matter keeps the cotangent away.
struct Frozen {
  bool offset_too = false;
  ddx::TangentOf<Line> operator()(const ddx::TangentOf<Line>& d) const {
    ddx::TangentOf<Line> changed = d;
    changed.slope = 0;
    if (offset_too) {
      changed.offset = 0;
    }
    return changed;
  }
};

TEST(WithDerivative, FreezesMembers) {
  const auto f = [](const Line& line, double x, bool both) {
    const Line held = ddx::with_derivative(line, Frozen{both});
    return held.slope * x + held.offset * x * x;
  };
  for (const bool both : {false, true}) {
    const auto [dline, dx] = ddx::gradient(f, ddx::wrt<0, 1>, Line{2.0, 3.0}, 5.0, both);
    EXPECT_EQ(dline.slope, 0);
    EXPECT_EQ(dline.offset, both ? 0 : 25);
    EXPECT_EQ(dx, 2 + 2 * 3 * 5);
  }
}

TEST(WithDerivative, IsTheValueOutsideOfDifferentiatedCode) {
  EXPECT_EQ(ddx::with_derivative(2.5, [](double) { return 0.0; }), 2.5);
}

/// Only what flows back is shown, once for each time that it does.
TEST(WithDerivative, HasEffectsOnTheWayBack) {
  static std::vector<double> seen;
  seen.clear();
  const auto f = [](double x) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      x = ddx::with_derivative(x, [](double d) {
        seen.push_back(d);
        return d;
      });
      sum += x * k;
      x *= 2;
    }
    return sum;
  };
  EXPECT_EQ(ddx::gradient(f, 1.0), 10);
  EXPECT_EQ(seen, (std::vector<double>{2, 5, 10}));
}

}  // namespace
