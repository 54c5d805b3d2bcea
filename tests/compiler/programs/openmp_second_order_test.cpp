// OpenMP: second derivatives of parallel loops, in both orders of modes, against differences of
// gradients.

#include "ddx/ad.h"
#include "ddx/core/error.h"

#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace openmp_second_order_test {

using Numbers = std::vector<double>;

double of_sums(const Numbers& x) {
  const int n = static_cast<int>(x.size());
  double squares = 0;
  double cubes = 0;
  double largest = x[0];
#pragma omp parallel for reduction(+ : squares, cubes) reduction(max : largest) num_threads(2)
  for (int i = 0; i < n; ++i) {
    squares += x[i] * x[i] * std::sin(x[i]);
    cubes += x[i] * x[i] * x[i];
    largest = largest > x[i] ? largest : x[i];
  }
  return squares * cubes * largest;
}

double of_neighbours(const Numbers& x) {
  const int n = static_cast<int>(x.size());
  const double scale = x[0] * x[0];
  Numbers y(x.size());
#pragma omp parallel for firstprivate(scale) schedule(dynamic, 2) num_threads(2)
  for (int i = 0; i < n; ++i) {
    y[i] = scale * x[i] * x[(i + 1) % n];
  }
  double sum = 0;
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    sum += y[i] * y[i];
  }
  return sum;
}

double of_sections(const Numbers& x) {
  Numbers y = x;
  const int n = static_cast<int>(x.size());
  for (int step = 0; step < 3; ++step) {
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; ++i) {
      y[i] = y[i] * x[i] + 0.1 * y[i] * y[i];
    }
  }
  double sum = 0;
#pragma omp parallel sections reduction(+ : sum) num_threads(2)
  {
#pragma omp section
    sum += y[0] * y[1];
#pragma omp section
    sum += y[2] * y[0];
  }
  return sum;
}

/// What each thread adds: the sum depends on the size of the team.
double of_each_thread(const Numbers& x) {
  double sum = 0;
#pragma omp parallel reduction(+ : sum) num_threads(2)
  sum += x[0] * x[0] * x[0];
  return sum;
}

template <class F>
void check(const F& f) {
  constexpr double step = 1e-5;
  const Numbers at{0.3, 0.7, -0.2, 1.1, 0.5};
  const Numbers along{0.5, -0.4, -1, -0.6, 0.3};
  Numbers ahead = at;
  Numbers behind = at;
  for (std::size_t i = 0; i < at.size(); ++i) {
    ahead[i] += step * along[i];
    behind[i] -= step * along[i];
  }
  const Numbers product = ddx::hvp(f, at, along);
  const Numbers reversed = ddx::gradient(
      [&](const Numbers& x) { return ddx::jvp(f, ddx::along(along), x).tangent; }, at);
  const Numbers up = ddx::gradient(f, ahead);
  const Numbers down = ddx::gradient(f, behind);
  for (std::size_t i = 0; i < at.size(); ++i) {
    EXPECT_NEAR(product[i], (up[i] - down[i]) / (2 * step), 1e-7) << i;
    EXPECT_NEAR(reversed[i], product[i], 1e-13) << i;
  }
}

TEST(openmp_second_order, reductions) {
  check([](const Numbers& x) { return of_sums(x); });
}

TEST(openmp_second_order, loops_given_out_and_atomic_sums) {
  check([](const Numbers& x) { return of_neighbours(x); });
}

TEST(openmp_second_order, loops_in_a_loop_and_sections) {
  check([](const Numbers& x) { return of_sections(x); });
}

TEST(openmp_second_order, refuses_what_depends_on_the_team) {
  EXPECT_EQ(ddx::gradient(of_each_thread, Numbers{2})[0], 24);
  try {
    (void)ddx::hvp(of_each_thread, Numbers{2}, Numbers{1});
    FAIL() << "a second derivative of a sum over threads";
  } catch (const ddx::UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("(openmp_second_order_test.cpp:"), text.npos) << text;
  }
}

}  // namespace openmp_second_order_test
