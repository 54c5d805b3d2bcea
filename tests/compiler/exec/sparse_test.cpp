// Sparse Jacobians and Hessians, compared with dense ones; what they cost, compared with the least
// possible number of colours; and errors.

#include "ddx/ad/sparse.h"

#include "ddx/core/error.h"

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace {

using Vector = std::vector<double>;
using Floats = std::vector<float>;

template <class T>
void expect_same(const ddx::SparseMatrix<T>& sparse, const auto& dense, double tolerance) {
  ASSERT_EQ(sparse.rows(), dense.rows);
  ASSERT_EQ(sparse.columns(), dense.columns);
  for (std::size_t i = 0; i < dense.rows; ++i) {
    for (std::size_t j = 0; j < dense.columns; ++j) {
      const double expected = static_cast<double>(dense(i, j));
      EXPECT_NEAR(static_cast<double>(sparse(i, j)), expected, tolerance * (1 + std::abs(expected)))
          << i << ", " << j;
    }
  }
}

/// By the better compression and by both others: all elements, and the number of colours.
template <class F, class X>
void expect_jacobian(const F& f, const X& x, std::size_t colours, ddx::Compression compression,
                     double tolerance = 1e-14) {
  const auto sparse = ddx::sparse_jacobian(f, x);
  const auto dense = ddx::jacobian(f, x);
  EXPECT_EQ(sparse.colours, colours);
  EXPECT_EQ(sparse.compression, compression);
  expect_same(sparse.matrix, dense, tolerance);
  const ddx::SparsityPattern& pattern = sparse.matrix.pattern;
  expect_same(ddx::sparse_jacobian(f, ddx::column_colouring(pattern), x).matrix, dense, tolerance);
  expect_same(ddx::sparse_jacobian(f, ddx::row_colouring(pattern), x).matrix, dense, tolerance);
  ddx::check_sparse_jacobian(f, sparse.matrix, x);
}

template <class F, class X>
void expect_hessian(const F& f, const X& x, std::size_t colours) {
  const auto sparse = ddx::sparse_hessian(f, x);
  EXPECT_EQ(sparse.colours, colours);
  EXPECT_EQ(sparse.compression, ddx::Compression::Star);
  expect_same(sparse.matrix, ddx::hessian(f, x), 1e-13);
  ddx::check_sparse_hessian(f, sparse.matrix, x);
}

/// The number `i` of `n` between -1 and 1, without a pattern.
Vector numbers(std::size_t n) {
  Vector x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = std::sin(1.0 + 2.7 * static_cast<double>(i));
  }
  return x;
}

/// Couples numbers that are at most `reach` apart.
template <std::size_t reach>
constexpr auto banded = [](const auto& x) {
  using std::cos;
  using T = std::decay_t<decltype(x[0])>;
  auto y = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = 0;
    for (std::size_t j = i < reach ? 0 : i - reach; j < x.size() && j <= i + reach; ++j) {
      y[i] += cos(x[j] * static_cast<T>(i + 1)) * x[i];
    }
  }
  return y;
};

constexpr auto last_row_dense = [](const auto& x) {
  auto y = x;
  auto& last = y.back();
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    y[i] = x[i] * x[i];
    last += x[i] * x[i] * x[i];
  }
  return y;
};

constexpr auto first_column_dense = [](const auto& x) {
  auto y = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[0] * x[i] + x[i];
  }
  return y;
};

TEST(SparseJacobian, OfABandHasAsManyColoursAsTheBandIsWide) {
  for (const std::size_t n : {3, 4, 11, 40}) {
    expect_jacobian(banded<1>, numbers(n), 3, ddx::Compression::Rows);
  }
  expect_jacobian(banded<0>, numbers(9), 1, ddx::Compression::Rows);
  expect_jacobian(banded<1>, numbers(2), 2, ddx::Compression::Rows);
  expect_jacobian(banded<2>, numbers(17), 5, ddx::Compression::Rows);
}

