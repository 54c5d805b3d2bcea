// Control flow on tensors: values and derivatives on all devices, against the same loops written by
// hand.

#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/vmap.h"
#include "ddx/tensor/while_loop.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {
namespace {

using testing::thrown;
using Reals = Tensor<double>;

constexpr double tolerance = 1e-11;

/// from, from + step, ... in this shape.
Reals ramp(const Shape& shape, double from, double step) {
  std::vector<double> elements(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = from + step * static_cast<double>(i);
  }
  return {shape, elements};
}

void expect_near(const Reals& found, const Reals& expected, const std::string& what) {
  ASSERT_EQ(found.shape(), expected.shape()) << what;
  const std::vector<double> a = found.values();
  const std::vector<double> b = expected.values();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], tolerance) << what << " at " << i;
  }
}

/// A function of three tensors has the value, gradients and tangents of another, on every device.
template <auto function, auto loop>
void expect_same(const Reals& x, const Reals& y, const Reals& z) {
  const auto f = [](const Reals& a, const Reals& b, const Reals& c) { return function(a, b, c); };
  const auto by_hand = [](const Reals& a, const Reals& b, const Reals& c) { return loop(a, b, c); };
  const auto [dx, dy, dz] = gradient(by_hand, x, y, z);
  const Reals vx = ramp(x.shape(), 0.3, -0.05);
  const Reals vy = ramp(y.shape(), -0.2, 0.07);
  const Reals vz = ramp(z.shape(), 0.1, 0.03);
  const auto moved = jvp(by_hand, along(vx, vy, vz), x, y, z);
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const std::string on = to_string(device);
    const Reals a = x.to(device);
    const Reals b = y.to(device);
    const Reals c = z.to(device);
    expect_near(f(a, b, c), by_hand(x, y, z), "value on " + on);
    const auto [da, db, dc] = gradient(f, a, b, c);
    expect_near(da, dx, "first gradient on " + on);
    expect_near(db, dy, "second gradient on " + on);
    expect_near(dc, dz, "third gradient on " + on);
    const auto found = jvp(f, along(vx.to(device), vy.to(device), vz.to(device)), a, b, c);
    expect_near(found.value, moved.value, "value beside its tangent on " + on);
    expect_near(found.tangent, moved.tangent, "tangent on " + on);
    // What moves alone.
    expect_near(gradient(f, wrt<1>, a, b, c), dy, "gradient of one on " + on);
    expect_near(jvp(f, wrt<0>, along(vx.to(device)), a, b, c).tangent,
                jvp(by_hand, wrt<0>, along(vx), x, y, z).tangent, "tangent of the first on " + on);
    expect_near(jvp(f, wrt<2>, along(vz.to(device)), a, b, c).tangent,
                jvp(by_hand, wrt<2>, along(vz), x, y, z).tangent, "tangent of the third on " + on);
  }
}

// Weights, the start, the inputs.

Reals recurrent(const Reals& w, const Reals& start, const Reals& xs) {
  const auto [last, states] = scan(
      [&](const Reals& state, const Reals& x) {
        const Reals next = tanh(matmul(state, w) + x);
        return std::pair<Reals, Reals>(next, next * x);
      },
      start, xs);
  return sum(last * last) + sum(states * exp(states));
}

Reals recurrent_by_hand(const Reals& w, const Reals& start, const Reals& xs) {
  Reals state = start;
  Reals total(0.0);
  for (const Reals& x : unstack(xs)) {
    state = tanh(matmul(state, w) + x);
    const Reals output = state * x;
    total = total + sum(output * exp(output));
  }
  return total + sum(state * state);
}

TEST(Scan, DerivativesAreThoseOfTheLoop) {
  expect_same<recurrent, recurrent_by_hand>(ramp({3, 3}, -0.3, 0.1), ramp({2, 3}, 0.1, 0.2),
                                            ramp({4, 2, 3}, -0.5, 0.07));
  expect_same<recurrent, recurrent_by_hand>(ramp({3, 3}, -0.3, 0.1), ramp({2, 3}, 0.1, 0.2),
                                            ramp({1, 2, 3}, -0.5, 0.07));
}

TEST(Scan, NoTurnAtAll) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Reals w = ramp({3, 3}, -0.3, 0.1).to(device);
    const Reals start = ramp({2, 3}, 0.1, 0.2).to(device);
    const auto none = zeros<double>({0, 2, 3}, device);
    const auto [dw, ds, dx] = gradient(recurrent, w, start, none);
    expect_near(recurrent(w, start, none), sum(start * start), "value");
    expect_near(dw, zeros<double>({3, 3}), "captured");
    expect_near(ds, 2.0 * start, "start");
    EXPECT_EQ(dx.shape(), (Shape{0, 2, 3}));
  }
}

