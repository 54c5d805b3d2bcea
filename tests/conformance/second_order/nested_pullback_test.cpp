// Pullbacks of functions of tensors inside differentiated code: gradients and tangents against
// central differences of the function, products with the Hessian against those of gradients.

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <gtest/gtest.h>

namespace ddx::testing {
namespace {

const Shape shape{2, 3};

struct Halves {
  Doubles a, b;
  DDX_DIFFERENTIABLE(Halves, a, b)
};

Doubles cube(const Doubles& x) {
  return x * x * x;
}

template <class F>
void expect_derivatives(const F& f, Device device, bool second_order = true) {
  const Doubles x = random_tensor(shape, 1, device);
  const Doubles v = random_tensor(shape, 2, device);
  constexpr double step = 1e-5;
  const Doubles ahead = testing::along(x, step, v);
  const Doubles behind = testing::along(x, -step, v);
  const double slope = (f(ahead) - f(behind)).item() / (2 * step);
  const double bound = 1e-8 * (1 + std::abs(slope));
  const Doubles g = gradient(f, x);
  EXPECT_EQ(g.device(), device);
  EXPECT_NEAR(sum(g * v).item(), slope, bound);
  EXPECT_NEAR(jvp(f, ddx::along(v), x).tangent.item(), slope, bound);
  if (second_order) {
    const Doubles product = (gradient(f, ahead) - gradient(f, behind)) / (2 * step);
    EXPECT_LT(max(abs(hvp(f, x, v) - product)).item(), 1e-7 * (1 + max(abs(product)).item()));
  }
  EXPECT_GT(std::abs(slope), 1e-3);  // There is something to compare.
}

class NestedPullback : public ::testing::TestWithParam<Device> {};

TEST_P(NestedPullback, OfAFunctionByName) {
  expect_derivatives([](const Doubles& x) { return sum(pullback(cube, x)(sin(x))); }, GetParam());
}

TEST_P(NestedPullback, WithTheValue) {
  const auto f = [](const Doubles& x) {
    const auto [y, back] = value_with_pullback([](const Doubles& u) { return exp(u) * u; }, x);
    return sum(back(y) * y);
  };
  expect_derivatives(f, GetParam());
  const auto by_members = [](const Doubles& x) {
    const auto made = value_with_pullback(cube, x);
    return sum(made.pullback(made.value) * made.value);
  };
  expect_derivatives(by_members, GetParam());
}

TEST_P(NestedPullback, OfWhatALambdaCaptures) {
  const auto by_reference = [](const Doubles& x) {
    const auto back = pullback([&](const Doubles& u) { return sin(u) * x; }, x * x);
    return sum(back(exp(x)));
  };
  expect_derivatives(by_reference, GetParam());
  const auto by_value = [](const Doubles& x) {
    const auto back = pullback([x](const Doubles& u) { return sin(u) * x * x; }, x);
    return sum(back(x));
  };
  expect_derivatives(by_value, GetParam());
}

// The pullback is that of the values at the time when it was made.
TEST_P(NestedPullback, OfWhatChangesAfterwards) {
  const auto captured = [](const Doubles& x) {
    Doubles scale = x;
    const auto back = pullback([&scale](const Doubles& u) { return u * u * scale; }, x);
    scale = scale * scale;
    return sum(back(scale));
  };
  expect_derivatives(captured, GetParam());
  const auto argument = [](const Doubles& x) {
    Doubles u = x;
    const auto back = pullback(cube, u);
    u = u * u;
    return sum(back(u));
  };
  expect_derivatives(argument, GetParam());
}

TEST_P(NestedPullback, OfSeveralArguments) {
  const auto product = [](const Doubles& a, const Doubles& b) { return a * a * exp(b); };
  const auto both = [&](const Doubles& x) {
    const auto [da, db] = pullback(product, x, sin(x))(x * x);
    return sum(da * db);
  };
  expect_derivatives(both, GetParam());
  const auto second = [&](const Doubles& x) {
    return sum(pullback(product, wrt<1>, x, sin(x))(x * x));
  };
  expect_derivatives(second, GetParam());
}

TEST_P(NestedPullback, OfStructs) {
  const auto argument = [](const Doubles& x) {
    const auto f = [](const Halves& h) { return h.a * h.a * h.b; };
    const auto back = pullback(f, Halves{x, sin(x)});
    const auto d = back(x);
    return sum(d.a * d.b);
  };
  expect_derivatives(argument, GetParam());
  const auto result = [](const Doubles& x) {
    const auto back = pullback([](const Doubles& u) { return Halves{u * u, exp(u) * u}; }, x);
    return sum(back({x, x * x}) * x);
  };
  expect_derivatives(result, GetParam());
}

TEST_P(NestedPullback, OfANumber) {
  const auto f = [](const Doubles& x) {
    const auto back = pullback([](const Doubles& u) { return sum(u * u * u); }, x);
    return sum(square(back(sum(sin(x)))));
  };
  expect_derivatives(f, GetParam());
}

TEST_P(NestedPullback, WhereOneSideIsConstant) {
  const Doubles fixed = random_tensor(shape, 7, GetParam());
  expect_derivatives([&](const Doubles& x) { return sum(pullback(cube, x)(fixed) * x); },
                     GetParam());
  expect_derivatives([&](const Doubles& x) { return sum(pullback(cube, fixed)(x * x) * x); },
                     GetParam());
  expect_derivatives([&](const Doubles& x) { return sum(pullback(cube, fixed)(fixed) * x * x); },
                     GetParam());
}

template <class Back>
Doubles called(const Back& back, const Doubles& seed) {
  return back(seed) * seed;
}

struct Kept {
  Pullback<Doubles, Doubles> back;
  Doubles scale;
};

Doubles called_of(const Kept& kept, const Doubles& seed) {
  const Doubles result = kept.back(seed);
  return result * kept.scale;
}

TEST_P(NestedPullback, IsPassedKeptAndAssigned) {
  expect_derivatives([](const Doubles& x) { return sum(called(pullback(cube, x), x)); },
                     GetParam());
  const auto kept = [](const Doubles& x) {
    const Kept made{pullback(cube, x), x};
    return sum(called_of(made, x));
  };
  expect_derivatives(kept, GetParam());
  const auto captured = [](const Doubles& x) {
    const auto back = pullback(cube, x);
    const auto by_reference = [&](const Doubles& seed) { return back(seed) * x; };
    const auto by_value = [back](const Doubles& seed) { return back(seed); };
    return sum(by_reference(x) + by_value(x * x));
  };
  expect_derivatives(captured, GetParam());
  const auto copied = [](const Doubles& x) {
    auto back = pullback(cube, x);
    const auto copy = back;
    back = pullback(cube, x * x);
    return sum(copy(x) * back(x));
  };
  expect_derivatives(copied, GetParam());
  const auto assigned = [](const Doubles& x) {
    auto back = pullback(cube, x);
    const Doubles first = back(x);
    back = pullback(cube, x * x);
    return sum(first * back(x));
  };
  expect_derivatives(assigned, GetParam());
}

TEST_P(NestedPullback, InLoops) {
  const auto called_again = [](const Doubles& x) {
    const auto back = pullback(cube, x);
    Doubles s = x;
    for (int i = 0; i < 3; ++i) {
      s = 0.1 * back(s) + sin(s);
    }
    return sum(s * s);
  };
  expect_derivatives(called_again, GetParam());
  const auto made_again = [](const Doubles& x) {
    Doubles s = x;
    for (int i = 0; i < 3; ++i) {
      const auto f = [](const Doubles& u) { return sin(u); };
      const auto [y, back] = value_with_pullback(f, s);
      s = back(x) + y;
    }
    return sum(s * s);
  };
  expect_derivatives(made_again, GetParam());
}

// Of fourth order in all.
TEST_P(NestedPullback, OfDerivatives) {
  const auto of_pullback = [](const Doubles& x) {
    const auto f = [](const Doubles& u) { return pullback(cube, u)(u * u); };
    return sum(pullback(f, x)(sin(x)));
  };
  expect_derivatives(of_pullback, GetParam());
  const auto of_gradient = [](const Doubles& x) {
    const auto f = [](const Doubles& u) {
      return gradient([](const Doubles& w) { return sum(square(w) * square(w)); }, u);
    };
    return sum(pullback(f, x)(x) * x);
  };
  expect_derivatives(of_gradient, GetParam());
  const auto in_gradient = [](const Doubles& x) {
    const auto f = [](const Doubles& u) { return sum(pullback(cube, u)(u)); };
    return sum(square(gradient(f, x)));
  };
  expect_derivatives(in_gradient, GetParam());
}

TEST_P(NestedPullback, OfAnEmptyTensor) {
  const auto f = [](const Doubles& x) { return sum(pullback(cube, x)(x)); };
  const Doubles none = zeros<double>({0, 3}, GetParam());
  EXPECT_EQ(gradient(f, none).shape(), none.shape());
  EXPECT_EQ(jvp(f, ddx::along(none), none).tangent.item(), 0);
}

// A cotangent of another shape is refused in differentiated code as elsewhere.
TEST_P(NestedPullback, OfAWrongCotangent) {
  const Doubles x = random_tensor(shape, 1, GetParam());
  const Doubles other = random_tensor({5}, 2, GetParam());
  const auto f = [&](const Doubles& u) { return sum(pullback(cube, u)(other)); };
  EXPECT_THROW((void)gradient(f, x).item(), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Devices, NestedPullback,
                         ::testing::ValuesIn(backend::available_devices()));

}  // namespace
}  // namespace ddx::testing