TEST(SparseJacobian, ChoosesRowsWhereTheyAreFewer) {
  expect_jacobian(last_row_dense, numbers(12), 2, ddx::Compression::Rows);
  expect_jacobian(first_column_dense, numbers(12), 2, ddx::Compression::Columns);
}

TEST(SparseJacobian, OfAnArrowHasAColourForEachNumber) {
  const auto arrow = [](const auto& x) {
    auto y = x;
    for (std::size_t i = 1; i < x.size(); ++i) {
      y[i] = x[0] * x[i];
      y[0] += y[i] * x[i];
    }
    return y;
  };
  expect_jacobian(arrow, numbers(7), 7, ddx::Compression::Rows);
}

TEST(SparseJacobian, OfBlocksHasTheColoursOfOneBlock) {
  const auto blocks = [](const auto& x) {
    auto y = x;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t first = i - i % 3;
      y[i] = x[first] * x[first + 1] * x[first + 2] * static_cast<double>(i + 1);
    }
    return y;
  };
  expect_jacobian(blocks, numbers(12), 3, ddx::Compression::Rows);
}

TEST(SparseJacobian, OfADenseFunctionHasTheFewerOfRowsAndColumns) {
  const auto sums = [](std::size_t results) {
    return [results](const auto& x) {
      std::decay_t<decltype(x)> y(results);
      for (std::size_t i = 0; i < results; ++i) {
        for (std::size_t j = 0; j < x.size(); ++j) {
          y[i] += x[j] * x[j] * static_cast<double>(i + 2 * j);
        }
      }
      return y;
    };
  };
  expect_jacobian(sums(5), numbers(3), 3, ddx::Compression::Columns);
  expect_jacobian(sums(2), numbers(9), 2, ddx::Compression::Rows);
  expect_jacobian(sums(7), numbers(9), 7, ddx::Compression::Rows);
  expect_jacobian(sums(1), numbers(1), 1, ddx::Compression::Rows);
}

TEST(SparseJacobian, OfNothingIsEmpty) {
  const auto tripled = [](const auto& x) {
    std::decay_t<decltype(x)> y;
    for (std::size_t i = 0; i < 3; ++i) {
      y.push_back(x.empty() ? 0 : x[i % x.size()] * 2);
    }
    return y;
  };
  const auto no_input = ddx::sparse_jacobian(tripled, Vector{});
  EXPECT_EQ(no_input.matrix.rows(), 3U);
  EXPECT_EQ(no_input.matrix.columns(), 0U);
  EXPECT_EQ(no_input.colours, 0U);
  const auto beyond_four = [](const auto& x) {
    std::decay_t<decltype(x)> y;
    for (std::size_t i = 4; i < x.size(); ++i) {
      y.push_back(x[i]);
    }
    return y;
  };
  const auto no_output = ddx::sparse_jacobian(beyond_four, numbers(4));
  EXPECT_EQ(no_output.matrix.rows(), 0U);
  EXPECT_EQ(no_output.matrix.columns(), 4U);
  EXPECT_EQ(no_output.colours, 0U);
  // Depends on nothing: no run is needed.
  const auto zero_up_to_four = [](const auto& x) {
    std::decay_t<decltype(x)> y(x.size());
    for (std::size_t i = 4; i < x.size(); ++i) {
      y[i] = x[i];
    }
    return y;
  };
  const auto zeros = ddx::sparse_jacobian(zero_up_to_four, numbers(4));
  EXPECT_EQ(zeros.matrix.rows(), 4U);
  EXPECT_EQ(zeros.matrix.size(), 0U);
  EXPECT_EQ(zeros.colours, 0U);
}