/// From the last slice; several tensors in a struct, a list in a tuple, indices among the slices,
/// and a carry that has tensors of integers.
struct Cell {
  Reals a;
  Reals b;
  DDX_DIFFERENTIABLE(Cell, a, b)
};

Reals structured(const Reals& w, const Reals& start, const Reals& xs) {
  using Carry = std::pair<Cell, Tensor<std::int32_t>>;
  using Slice = std::tuple<std::vector<Reals>, Tensor<std::int32_t>>;
  const Tensor<std::int32_t> rows =
      Tensor<std::int32_t>({4}, {1, 0, 1, 1}, Device::naive()).to(xs.device());
  const Tensor<std::int32_t> zero = Tensor<std::int32_t>(0, xs.device());
  const std::vector<Reals> lists{xs, xs * xs};
  const auto [last, outputs] = scan(
      [&](const Carry& carry, const Slice& slice) {
        const Reals row = gather(w, std::get<1>(slice));
        Carry next = carry;
        next.first.a = sin(carry.first.b) * row + std::get<0>(slice)[0];
        next.first.b = carry.first.a * std::get<0>(slice)[1] + mean(w) * carry.first.b;
        next.second = carry.second + std::get<1>(slice);
        return std::pair<Carry, std::pair<Reals, Tensor<std::int32_t>>>(
            next, {sum(next.first.a * cast<double>(next.second)), next.second});
      },
      Carry(Cell{start, start * 2.0}, zero), Slice(lists, rows), {.reverse = true});
  return sum(last.first.a * last.first.b) + sum(square(outputs.first)) +
         sum(cast<double>(outputs.second));
}

Reals structured_by_hand(const Reals& w, const Reals& start, const Reals& xs) {
  const std::vector<Reals> slices = unstack(xs);
  const int rows[] = {1, 0, 1, 1};
  Reals a = start;
  Reals b = start * 2.0;
  Reals total(0.0);
  int count = 0;
  for (int k = 3; k >= 0; --k) {
    const Reals x = slices[static_cast<std::size_t>(k)];
    const Reals row = gather(w, Tensor<std::int32_t>(rows[k]));
    const Reals before = a;
    a = sin(b) * row + x;
    b = before * x * x + mean(w) * b;
    count += rows[k];
    const Reals output = sum(a * static_cast<double>(count));
    total = total + output * output + static_cast<double>(count);
  }
  return total + sum(a * b);
}

TEST(Scan, CarriesStructsAndGoesBackwards) {
  expect_same<structured, structured_by_hand>(ramp({2, 3}, -0.3, 0.1), ramp({3}, 0.1, 0.2),
                                              ramp({4, 3}, -0.5, 0.07));
}

/// A carry alone, turns without slices, and a scan in a scan that sees what both capture.
Reals nested(const Reals& w, const Reals& start, const Reals& xs) {
  return sum(scan(
      [&](const Reals& outer, const std::tuple<>&) {
        const Reals inner = scan(
            [&](const Reals& state, const Reals& x) { return sin(matmul(state, w)) + x * outer; },
            outer, xs);
        return inner * 0.5 + outer;
      },
      start, std::tuple<>(), {.turns = 3}));
}

Reals nested_by_hand(const Reals& w, const Reals& start, const Reals& xs) {
  Reals outer = start;
  for (int k = 0; k < 3; ++k) {
    Reals state = outer;
    for (const Reals& x : unstack(xs)) {
      state = sin(matmul(state, w)) + x * outer;
    }
    outer = state * 0.5 + outer;
  }
  return sum(outer);
}

TEST(Scan, InAScan) {
  expect_same<nested, nested_by_hand>(ramp({3, 3}, -0.3, 0.1), ramp({2, 3}, 0.1, 0.2),
                                      ramp({4, 2, 3}, -0.5, 0.07));
}

// Two factors and where the loop begins: its condition looks at the state and at one of them.

template <int most>
Reals growing(const Reals& factor, const Reals& start, const Reals& limit) {
  using State = std::pair<Reals, Reals>;
  const State last =
      while_loop([&](const State& state) { return less(sum(abs(state.first)), sum(limit)); },
                 [&](const State& state) {
                   return State(state.first * factor + sin(state.second), state.second * limit);
                 },
                 State(start, start * 0.5), {.most_turns = most});
  return sum(last.first * last.second) + mean(last.second);
}

