// The programs of docs/guide/sparse_derivatives.md. The regions between [name] and [/name] are
// shown there, word for word; the expectations are worked out by hand in the comments beside them.

#include "ddx/ddx.h"

#include "expect.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace {

using ddx::testing::expect_close;

// [bar]
auto residual = [](const auto& u) {  // Steady heat in a bar that radiates.
  using std::pow;
  auto r = u;
  for (std::size_t i = 0; i < u.size(); ++i) {
    r[i] = 2 * u[i] + pow(u[i], 4);
    if (i > 0) {
      r[i] -= u[i - 1];
    }
    if (i + 1 < u.size()) {
      r[i] -= u[i + 1];
    }
  }
  return r;
};
// [/bar]

void jacobian() {
  const std::vector<double> u(1000, 0.5);
  // [jacobian]
  auto [matrix, colours, compression] = ddx::sparse_jacobian(residual, u);
  double middle = matrix(500, 500), outside = matrix(500, 900);  // an element, and a zero
  double sum = 0;
  for (const auto& [row, column, value] : matrix) {
    sum += value;
  }
  // [/jacobian]
  expect_close("jacobian: colours", static_cast<double>(colours), 3);
  expect_close("jacobian: middle", middle, 2.5);  // 2 + 4 u^3
  expect_close("jacobian: outside", outside, 0);
  expect_close("jacobian: sum", sum, 502);  // 1000 * 2.5 - 2 * 999
  expect_close("jacobian: rows", compression == ddx::Compression::Rows ? 1 : 0, 1);
}

/// In the place of a linear solver: half of each number.
std::vector<double> solved_by(const ddx::SparseMatrix<double>& jacobian, std::vector<double> u) {
  for (const auto& [row, column, value] : jacobian) {
    u[row] *= row == column ? 0.5 : 1;
  }
  return u;
}

void colouring() {
  std::vector<double> u(1000, 0.5);
  // [colouring]
  const auto [pattern, branches] = ddx::jacobian_pattern(residual, u);
  const ddx::Colouring colouring = ddx::jacobian_colouring(pattern);
  for (int iteration = 0; iteration < 3; ++iteration) {
    auto jacobian = ddx::sparse_jacobian(residual, colouring, u).matrix;
    u = solved_by(jacobian, u);
  }
  // [/colouring]
  expect_close("colouring: branches", static_cast<double>(branches), 0);
  expect_close("colouring: last", u[0], 0.5 / 8);
}

void hessian() {
  // [hessian]
  auto energy = [](const auto& x) {
    auto sum = 0 * x[0];
    for (std::size_t i = 1; i < x.size(); ++i) {
      sum += x[0] * x[i] * x[i];
    }
    return sum;
  };
  auto [matrix, colours, compression] = ddx::sparse_hessian(energy, std::vector(100, 3.0));
  // [/hessian]
  expect_close("hessian: colours", static_cast<double>(colours), 2);
  expect_close("hessian: tip", matrix(0, 7), 6);       // 2 x_i
  expect_close("hessian: diagonal", matrix(7, 7), 6);  // 2 x_0
  expect_close("hessian: star", compression == ddx::Compression::Star ? 1 : 0, 1);
}

// [given]
std::vector<double> differences(const std::vector<double>& x) {
  std::vector<double> y(x.size() - 1);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = std::sin(x[i + 1] - x[i]);
  }
  return y;
}
// [/given]

void given() {
  const std::vector<double> x(50, 1.0);
  // [given_call]
  auto band = ddx::SparsityPattern::banded(49, 50, 0, 1);
  auto jacobian = ddx::sparse_jacobian(differences, band, x).matrix;
  auto probed = ddx::probed_jacobian_pattern(differences, x);  // 50 runs, once
  // [/given_call]
  expect_close("given: element", jacobian(7, 8), 1);
  expect_close("given: probed", probed == band ? 1 : 0, 1);
}

void check() {
  // [check]
  auto f = [](const auto& x) { return x[0] > 0 ? x[0] * x[1] : x[0] * x[2]; };
  const std::vector<double> left{-1.0, 2.0, 3.0}, right{1.0, 2.0, 3.0};
  const auto [pattern, branches] = ddx::jacobian_pattern(f, left);  // branches == 1
  auto jacobian = ddx::sparse_jacobian(f, pattern, right).matrix;
  std::string message;
  try {
    ddx::check_sparse_jacobian(f, jacobian, right);
  } catch (const ddx::UsageError& error) {
    message = error.what();  // row 0, column 1: the function has 1 at this point, the matrix 0; ...
  }
  // [/check]
  expect_close("check: branches", static_cast<double>(branches), 1);
  expect_close(
      "check: message",
      message.starts_with("check_sparse_jacobian: row 0, column 1: the function has 1") ? 1 : 0, 1);
}

}  // namespace

int main() {
  jacobian();
  colouring();
  hessian();
  given();
  check();
}
