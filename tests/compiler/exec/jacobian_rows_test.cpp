/// Jacobians by reverse sweeps that carry several rows at once: beside those by columns, which
/// forward mode makes, and beside values by hand.

#include "ddx/ad.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Vector = std::vector<double>;

/// The rows of the Jacobian by `x`, which has `numbers` numbers, beside its columns.
template <class F, class X>
void expect_rows(const F& f, const X& x, std::size_t rows, std::size_t numbers) {
  const auto by_rows = ddx::jacobian_rows(f, x);
  const auto by_columns = ddx::jacobian_columns(f, x);
  ASSERT_EQ(by_rows.size(), rows);
  ASSERT_EQ(by_columns.size(), numbers);
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(by_rows[i].size(), numbers);
    for (std::size_t j = 0; j < numbers; ++j) {
      const auto expected = static_cast<double>(by_columns[j][i]);
      EXPECT_NEAR(static_cast<double>(by_rows[i][j]), expected, 1e-12 * (1 + std::abs(expected)))
          << "row " << i << ", column " << j << " of " << rows << " rows";
    }
  }
}

Vector inputs(std::size_t count) {
  Vector x(count);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 0.3 + 0.17 * static_cast<double>(i % 5) - (i % 3 == 1 ? 1.1 : 0.0);
  }
  return x;
}

// Elementary functions and quotients.
TEST(JacobianRows, AnyNumberOfThem) {
  for (std::size_t rows = 0; rows <= 11; ++rows) {
    const auto f = [rows](const Vector& x) {
      Vector y(rows);
      for (std::size_t i = 0; i < rows; ++i) {
        const double a = x[i % x.size()];
        const double b = x[(2 * i + 1) % x.size()];
        y[i] = std::sin(a) * std::exp(b) / (1 + a * a) - std::pow(2 + b, 1.5) +
               std::sqrt(4 + a * b) * static_cast<double>(i);
      }
      return y;
    };
    expect_rows(f, inputs(13), rows, 13);
  }
}

template <std::size_t rows>
std::array<double, rows> of_fixed_size(const std::array<double, 7>& x) {
  std::array<double, rows> y{};
  double last = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    y[i] = last * std::cos(x[i]) + x[6 - i];
    last = y[i];
  }
  return y;
}

TEST(JacobianRows, OfArrays) {
  const std::array x{0.4, -0.8, 1.3, 0.2, -1.1, 0.6, 0.9};
  expect_rows(of_fixed_size<1>, x, 1, 7);
  expect_rows(of_fixed_size<2>, x, 2, 7);
  expect_rows(of_fixed_size<3>, x, 3, 7);
  expect_rows(of_fixed_size<4>, x, 4, 7);
  expect_rows(of_fixed_size<5>, x, 5, 7);
  expect_rows(of_fixed_size<6>, x, 6, 7);
  expect_rows(of_fixed_size<7>, x, 7, 7);
  const auto j = ddx::jacobian(of_fixed_size<3>, x);
  const auto columns = ddx::jacobian_columns(of_fixed_size<3>, x);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 7; ++k) {
      EXPECT_NEAR(j(i, k), columns[k][i], 1e-14);
    }
  }
}

// Control flow.
double left_early(const Vector& x, std::size_t from) {
  double sum = x[from];
  for (std::size_t i = from; i < x.size(); ++i) {
    if (x[i] < -0.9) {
      return sum * x[i];
    }
    if (x[i] > 0.9) {
      break;
    }
    if (i % 2 == 0) {
      continue;
    }
    switch (i % 5) {
      case 1:
        sum *= 1 + x[i];
        [[fallthrough]];
      case 3:
        sum += x[i] * x[i];
        break;
      default:
        sum = std::tanh(sum) * x[i];
    }
  }
  while (std::abs(sum) > 0.1) {
    sum *= 0.5 * std::cos(x[from]);
  }
  return sum;
}