TEST(SparseJacobian, HasValuesByHand) {
  const auto f = [](const auto& x) { return std::array{x[0] * x[1], 3 * x[2], x[1] / x[2]}; };
  const auto sparse = ddx::sparse_jacobian(f, std::array{2.0, 5.0, 4.0});
  std::vector<std::tuple<std::size_t, std::size_t, double>> elements;
  for (const auto& [row, column, value] : sparse.matrix) {
    elements.emplace_back(row, column, value);
  }
  // x1 and x0; 3; 1 / x2 and -x1 / x2^2.
  EXPECT_EQ(elements, (std::vector<std::tuple<std::size_t, std::size_t, double>>{
                          {0, 0, 5}, {0, 1, 2}, {1, 2, 3}, {2, 1, 0.25}, {2, 2, -0.3125}}));
}

TEST(SparseJacobian, TakesNumbersArraysTuplesAndFloats) {
  const auto of_number = [](const auto& x) { return std::array{x * x, x, x - x * x}; };
  expect_jacobian(of_number, 0.7, 1, ddx::Compression::Columns);
  const auto of_tuple = [](const auto& x) {
    const auto& [a, b] = x;
    return std::vector{a * b[0], b[1] * b[2], b[0]};
  };
  expect_jacobian(of_tuple, std::tuple(0.3, std::array{0.5, 0.7, -0.2}), 2, ddx::Compression::Rows);
  expect_jacobian(banded<1>, Floats{0.3F, 0.7F, -0.4F, 0.2F}, 3, ddx::Compression::Rows, 1e-6);
}

TEST(SparseJacobian, UsesOneColouringAtSeveralPoints) {
  const ddx::Colouring colouring =
      ddx::jacobian_colouring(ddx::SparsityPattern::banded(30, 30, 1, 1));
  for (int k = 0; k < 4; ++k) {
    Vector x = numbers(30);
    for (double& number : x) {
      number += k;
    }
    const auto sparse = ddx::sparse_jacobian(banded<1>, colouring, x);
    EXPECT_EQ(sparse.colours, 3U);
    expect_same(sparse.matrix, ddx::jacobian(banded<1>, x), 1e-14);
  }
}

/// Not generic: a pattern is given or probed.
Vector shifted(const Vector& x) {
  Vector y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = x[i] * x[(i + 3) % x.size()];
  }
  return y;
}

double chain(const Vector& x) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double ahead = x[i + 1] - x[i] * x[i];
    sum += 100 * ahead * ahead + (1 - x[i]) * (1 - x[i]);
  }
  return sum;
}

TEST(SparseJacobian, ProbesAFunctionThatIsNotGeneric) {
  const ddx::SparsityPattern pattern = ddx::probed_jacobian_pattern(shifted, numbers(8));
  std::vector<ddx::MatrixPlace> places;
  for (std::size_t i = 0; i < 8; ++i) {
    places.push_back({i, i});
    places.push_back({i, (i + 3) % 8});
  }
  EXPECT_EQ(pattern, ddx::SparsityPattern(8, 8, places));
  const auto sparse = ddx::sparse_jacobian(shifted, pattern, numbers(8));
  EXPECT_EQ(sparse.colours, 2U);  // The columns of a ring of even length take turns.
  expect_same(sparse.matrix, ddx::jacobian(shifted, numbers(8)), 1e-15);
  EXPECT_EQ(ddx::probed_jacobian_pattern(shifted, Vector{}), ddx::SparsityPattern());
  EXPECT_EQ(ddx::probed_hessian_pattern(chain, numbers(6)),
            ddx::SparsityPattern::banded(6, 6, 1, 1));
}

TEST(SparseHessian, OfAnArrowHasTwoColours) {
  const auto arrow = [](const auto& x) {
    using std::exp;
    std::decay_t<decltype(x[0])> sum = 0;
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum += exp(x[0] * x[i]);
    }
    return sum;
  };
  for (const std::size_t n : {2, 5, 30}) {
    expect_hessian(arrow, numbers(n), 2);
  }
}

constexpr auto rosenbrock = [](const auto& x) {
  std::decay_t<decltype(x[0])> sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const auto ahead = x[i + 1] - x[i] * x[i];
    sum += 100 * ahead * ahead + (1 - x[i]) * (1 - x[i]);
  }
  return sum;
};

