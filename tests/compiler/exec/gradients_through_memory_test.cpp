// Gradients of functions that take gradients, where one of the two functions, or both, go through
// memory.

#include "ddx/ad.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <list>
#include <thread>
#include <utility>
#include <vector>

namespace gradients_through_memory_test {

using Numbers = std::vector<double>;

/// x^3 y^2, by nodes.
double of_nodes(double x, double y) {
  const std::list<double> factors{x, x, x, y, y};
  double product = 1;
  for (const double factor : factors) {
    product *= factor;
  }
  return product;
}

/// The same, from named values.
double of_values(double x, double y) {
  return x * x * x * y * y;
}

/// 9 x^4 y^4: the square of the slope by x.
double nodes_in_nodes(double x, double y) {
  const std::list<double> kept{x};
  const double slope = ddx::gradient([&](double z) { return of_nodes(z, y); }, kept.front());
  return slope * slope;
}

double values_in_nodes(double x, double y) {
  const std::list<double> kept{x};
  const double slope = ddx::gradient([&](double z) { return of_values(z, y); }, kept.front());
  return slope * slope;
}

double nodes_in_values(double x, double y) {
  const double slope = ddx::gradient([=](double z) { return of_nodes(z, y); }, x);
  return slope * slope;
}

/// All first derivatives of 9 x^4 y^4, and products with its second ones.
template <class F>
void expect_derivatives(const F& f) {
  const double x = 0.7;
  const double y = 1.3;
  const double by_x = 36 * x * x * x * y * y * y * y;
  const double by_y = 36 * x * x * x * x * y * y * y;
  EXPECT_NEAR(f(x, y), 9 * x * x * x * x * y * y * y * y, 1e-13);
  const auto [gradient_x, gradient_y] = ddx::gradient(f, x, y);
  EXPECT_NEAR(gradient_x, by_x, 1e-12);
  EXPECT_NEAR(gradient_y, by_y, 1e-12);
  const auto back = ddx::pullback(f, x, y);
  for (const double seed : {2.0, -3.0}) {
    const auto [back_x, back_y] = back(seed);
    EXPECT_NEAR(back_x, seed * by_x, 1e-12);
    EXPECT_NEAR(back_y, seed * by_y, 1e-12);
  }
  EXPECT_NEAR(ddx::derivative([&f, y](double z) { return f(z, y); }, x), by_x, 1e-12);
  const auto of_both = [&f](const Numbers& v) { return f(v[0], v[1]); };
  const double by_xx = 108 * x * x * y * y * y * y;
  const double by_xy = 144 * x * x * x * y * y * y;
  const double by_yy = 108 * x * x * x * x * y * y;
  const Numbers product = ddx::hvp(of_both, Numbers{x, y}, Numbers{0.3, -0.4});
  EXPECT_NEAR(product[0], 0.3 * by_xx - 0.4 * by_xy, 1e-11);
  EXPECT_NEAR(product[1], 0.3 * by_xy - 0.4 * by_yy, 1e-11);
  const auto hessian = ddx::hessian(of_both, Numbers{x, y});
  EXPECT_NEAR(hessian(0, 0), by_xx, 1e-11);
  EXPECT_NEAR(hessian(0, 1), by_xy, 1e-11);
  EXPECT_NEAR(hessian(1, 1), by_yy, 1e-11);
}

TEST(DDX_SUITE, AllOperatorsOverNodesInNodes) {
  expect_derivatives([](double x, double y) { return nodes_in_nodes(x, y); });
}

TEST(DDX_SUITE, AllOperatorsOverValuesInNodes) {
  expect_derivatives([](double x, double y) { return values_in_nodes(x, y); });
}

TEST(DDX_SUITE, AllOperatorsOverNodesInValues) {
  expect_derivatives([](double x, double y) { return nodes_in_values(x, y); });
}

/// The slope of `f` in both modes.
template <class F>
void expect_slope(const F& f, double x, double want) {
  EXPECT_NEAR(ddx::gradient(f, x), want, 1e-11);
  EXPECT_NEAR(ddx::derivative(f, x), want, 1e-11);
}

/// s = 0, then s += 3 (s + i) x^2 x^2 for i = 1, 2: with u = 3 x^4, u^2 + 3 u.
double in_a_loop(double x) {
  std::list<double> kept{x};
  double sum = 0;
  for (int i = 1; i <= 2; ++i) {
    sum += ddx::gradient([&](double z) { return (sum + i) * of_nodes(z, kept.back()); }, x);
    kept.push_back(kept.front());
  }
  return sum;
}

TEST(DDX_SUITE, AGradientInALoopThatChangesWhatItCaptured) {
  const double x = 0.7;
  const double u = 3 * x * x * x * x;
  const double by_x = 12 * x * x * x;
  expect_slope([](double z) { return in_a_loop(z); }, x, (2 * u + 3) * by_x);
}

/// The functions are x^3 and 2 x^2, times z each: slopes 4 z^3 and 6 z^2.
double of_stored_functions(double x) {
  const std::vector<std::function<double(double)>> all{[](double a) { return a * a * a; },
                                                       [](double a) { return 2 * a * a; }};
  double sum = 0;
  for (const auto& f : all) {
    sum += ddx::gradient([&](double z) { return f(z) * z * x; }, x);
  }
  return sum;
}

TEST(DDX_SUITE, GradientsOfStoredFunctions) {
  const double x = 0.7;
  expect_slope([](double z) { return of_stored_functions(z); }, x, 16 * x * x * x + 18 * x * x);
}

/// (2 p z^1 at z = 2 x, where p = 2 x)^2 = 64 x^4.
double of_exchanged_pointers(double x) {
  double one = x;
  double two = 2 * x;
  double* p = &one;
  double* q = &two;
  if (x < 5) {
    std::swap(p, q);
  }
  const double slope = ddx::gradient([&](double z) { return *p * z * z; }, *p);
  return slope * slope;
}

TEST(DDX_SUITE, AGradientAtExchangedPointers) {
  const double x = 0.7;
  expect_slope([](double z) { return of_exchanged_pointers(z); }, x, 256 * x * x * x);
}

/// Copies bytes, makes them zero and moves them: sum of v_i^3.
double of_moved_bytes(const Numbers& v) {
  const std::size_t bytes = v.size() * sizeof(double);
  auto* const first = static_cast<double*>(std::malloc(bytes));
  std::memcpy(first, v.data(), bytes);
  auto* second = static_cast<double*>(std::calloc(1, bytes));
  for (std::size_t i = 0; i < v.size(); ++i) {
    second[i] += first[i] * first[i];
  }
  second = static_cast<double*>(std::realloc(second, std::size_t{1} << 20));
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += second[i] * first[i];
  }
  std::memset(first, 0, bytes);
  sum += first[0];
  std::free(second);
  std::free(first);
  return sum;
}