template <int most>
Reals growing_by_hand(const Reals& factor, const Reals& start, const Reals& limit) {
  Reals a = start;
  Reals b = start * 0.5;
  for (int turn = 0; turn < most && sum(abs(a)).item() < sum(limit).item(); ++turn) {
    a = a * factor + sin(b);
    b = b * limit;
  }
  return sum(a * b) + mean(b);
}

Reals unbounded(const Reals& factor, const Reals& start, const Reals& limit) {
  const Reals last = while_loop([&](const Reals& x) { return less(sum(abs(x)), sum(limit)); },
                                [&](const Reals& x) { return x * factor + 0.1; }, start);
  return sum(last * last);
}

Reals unbounded_by_hand(const Reals& factor, const Reals& start, const Reals& limit) {
  Reals x = start;
  while (sum(abs(x)).item() < sum(limit).item()) {
    x = x * factor + 0.1;
  }
  return sum(x * x);
}

TEST(WhileLoop, DerivativesAreThoseOfTheLoop) {
  const Reals factor = ramp({3}, 1.2, 0.1);
  const Reals start = ramp({3}, 0.3, 0.2);
  const Reals limit = ramp({3}, 1.1, 0.9);
  expect_same<growing<20>, growing_by_hand<20>>(factor, start, limit);
  expect_same<growing<2>, growing_by_hand<2>>(factor, start, limit);   // Ends before the condition.
  expect_same<growing<5>, growing_by_hand<5>>(factor, start, -limit);  // Never turns.
  expect_same<growing<0>, growing_by_hand<0>>(factor, start, limit);
  expect_same<unbounded, unbounded_by_hand>(factor, start, limit);
  expect_same<unbounded, unbounded_by_hand>(factor, start, -limit);
}

Reals chosen(const Reals& x, const Reals& y, const Reals& z) {
  const Reals one = cond(
      less(sum(x), sum(y)), [&](const Reals& a) { return a * x * x; },
      [&](const Reals& a) { return exp(a) * y; }, z);
  const auto [left, right] = cond(
      greater(sum(x), sum(y)), [&] { return std::pair<Reals, Reals>(x, y); },
      [&] { return std::pair<Reals, Reals>(y * z, x); });
  return sum(one * left) + sum(sin(right));
}

Reals chosen_by_hand(const Reals& x, const Reals& y, const Reals& z) {
  const bool less = sum(x).item() < sum(y).item();
  const Reals one = less ? z * x * x : exp(z) * y;
  return less ? sum(one * (y * z)) + sum(sin(x)) : sum(one * x) + sum(sin(y));
}

TEST(Cond, DerivativesAreThoseOfTheBranch) {
  const Reals x = ramp({3}, 1.2, 0.1);
  const Reals y = ramp({3}, 0.3, 0.2);
  const Reals z = ramp({3}, 1.1, 0.9);
  expect_same<chosen, chosen_by_hand>(x, y, z);
  expect_same<chosen, chosen_by_hand>(y, x, z);
}

/// The condition of a matrix has the same name.
TEST(Cond, OfAMatrixIsDifferentiatedAsBefore) {
  const Reals diagonal({2, 2}, {4, 0, 0, 2});  // 4 / 2, its slopes 1 / 2 and -4 / 4.
  const auto slope = gradient([](const Reals& m) { return cond(m); }, diagonal);
  expect_near(slope, Reals({2, 2}, {0.5, 0, 0, -1}), "gradient");
}

