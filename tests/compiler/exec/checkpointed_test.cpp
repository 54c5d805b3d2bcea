// Calls that keep their arguments alone and run again on the way back.

#include "ddx/ad/detail/arena.h"

#include "gradient_check.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace {

using Vector = std::vector<double>;

Vector steps(const Vector& state, int count) {
  Vector next = state;
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = std::sin(next[i]) + 0.1 * next[(i + 1) % next.size()] * next[i];
    }
  }
  return next;
}

double plain(const Vector& x, int segments, int length) {
  Vector state = x;
  for (int s = 0; s < segments; ++s) {
    state = steps(state, length);
  }
  return state[0] * state.back();
}

double segmented(const Vector& x, int segments, int length) {
  Vector state = x;
  for (int s = 0; s < segments; ++s) {
    state = ddx::checkpointed(steps, state, length);
  }
  return state[0] * state.back();
}

/// What the lambda captures counts; the object that it was handed changes afterwards.
double captured(double x, double w) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const auto f = [&, scale = x * w](double a) { return std::exp(a * w) * scale; };
    sum += ddx::checkpointed(f, x) * sum + x;
    x *= 0.5;
  }
  return sum + ddx::checkpointed([](double a) { return a * a; }, 2.0);
}

/// Nothing reads what the calls return.
double unused(const Vector& x) {
  double sum = x[0];
  if (sum < 0.4) {
    [[maybe_unused]] const Vector next = ddx::checkpointed(steps, x, 2);
    static_cast<void>(ddx::checkpointed(plain, x, 2, 2));
    sum *= x[1];
  }
  return sum;
}

DDX_CHECK_GRADIENT(unused, at(Vector{0.3, -0.7}), at(Vector{0.5, 0.1}), at(Vector{-1.0, 0.2}))

/// As a function that is made once.
double by_function(double x, double w) {
  const auto f = ddx::checkpointed([&](double a, int count) {
    for (int k = 0; k < count; ++k) {
      a = std::sin(a * w) + x;
    }
    return a;
  });
  double sum = f(x, 3) * w;
  x *= w;
  return sum + f(sum, 2) * x;
}

/// Pointers made of lambdas.
double by_pointer(double x, double w) {
  double (*f)(double) = +[](double a) { return std::sin(a) * a; };
  double (*g)(double) = +[](double a) { return std::exp(0.3 * a); };
  const double first = ddx::checkpointed(f, x * w);
  return first * ddx::checkpointed(g, first) + g(x) * w;
}

DDX_CHECK_GRADIENT(by_pointer, at(0.3, 0.8), at(-0.7, 1.2), at(1.1, 0.4))
DDX_CHECK_GRADIENT(by_function, at(0.3, 0.8), at(-0.7, 1.2), at(1.1, 0.0))
DDX_CHECK_GRADIENT(segmented, at(Vector{0.3, -0.7, 1.1}, 3, 2), at(Vector{0.5, 0.1}, 1, 4),
                   at(Vector{-1.0, 0.2}, 0, 2))
DDX_CHECK_GRADIENT(captured, at(0.3, 0.8), at(-0.7, 1.2), at(1.1, 0.0))

#ifndef DDX_THROUGH_MEMORY  // There, segments are not computed again.
TEST(Checkpointed, NeedsTheMemoryOfOneSegment) {
  const Vector x(100, 0.4);
  const auto held_by = [&](const auto& f) {
    std::size_t held = 0;
    std::thread([&] {  // It has an arena of its own.
      (void)ddx::gradient(f, ddx::wrt<0>, x, 50, 20);
      held = ddx::detail::thread_arena().held_bytes();
    })
        .join();
    return held;
  };
  // 50 x 20 steps on 100 numbers of 8 bytes, at least once each, against 50 states.
  EXPECT_GE(held_by(DDX_CALL_OF(plain)), std::size_t{50} * 20 * 100 * 8);
  EXPECT_LE(held_by(DDX_CALL_OF(segmented)), std::size_t{400} * 1000);
}
#endif

}  // namespace