/// The value and the squares of the slopes: sum of v_i^3 + 9 v_i^4.
double value_and_slopes(const Numbers& v) {
  const std::list<Numbers> kept{v};
  const auto [value, slopes] =
      ddx::value_with_gradient([](const Numbers& w) { return of_moved_bytes(w); }, kept.front());
  double sum = value;
  for (const double slope : slopes) {
    sum += slope * slope;
  }
  return sum;
}

TEST(DDX_SUITE, AValueWithTheGradientOfMovedBytes) {
  const Numbers v{0.3, -0.2, 0.5};
  const auto f = [](const Numbers& w) { return value_and_slopes(w); };
  const Numbers gradient = ddx::gradient(f, v);
  const Numbers product = ddx::hvp(f, v, Numbers{1, 2, -1});
  const Numbers along{1, 2, -1};
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_NEAR(gradient[i], 3 * v[i] * v[i] + 36 * v[i] * v[i] * v[i], 1e-13);
    EXPECT_NEAR(product[i], along[i] * (6 * v[i] + 108 * v[i] * v[i]), 1e-13);
  }
}

/// 3 x^4 (2 + x) by one pullback with two seeds, times the value x^5: the second seed is zero at
/// x = 0.5, but has a derivative.
double by_a_pullback(double x) {
  const std::list<double> kept{x};
  const auto [value, back] =
      ddx::value_with_pullback([x](double z) { return of_nodes(z, x); }, kept.front());
  return value * (back(2.0) + back(x - 0.5));
}

