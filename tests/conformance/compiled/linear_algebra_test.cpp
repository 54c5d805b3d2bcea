// Linear algebra as the compiler differentiates it: gradients that PyTorch recorded, tangents
// against differences.

#include "ddx/ddx.h"

#include "tests/conformance/compiled/checks.h"
#include "tests/conformance/gradient_check.h"
#include "tests/support/recorded_linear_algebra.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

namespace ddx::testing {
namespace {

/// Several results as one.
Doubles joined(const Doubles& a, const Doubles& b) {
  return concatenate(std::vector<Doubles>{flatten(a), flatten(b)}, 0);
}

/// Compares a function of one tensor with its recorded values and gradient, and its tangent with
/// differences.
template <class F>
void expect_as_recorded(const std::string& name, F f, const Doubles& x) {
  SCOPED_TRACE(name);
  const Doubles y = f(x);
  expect_recorded(name, y);
  const Doubles weights = numbers(y.shape(), 50);
  expect_recorded(name + ".0", gradient([&](const Doubles& a) { return sum(f(a) * weights); }, x));
  expect_tangent(f, x);
}

/// As above, of two tensors.
template <class F>
void expect_as_recorded(const std::string& name, F f, const Doubles& x, const Doubles& z) {
  SCOPED_TRACE(name);
  const Doubles y = f(x, z);
  expect_recorded(name, y);
  const Doubles weights = numbers(y.shape(), 50);
  const auto [to_x, to_z] =
      gradient([&](const Doubles& a, const Doubles& b) { return sum(f(a, b) * weights); }, x, z);
  expect_recorded(name + ".0", to_x);
  expect_recorded(name + ".1", to_z);
  expect_tangent([&](const Doubles& a) { return f(a, z); }, x);
  expect_tangent([&](const Doubles& b) { return f(x, b); }, z);
}

#define EXPECT_AS_RECORDED(name, at, ...) \
  expect_as_recorded(name, [](const Doubles& x) -> Doubles { return __VA_ARGS__; }, at)
#define EXPECT_PAIR_AS_RECORDED(name, at, and_at, ...) \
  expect_as_recorded(                                  \
      name, [](const Doubles& x, const Doubles& z) -> Doubles { return __VA_ARGS__; }, at, and_at)

TEST(LinearAlgebraDerivatives, Cholesky) {
  EXPECT_AS_RECORDED("cholesky", definite(4, 1), cholesky(x));
  EXPECT_AS_RECORDED("cholesky_batch", stack(std::vector<Doubles>{definite(3, 1), definite(3, 20)}),
                     cholesky(x));
}

TEST(LinearAlgebraDerivatives, Systems) {
  const Doubles a = regular({2, 3, 3}, 1);
  const Doubles b = numbers({2, 3, 2}, 30);
  EXPECT_PAIR_AS_RECORDED("triangular_solve_lower", a, b, triangular_solve(x, z));
  EXPECT_PAIR_AS_RECORDED("triangular_solve_upper", a, b, triangular_solve(x, z, {.lower = false}));
  EXPECT_PAIR_AS_RECORDED("triangular_solve_lower_adjoint", a, b,
                          triangular_solve(x, z, {.lower = true, .adjoint = true}));
  EXPECT_PAIR_AS_RECORDED("solve", a, b, solve(x, z));
  EXPECT_PAIR_AS_RECORDED("solve_broadcast", regular({3, 3}, 1), b, solve(x, z));
  EXPECT_AS_RECORDED("inverse", a, inverse(x));
}

TEST(LinearAlgebraDerivatives, Determinants) {
  EXPECT_AS_RECORDED("det", regular({2, 3, 3}, 1), det(x));
  EXPECT_AS_RECORDED("slogdet", -regular({2, 3, 3}, 1), slogdet(x).log_abs_det);
  EXPECT_AS_RECORDED("logdet", definite(3, 5), logdet(x));
}

TEST(LinearAlgebraDerivatives, DeterminantOfASingularMatrix) {
  const Doubles singular{{1, 2, 3}, {4, 5, 6}, {5, 7, 9}};
  EXPECT_AS_RECORDED("det_singular", singular, reshape(det(x), {1}));
}

TEST(LinearAlgebraDerivatives, Qr) {
  EXPECT_AS_RECORDED("qr_tall", regular({4, 3}, 1), joined(qr(x).q, qr(x).r));
  EXPECT_AS_RECORDED("qr_square", regular({2, 3, 3}, 1), joined(qr(x).q, qr(x).r));
  EXPECT_AS_RECORDED("qr_wide", regular({3, 5}, 1),
                     joined(qr(x, {.full = true}).q, qr(x, {.full = true}).r));
}

Doubles all_of_svd(const Doubles& x) {
  const auto y = svd(x);
  return concatenate(std::vector<Doubles>{flatten(y.u), flatten(y.s), flatten(y.v)}, 0);
}

TEST(LinearAlgebraDerivatives, Svd) {
  EXPECT_AS_RECORDED("svd_tall", regular({5, 3}, 1), all_of_svd(x));
  EXPECT_AS_RECORDED("svd_wide", regular({2, 2, 4}, 1), all_of_svd(x));
  EXPECT_AS_RECORDED("svdvals", regular({2, 4, 3}, 1), svdvals(x));
}

TEST(LinearAlgebraDerivatives, Eigh) {
  EXPECT_AS_RECORDED("eigh", numbers({2, 3, 3}, 1), joined(eigh(x).values, eigh(x).vectors));
  EXPECT_AS_RECORDED("eigvalsh", numbers({4, 4}, 1), eigvalsh(x));
}

TEST(LinearAlgebraDerivatives, LeastSquares) {
  EXPECT_AS_RECORDED("pinv_tall", regular({4, 3}, 1), pinv(x));
  EXPECT_AS_RECORDED("pinv_wide", regular({2, 2, 3}, 1), pinv(x));
  EXPECT_PAIR_AS_RECORDED("lstsq", regular({4, 3}, 1), numbers({4, 2}, 30), lstsq(x, z));
  EXPECT_PAIR_AS_RECORDED("lstsq_wide", regular({2, 2, 3}, 1), numbers({2, 2, 2}, 30), lstsq(x, z));
}

TEST(LinearAlgebraDerivatives, FunctionsOfMatrices) {
  EXPECT_AS_RECORDED("matrix_exponential",
                     stack(std::vector<Doubles>{numbers({3, 3}, 1), 8.0 * numbers({3, 3}, 30)}),
                     matrix_exponential(x));
  EXPECT_AS_RECORDED("matrix_power", numbers({3, 3}, 1), matrix_power(x, 5));
  EXPECT_AS_RECORDED("matrix_power_negative", regular({3, 3}, 1), matrix_power(x, -3));
  EXPECT_PAIR_AS_RECORDED("kron", numbers({2, 3}, 1), numbers({3, 2}, 30), kron(x, z));
}

TEST(LinearAlgebraDerivatives, NormsOfMatrices) {
  EXPECT_AS_RECORDED("nuclear_norm", regular({2, 4, 3}, 1), nuclear_norm(x));
  EXPECT_AS_RECORDED("spectral_norm", regular({2, 4, 3}, 1), spectral_norm(x));
  EXPECT_AS_RECORDED("cond", regular({2, 3, 3}, 1), cond(x));
}

}  // namespace
}  // namespace ddx::testing
