// Derivatives taken in several threads at once: arenas, records, registered derivatives, function
// values and statics. Also built under ThreadSanitizer.

#include "ddx/ad.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using Vector = std::vector<double>;

constexpr int threads = 4;
constexpr int rounds = 50;

/// Runs `work(number)` in each thread.
template <class Work>
void in_threads(const Work& work) {
  std::vector<std::thread> running;
  for (int number = 0; number < threads; ++number) {
    running.emplace_back([&work, number] { work(number); });
  }
  for (std::thread& thread : running) {
    thread.join();
  }
}

/// A point of its own for each thread and round, of a size of its own.
Vector point_of(int number, int round) {
  Vector x(static_cast<std::size_t>(3 + number + round % 5));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::sin(0.3 * static_cast<double>(number + 1) + static_cast<double>(round) +
                    0.7 * static_cast<double>(i));
  }
  return x;
}

double softened(double x) {
  return std::log1p(std::exp(x));
}
DDX_DERIVATIVE_OF(softened) auto softened_vjp(double x) {
  return ddx::vjp(softened(x), [x](double d) { return d / (1 + std::exp(-x)); });
}

double weight_of(std::size_t i) {
  static const Vector table{0.5, -1.5, 2.0};  // Initialised by the first caller.
  return table[i % table.size()];
}

/// Loops, a vector that grows, a registered derivative, a static, a checkpointed call.
double energy(const Vector& x) {
  Vector history;
  double state = x[0];
  for (std::size_t i = 0; i < x.size(); ++i) {
    state =
        ddx::checkpointed([](double s, double a) { return std::sin(s * a) + a * a; }, state, x[i]);
    history.push_back(softened(state) * weight_of(i));
  }
  double sum = 0;
  for (std::size_t i = 0; i < history.size(); ++i) {
    sum += history[i] * history[history.size() - 1 - i] * static_cast<double>(i + 1);
  }
  return sum;
}

/// The same by differences.
double slope_of_energy(Vector x, std::size_t i) {
  const double step = 1e-6;
  x[i] += step;
  const double ahead = energy(x);
  x[i] -= 2 * step;
  return (ahead - energy(x)) / (2 * step);
}

TEST(Threads, TakeGradientsAtOnce) {
  in_threads([](int number) {
    for (int round = 0; round < rounds; ++round) {
      const Vector x = point_of(number, round);
      const auto [value, slope] = ddx::value_with_gradient(energy, x);
      EXPECT_EQ(value, energy(x));
      ASSERT_EQ(slope.size(), x.size());
      const auto i = static_cast<std::size_t>(round) % x.size();
      EXPECT_NEAR(slope[i], slope_of_energy(x, i), 1e-6 * (1 + std::fabs(slope[i])));
    }
  });
}

TEST(Threads, TakePullbacksMadeElsewhere) {
  // Each is made in one thread, run in another, and ends in a third.
  const auto f = [](const Vector& x) { return std::array{energy(x), x[0] * x[1]}; };
  using Back = decltype(ddx::pullback(f, Vector{}));
  std::vector<std::vector<Back>> backs(threads);
  std::vector<std::vector<Vector>> slopes(threads);
  in_threads([&](int number) {
    for (int round = 0; round < rounds; ++round) {
      backs[static_cast<std::size_t>(number)].push_back(ddx::pullback(f, point_of(number, round)));
    }
  });
  in_threads([&](int number) {
    const auto of = static_cast<std::size_t>((number + 1) % threads);
    for (const Back& back : backs[of]) {
      slopes[of].push_back(back(std::array{2.0, -1.0}));
    }
  });
  in_threads([&](int number) {
    const int of = (number + 2) % threads;
    std::vector<Back> ended = std::move(backs[static_cast<std::size_t>(of)]);
    for (int round = 0; round < rounds; ++round) {
      const Vector x = point_of(of, round);
      const Vector& slope = slopes[static_cast<std::size_t>(of)][static_cast<std::size_t>(round)];
      Vector expected = ddx::gradient(energy, x);
      for (double& part : expected) {
        part *= 2;
      }
      expected[0] -= x[1];
      expected[1] -= x[0];
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_NEAR(slope[i], expected[i], 1e-12 * (1 + std::fabs(expected[i])));
      }
    }
  });
}

TEST(Threads, ShareFunctionValues) {
  const ddx::differentiable<double(double)> shared = [](double x) { return x * softened(x); };
  const auto f = [&shared](double x) { return shared(x) * shared(2 * x); };
  in_threads([&](int number) {
    for (int round = 0; round < rounds; ++round) {
      const double x = 0.1 * number + 0.01 * round;
      const double step = 1e-6;
      EXPECT_NEAR(ddx::gradient(f, x), (f(x + step) - f(x - step)) / (2 * step), 1e-7);
    }
  });
}

TEST(Threads, TakeHigherOrdersAndJacobiansAtOnce) {
  const auto smooth = [](const Vector& x) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      sum += std::sin(x[i] * x[i + 1]);
    }
    return sum;
  };
  in_threads([&](int number) {
    for (int round = 0; round < rounds; ++round) {
      const Vector x = point_of(number, round);
      Vector unit(x.size());
      unit[1] = 1;
      // The second row of the Hessian, and that of the Jacobian of the gradient.
      const Vector row = ddx::hvp(smooth, x, unit);
      const double c = std::cos(x[0] * x[1]), s = std::sin(x[0] * x[1]);
      EXPECT_NEAR(row[0], c - x[0] * x[1] * s, 1e-12);
      const auto j = ddx::jacobian(
          [](const Vector& at) { return std::array{at[0] * at[1], std::sin(at[2])}; }, x);
      EXPECT_EQ(j(0, 0), x[1]);
      EXPECT_EQ(j(1, 2), std::cos(x[2]));
    }
  });
}

}  // namespace