TEST(JacobianRows, ThroughControlFlow) {
  const auto f = [](const Vector& x) {
    Vector y;
    for (std::size_t i = 0; i < 6; ++i) {
      y.push_back(left_early(x, i) * x[i] + (x[i] > 0.3 ? left_early(x, i + 1) : x[0]));
    }
    return y;
  };
  for (const double shift : {0.0, 0.4, -0.5}) {
    Vector x = inputs(9);
    for (double& number : x) {
      number += shift;
    }
    expect_rows(f, x, 6, 9);
  }
}

// Vectors that grow, shrink, are filled and passed to functions; neighbours in arrays; recursion.
Vector smoothed(const Vector& x, int times) {
  Vector y = x;
  for (int t = 0; t < times; ++t) {
    Vector next(y.size(), 0.5 * y[0]);
    for (std::size_t i = 1; i + 1 < y.size(); ++i) {
      next[i] = y[i] + 0.2 * (y[i - 1] - 2 * y[i] * y[i] + y[i + 1]);
    }
    y = next;
  }
  return y;
}

double along(const Vector& x, std::size_t at) {
  return at == x.size() ? 1.0 : x[at] * along(x, at + 1) + std::sin(x[at]);
}

void scale(double& number, double by) {
  number *= by * number;
}

Vector grown(const Vector& x) {
  Vector stack;
  for (const double number : x) {
    stack.push_back(number * number);
    if (number < 0 && stack.size() > 1) {
      const double top = stack.back();
      stack.pop_back();
      stack.back() *= top;
    }
  }
  stack.resize(4, x[1]);
  for (double& number : stack) {
    scale(number, x[0]);
  }
  stack.push_back(along(x, 2));
  double local[2][2] = {{x[0], x[1]}, {x[2], x[0] * x[1]}};
  for (int i = 0; i < 3; ++i) {
    local[i % 2][0] += local[1][1] * local[0][1];
  }
  stack.push_back(local[0][0]);
  stack.push_back(local[1][0]);
  return stack;
}

TEST(JacobianRows, ThroughVectors) {
  expect_rows([](const Vector& x) { return smoothed(x, 3); }, inputs(10), 10, 10);
  expect_rows([](const Vector& x) { return smoothed(smoothed(x, 1), 2); }, inputs(3), 3, 3);
  expect_rows(grown, inputs(6), 7, 6);
}

// Numbers of other widths.
std::array<float, 4> narrow(const std::array<float, 5>& x) {
  std::array<float, 4> y{};
  for (std::size_t i = 0; i < 4; ++i) {
    const double wide = static_cast<double>(x[i]) * 1.5;
    y[i] = static_cast<float>(wide * std::sin(wide)) + x[i + 1] * x[i];
  }
  return y;
}

std::vector<long double> wide(const std::vector<long double>& x) {
  return {x[0] * x[1], x[1] / x[0], x[0] + x[1]};
}

TEST(JacobianRows, OfOtherWidths) {
  const std::array x{0.5F, -0.25F, 1.5F, 0.75F, -1.0F};
  const auto rows = ddx::jacobian_rows(narrow, x);
  const auto columns = ddx::jacobian_columns(narrow, x);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR(rows[i][j], columns[j][i], 2e-6F);
    }
  }
  expect_rows(wide, std::vector<long double>{0.5L, -2.0L}, 3, 2);
}

Vector of_pair(const std::pair<double, double>& p) {
  return {p.first * p.second, p.first + p.second * p.second, std::sin(p.first)};
}

Vector of_tuple(const std::tuple<double, double>& p) {
  return of_pair({std::get<0>(p), std::get<1>(p)});
}