/// The gradient and the tangent of functions that are recorded as a whole, and for many examples.
TEST(ControlFlow, IsStaged) {
  const Reals w = ramp({3, 3}, -0.3, 0.1);
  const Reals start = ramp({2, 3}, 0.1, 0.2);
  const Reals xs = ramp({4, 2, 3}, -0.5, 0.07);
  const auto slopes = [](const Reals& a, const Reals& b, const Reals& c) {
    return gradient(recurrent, a, b, c);
  };
  const auto found = compile(slopes)(w, start, xs);
  const auto expected = slopes(w, start, xs);
  expect_near(std::get<0>(found), std::get<0>(expected), "captured");
  expect_near(std::get<1>(found), std::get<1>(expected), "start");
  expect_near(std::get<2>(found), std::get<2>(expected), "slices");

  const Reals factor = ramp({3}, 1.2, 0.1);
  const Reals begin = ramp({3}, 0.3, 0.2);
  const Reals limit = ramp({3}, 1.1, 0.9);
  const auto grown = [](const Reals& a, const Reals& b, const Reals& c) {
    return gradient(
        [](const Reals& u, const Reals& v, const Reals& l) { return growing<6>(u, v, l); }, a, b,
        c);
  };
  const auto of_loop = compile(grown)(factor, begin, limit);
  const auto by_loop = grown(factor, begin, limit);
  expect_near(std::get<0>(of_loop), std::get<0>(by_loop), "factor");
  expect_near(std::get<1>(of_loop), std::get<1>(by_loop), "start");
  expect_near(std::get<2>(of_loop), std::get<2>(by_loop), "limit");

  // Examples whose loops end after different numbers of turns.
  const Reals starts = ramp({4, 3}, 0.1, 0.2);
  const auto all = vmap(grown, {std::nullopt, 0, std::nullopt})(factor, starts, limit);
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto pick = [i](const Reals& x) { return unstack(x)[static_cast<std::size_t>(i)]; };
    const auto one = grown(factor, pick(starts), limit);
    expect_near(pick(std::get<0>(all)), std::get<0>(one), "factor of " + std::to_string(i));
    expect_near(pick(std::get<1>(all)), std::get<1>(one), "start of " + std::to_string(i));
  }

  EXPECT_EQ(thrown<UsageError>([&] {
              (void)compile([](const Reals& a, const Reals& b, const Reals& c) {
                return gradient(unbounded, a, b, c);
              })(factor, begin, limit);
            }),
            "while_loop: the gradient of a loop in a function that is recorded needs .most_turns, "
            "for so many states are kept");
}

/// Many turns take one operation of a trace, and one plan.
TEST(Scan, IsOneOperation) {
  const Reals w = ramp({3, 3}, -0.3, 0.1).to(Device::lazy());
  const Reals start = ramp({2, 3}, 0.1, 0.2).to(Device::lazy());
  const auto xs = ramp({1000, 2, 3}, -0.5, 0.0007).to(Device::lazy());
  const auto counted = graph([](const Reals& a, const Reals& b, const Reals& c) {
    return gradient(recurrent, a, b, c);
  })(w, start, xs);
  EXPECT_LT(counted.node_count(), 40U);
}

// Weights of the default device in functions that are recorded for lazy arguments.
TEST(ControlFlowCaptures, GradientsLieWhereWhatIsCapturedDoes) {
  const Reals x({3}, {1, 2, 3}, Device::lazy());
  const Reals weight(Shape{}, {2.0});
  // w (w (w 0 + 1) + 2) + 3 = w^2 + 2 w + 3.
  const auto by_scan = [&](const Reals& w) {
    return scan([&](const Reals& sum, const Reals& one) { return sum * w + one; },
                Reals(0.0, Device::lazy()), x);
  };
  const auto scanned = value_with_gradient(by_scan, weight);
  EXPECT_EQ(scanned.value.item(), 4 + 4 + 3);
  EXPECT_EQ(scanned.gradient.item(), 2 * 2 + 2);
  EXPECT_EQ(scanned.gradient.device(), weight.device());
  // w (x0 + x1 + x2) where the sum is above 5.
  const auto by_cond = [&](const Reals& w) {
    return cond(greater(sum(x), 5.0), [&] { return sum(x) * w; }, [&] { return sum(x) - w; });
  };
  const auto chosen = value_with_gradient(by_cond, weight);
  EXPECT_EQ(chosen.value.item(), 12);
  EXPECT_EQ(chosen.gradient.item(), 6);
  EXPECT_EQ(chosen.gradient.device(), weight.device());
  // 6 w^3 = 48 is the first of 6, 12, 24, 48 that is not below 30.
  const auto by_while = [&](const Reals& w) {
    return while_loop([](const Reals& y) { return less(y, 30.0); },
                      [&](const Reals& y) { return y * w; }, sum(x), {.most_turns = 5});
  };
  const auto looped = value_with_gradient(by_while, weight);
  EXPECT_EQ(looped.value.item(), 48);
  EXPECT_EQ(looped.gradient.item(), 6 * 3 * 4);
  EXPECT_EQ(looped.gradient.device(), weight.device());
  // Beside a use on the device of the weight.
  const auto both =
      gradient([&](const Reals& w) { return by_scan(w).to(w.device()) + w * w; }, weight);
  EXPECT_EQ(both.item(), 6 + 4);
}

}  // namespace
}  // namespace ddx