TEST(SparseHessian, OfAChainIsTridiagonalByHand) {
  const Vector x = numbers(10);
  const auto sparse = ddx::sparse_hessian(rosenbrock, x);
  EXPECT_EQ(sparse.colours, 3U);
  EXPECT_EQ(sparse.matrix.pattern, ddx::SparsityPattern::banded(10, 10, 1, 1));
  for (std::size_t i = 0; i < 10; ++i) {
    // Of 100 (y - x^2)^2 + (1 - x)^2: 1200 x^2 - 400 y + 2 by x twice, 200 by y twice.
    const double own = (i < 9 ? 1200 * x[i] * x[i] - 400 * x[i + 1] + 2 : 0) + (i > 0 ? 200 : 0);
    EXPECT_NEAR(sparse.matrix(i, i), own, 1e-11);
    if (i > 0) {
      EXPECT_NEAR(sparse.matrix(i, i - 1), -400 * x[i - 1], 1e-11);
      EXPECT_EQ(sparse.matrix(i - 1, i), sparse.matrix(i, i - 1));
    }
  }
  ddx::check_sparse_hessian(rosenbrock, sparse.matrix, x);
  expect_same(ddx::sparse_hessian(chain, sparse.matrix.pattern, x).matrix, ddx::hessian(chain, x),
              1e-14);
}

TEST(SparseHessian, OfAGridAgreesWithTheDenseOne) {
  const auto grid = [](const auto& x) {
    using std::sqrt;
    std::decay_t<decltype(x[0])> area = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const auto right = x[6 * i + (j + 1) % 6] - x[6 * i + j];
        const auto down = x[6 * ((i + 1) % 5) + j] - x[6 * i + j];
        area += sqrt(1 + right * right + down * down);
      }
    }
    return area;
  };
  const auto sparse = ddx::sparse_hessian(grid, numbers(30));
  EXPECT_LT(sparse.colours, 15U);
  expect_same(sparse.matrix, ddx::hessian(grid, numbers(30)), 1e-13);
}

TEST(SparseHessian, HasAColourForEachNumberThatAllMeet) {
  const auto log_sum_exp = [](const auto& x) {
    using std::exp, std::log;
    std::decay_t<decltype(x[0])> sum = 0;
    for (const auto& number : x) {
      sum += exp(number);
    }
    return log(sum);
  };
  expect_hessian(log_sum_exp, numbers(5), 5);
  expect_hessian(log_sum_exp, numbers(1), 1);
  expect_hessian(log_sum_exp, std::array{0.4, -0.3}, 2);
  const auto blocks = [](const auto& x) {
    std::decay_t<decltype(x[0])> sum = 0;
    for (std::size_t i = 0; i + 2 < x.size(); i += 3) {
      sum += x[i] * x[i + 1] * x[i + 2];
    }
    return sum;
  };
  expect_hessian(blocks, numbers(12), 3);
}

TEST(SparseHessian, OfSeparateNumbersHasOneColourAndOfLinearOnesNone) {
  const auto separate = [](const auto& x) {
    std::decay_t<decltype(x[0])> sum = 0;
    for (const auto& number : x) {
      sum += number * number * number;
    }
    return sum;
  };
  expect_hessian(separate, numbers(8), 1);
  const auto linear = [](const auto& x) {
    std::decay_t<decltype(x[0])> sum = 1;
    for (const auto& number : x) {
      sum += 3 * number;
    }
    return sum;
  };
  expect_hessian(linear, numbers(8), 0);
  expect_hessian(linear, Vector{}, 0);
}

template <class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const ddx::UsageError& error) {
    return error.what();
  }
  return "no error";
}

/// Its third result depends on the fourth number on one of two paths.
constexpr auto branching = [](const auto& x) {
  auto y = x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    y[i] = 2 * x[i];
  }
  if (x[0] > 0) {
    y[2] += x[3] * x[3];
  }
  return y;
};