TEST(JacobianRows, ByPairsAndTuples) {
  const auto rows = ddx::jacobian_rows(of_pair, std::pair(0.3, 0.7));
  const auto tuples = ddx::jacobian_rows(of_tuple, std::tuple(0.3, 0.7));
  const auto matrix = ddx::jacobian(of_pair, std::pair(0.3, 0.7));
  const double expected[3][2] = {{0.7, 0.3}, {1, 1.4}, {std::cos(0.3), 0}};
  ASSERT_EQ(rows.size(), 3U);
  ASSERT_EQ(tuples.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_DOUBLE_EQ(rows[i].first, expected[i][0]);
    EXPECT_DOUBLE_EQ(rows[i].second, expected[i][1]);
    EXPECT_EQ(tuples[i], std::tuple(rows[i].first, rows[i].second));
    EXPECT_EQ(matrix(i, 0), rows[i].first);
    EXPECT_EQ(matrix(i, 1), rows[i].second);
  }
}

// What several lanes cannot carry is done row by row.
struct Point {
  double x = 0;
  double y = 0;
};

TEST(JacobianRows, WithObjectsBetween) {
  const auto f = [](const Vector& x) {
    std::vector<Point> points;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      points.push_back({x[i], x[i + 1]});
    }
    Vector y;
    for (const Point& point : points) {
      y.push_back(point.x * point.y + point.y);
    }
    return y;
  };
  expect_rows(f, inputs(5), 4, 5);
}

// A row that does not use a value with an infinite slope has nothing of it, whatever the others do.
TEST(JacobianRows, KeepLanesApart) {
  const auto f = [](const std::array<double, 5>& x) {
    const double steep = std::log(x[0]);
    return std::array{steep + x[1], x[1] * x[2], std::pow(x[3], 3.0) / x[2], x[0] * x[4]};
  };
  const auto j = ddx::jacobian(f, std::array{0.0, 2.0, 4.0, 3.0, 7.0});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double expected[4][5] = {
      {infinity, 1, 0, 0, 0}, {0, 4, 2, 0, 0}, {0, 0, -27.0 / 16, 27.0 / 4, 0}, {7, 0, 0, 0, 0}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 5; ++k) {
      EXPECT_DOUBLE_EQ(j(i, k), expected[i][k]) << i << ", " << k;
      EXPECT_FALSE(std::signbit(j(i, k)) && j(i, k) == 0) << i << ", " << k;
    }
  }
}

// Several arguments, some of them selected.
Vector of_several(const Vector& a, double b, const std::array<double, 3>& c, int n) {
  Vector y(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = a[i % a.size()] * b + c[i % 3] * std::exp(b * c[(i + 1) % 3]);
  }
  return y;
}

TEST(JacobianRows, BySeveralArguments) {
  const Vector a{0.4, -0.7, 1.2, 0.9};
  const std::array c{0.3, -0.6, 0.8};
  for (const int n : {1, 2, 3, 5, 6}) {
    const auto [value, all] = ddx::value_with_jacobian(of_several, ddx::wrt<0, 1, 2>, a, 0.5, c, n);
    const auto some = ddx::jacobian(of_several, ddx::wrt<1, 2>, a, 0.5, c, n);
    EXPECT_EQ(value, of_several(a, 0.5, c, n));
    for (std::size_t i = 0; i < value.size(); ++i) {
      for (std::size_t j = 0; j < 8; ++j) {
        const double step = 1e-6;
        const auto at = [&](double by) {
          Vector moved = a;
          std::array moved_c = c;
          (j < 4 ? moved[j] : moved_c[(j + 1) % 3]) += j == 4 ? 0 : by;
          return of_several(moved, 0.5 + (j == 4 ? by : 0), moved_c, n)[i];
        };
        // Columns: a, b, c.
        const double slope = (at(step) - at(-step)) / (2 * step);
        const std::size_t column = j < 4 ? j : j == 4 ? 4 : 5 + (j + 1) % 3;
        EXPECT_NEAR(all(i, column), slope, 1e-8) << i << ", " << column;
        if (column >= 4) {
          EXPECT_NEAR(some(i, column - 4), slope, 1e-8) << i << ", " << column;
        }
      }
    }
  }
}

}  // namespace