TEST(DDX_SUITE, APullbackInside) {
  for (const double x : {0.5, 0.7}) {
    // 3 x^9 (1.5 + x) = 4.5 x^9 + 3 x^10
    const double to_8 = x * x * x * x * x * x * x * x;
    expect_slope([](double z) { return by_a_pullback(z); }, x, 40.5 * to_8 + 30 * to_8 * x);
  }
}

/// With w = (x, 2 x) and f = w_0^3 w_1^2 the Hessian's product with (1, x) is
/// (24 x^3 + 12 x^4, 12 x^3 + 2 x^4).
double by_a_product(double x) {
  const Numbers product = ddx::hvp([](const Numbers& w) { return of_nodes(w[0], w[1]); },
                                   Numbers{x, 2 * x}, Numbers{1, x});
  return product[0] * product[1];
}

/// The Jacobian of (f, w_0 f) has the first row (12 x^4, 4 x^4), and the second
/// (16 x^5, 4 x^5).
double by_a_jacobian(double x) {
  const auto jacobian = ddx::jacobian(
      [](const Numbers& w) {
        const double f = of_nodes(w[0], w[1]);
        return Numbers{f, w[0] * f};
      },
      Numbers{x, 2 * x});
  return jacobian(0, 0) * jacobian(0, 1) + jacobian(1, 0) + jacobian(1, 1);
}

TEST(DDX_SUITE, OtherOperatorsInside) {
  const double x = 0.7;
  const double to_5 = x * x * x * x * x;
  // 288 x^6 + 192 x^7 + 24 x^8
  expect_slope([](double z) { return by_a_product(z); }, x,
               1728 * to_5 + 1344 * to_5 * x + 192 * to_5 * x * x);
  // 48 x^8 + 20 x^5
  expect_slope([](double z) { return by_a_jacobian(z); }, x,
               384 * to_5 * x * x + 100 * x * x * x * x);
}

double cubed_node(double x) {
  const std::list<double> kept{x};
  return kept.front() * x * x;
}

double slope_of_cubed(double x) {
  return ddx::gradient(cubed_node, x);
}

/// 3 x^2 6 x, where each function may be meant by a pointer of one type, and this one, too.
double of_pointers(double x) {
  return ddx::gradient(cubed_node, x) * ddx::gradient(slope_of_cubed, x);
}

TEST(DDX_SUITE, GradientsOfFunctionsByName) {
  const double x = 0.7;
  EXPECT_NEAR(ddx::gradient(of_pointers, x), 54 * x * x, 1e-11);
  EXPECT_NEAR(ddx::derivative(of_pointers, x), 54 * x * x, 1e-11);
}

/// x^2, by another thread.
double in_thread(double x) {
  double square = 0;
  std::thread thread([&] { square = x * x; });
  thread.join();
  return square;
}

TEST(GradientsThroughMemory, FollowThoseOfThreads) {
  EXPECT_EQ(ddx::gradient(in_thread, 3.0), 6);  // Its sweep is used again.
  EXPECT_NEAR(ddx::derivative([](double x) { return nodes_in_nodes(x, 1.0); }, 0.7),
              36 * 0.7 * 0.7 * 0.7, 1e-12);
}

}  // namespace gradients_through_memory_test