TEST(SparseJacobian, IsRightOnEachPathAndCheckedOnAnother) {
  const Vector positive{1, 2, 3, 4, 5}, negative{-1, 2, 3, 4, 5};
  const auto found = ddx::jacobian_pattern(branching, negative);
  EXPECT_EQ(found.branches, 1U);
  expect_jacobian(branching, negative, 1, ddx::Compression::Rows);
  expect_jacobian(branching, positive, 2, ddx::Compression::Rows);
  const auto wrong = ddx::sparse_jacobian(branching, found.pattern, positive);
  EXPECT_EQ(message_of([&] { ddx::check_sparse_jacobian(branching, wrong.matrix, positive); }),
            "check_sparse_jacobian: row 2, column 3: the function has 8 at this point, the matrix "
            "0; the pattern lacks this element: it holds for the path it was found on");
  const auto old = ddx::sparse_jacobian(branching, positive);
  const Vector moved{1, 2, 3, 5, 5};
  EXPECT_EQ(message_of([&] { ddx::check_sparse_jacobian(branching, old.matrix, moved); }),
            "check_sparse_jacobian: row 2, column 3: the function has 10 at this point, the matrix "
            "8; the matrix was computed at another point, or its pattern lacks an element");
}

TEST(SparseHessian, IsCheckedToo) {
  const auto product = [](const auto& x) { return x[0] * x[1] + x[2] * x[2]; };
  const Vector x{1, 2, 3};
  const auto diagonal = ddx::SparsityPattern::banded(3, 3, 0, 0);
  const auto wrong = ddx::sparse_hessian(product, diagonal, x);
  EXPECT_EQ(message_of([&] { ddx::check_sparse_hessian(product, wrong.matrix, x); }),
            "check_sparse_hessian: row 0, column 1: the function has 1 at this point, the matrix "
            "0; the pattern lacks this element: it holds for the path it was found on");
}

TEST(SparseDerivatives, RefusePatternsOfOtherSizes) {
  using ddx::SparsityPattern;
  const Vector x = numbers(4);
  const auto jacobian_by = [&](const SparsityPattern& pattern) {
    return message_of([&] { (void)ddx::sparse_jacobian(shifted, pattern, x); });
  };
  EXPECT_EQ(jacobian_by(SparsityPattern::banded(4, 3, 0, 0)),
            "sparse_jacobian: a pattern of 3 columns for 4 numbers of the function's argument");
  EXPECT_EQ(jacobian_by(SparsityPattern::banded(5, 4, 0, 0)),
            "sparse_jacobian: a pattern of 5 rows for 4 numbers of the function's result");
  const auto columns = ddx::column_colouring(SparsityPattern::banded(5, 4, 0, 0));
  EXPECT_EQ(message_of([&] { (void)ddx::sparse_jacobian(shifted, columns, x); }),
            "sparse_jacobian: a pattern of 5 rows for 4 numbers of the function's result");
  EXPECT_EQ(message_of([&] {
              (void)ddx::sparse_jacobian(
                  shifted, ddx::star_colouring(SparsityPattern::banded(4, 4, 1, 1)), x);
            }),
            "sparse_jacobian: a star colouring, which is for Hessians");
  EXPECT_EQ(message_of([&] { (void)ddx::sparse_hessian(chain, SparsityPattern::dense(3, 3), x); }),
            "sparse_hessian: a pattern of 3 columns for 4 numbers of the function's argument");
  EXPECT_EQ(message_of([&] {
              (void)ddx::sparse_hessian(chain, ddx::column_colouring(SparsityPattern::dense(4, 4)),
                                        x);
            }),
            "sparse_hessian: a colouring for Jacobians; use ddx::star_colouring");
  const ddx::SparseMatrix<double> small{SparsityPattern(3, 4, {}), {}};
  EXPECT_EQ(message_of([&] { ddx::check_sparse_jacobian(shifted, small, x); }),
            "check_sparse_jacobian: a pattern of 3 rows for 4 numbers of the function's result");
}

}  // namespace
