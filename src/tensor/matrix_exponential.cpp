#include "ddx/tensor/matrix_exponential.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/linear_algebra.h"
#include "ddx/tensor/detail/operations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace {

using ops::matrix_stack;
using ops::MatrixStack;
using ops::Op;

/// How a type's exponential is approximated: numerator and denominator of degree m, exact to the
/// unit roundoff for matrices of 1-norm up to `reach` (N. J. Higham, "The scaling and squaring
/// method for the matrix exponential revisited", 2005, tables 2.3 and 2.1, and for f32 its
/// "Functions of matrices", 2008, section 10.3).
struct Pade {
  int degree;
  double reach;
};

constexpr Pade pade_f32{7, 3.925724783138660};
constexpr Pade pade_f64{13, 5.371920351148152};

/// Coefficient k of the numerator of degree m over coefficient 0: the product of
/// (m - i) / ((2m - i) (i + 1)) over i < k.
double coefficient(int m, int k) {
  double result = 1;
  for (int i = 0; i < k; ++i) {
    result *= static_cast<double>(m - i) / (static_cast<double>(2 * m - i) * (i + 1));
  }
  return result;
}

/// The 1-norm of each matrix: the largest sum of a column.
template <class T>
std::vector<double> norms(const T* x, const MatrixStack& m) {
  std::vector<double> result;
  for (std::int64_t s = 0; s < m.stack; ++s) {
    double largest = 0;
    for (std::int64_t j = 0; j < m.columns; ++j) {
      double sum = 0;
      for (std::int64_t i = 0; i < m.rows; ++i) {
        sum += std::abs(static_cast<double>(x[s * m.matrix() + i * m.columns + j]));
      }
      largest = sum > largest || sum != sum ? sum : largest;
    }
    result.push_back(largest);
  }
  return result;
}

/// How often each matrix is to be halved.
std::vector<int> halvings(const ops::Site& site, const Array& x, double reach) {
  const MatrixStack m = matrix_stack(x.shape());
  const std::vector<double> sizes = x.dtype() == DType::f32
                                        ? norms(static_cast<const float*>(x.data()), m)
                                        : norms(static_cast<const double*>(x.data()), m);
  std::vector<int> counts;
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    if (!std::isfinite(sizes[s])) {
      site.fail("matrix" + ops::place_in_stack(x.shape(), static_cast<std::int64_t>(s)) +
                " has a norm that is not finite; shape " + to_string(x.shape()));
    }
    counts.push_back(sizes[s] <= reach ? 0
                                       : static_cast<int>(std::ceil(std::log2(sizes[s] / reach))));
  }
  return counts;
}

/// One number for each matrix, of shape [..., 1, 1].
template <class T, class Value>
Array for_each_matrix(const Shape& x, DType dtype, Device device, const std::vector<int>& counts,
                      Value value) {
  Array result(ops::with_matrices(x, 1, 1), dtype, device);
  std::ranges::transform(counts, static_cast<T*>(result.fresh_data()), value);
  return result;
}

Array powers_of_two(const Array& x, const std::vector<int>& counts) {
  if (x.dtype() == DType::f32) {
    return for_each_matrix<float>(x.shape(), DType::f32, x.device(), counts,
                                  [](int count) { return std::ldexp(1.0F, -count); });
  }
  return for_each_matrix<double>(x.shape(), DType::f64, x.device(), counts,
                                 [](int count) { return std::ldexp(1.0, -count); });
}

/// The sum of these powers, each times its coefficient; what is null is the identity.
struct Term {
  const Array* power;
  int k;
};

Array combination(int degree, const Array& identity, std::initializer_list<Term> terms) {
  Array sum = binary_right(Op::mul, identity, literal(0.0));
  for (const Term& term : terms) {
    sum = add_scaled(std::move(sum), coefficient(degree, term.k),
                     term.power == nullptr ? identity : *term.power, {});
  }
  return sum;
}

/// The quotient of polynomials.
Array approximation(const Array& a, int degree) {
  const std::int64_t n = a.shape()[a.shape().rank() - 1];
  const Array identity =
      broadcast_to(one_hot(iota(n, DType::i32, a.device(), {}), n, a.dtype(), {}), a.shape(), {});
  const Array a2 = matmul(a, a, {}, {});
  const Array a4 = matmul(a2, a2, {}, {});
  const Array a6 = matmul(a4, a2, {}, {});
  Array odd = combination(degree, identity, {{nullptr, 1}, {&a2, 3}, {&a4, 5}, {&a6, 7}});
  Array even = combination(degree, identity, {{nullptr, 0}, {&a2, 2}, {&a4, 4}, {&a6, 6}});
  if (degree == 13) {
    const Array high_odd = combination(degree, identity, {{&a2, 9}, {&a4, 11}, {&a6, 13}});
    const Array high_even = combination(degree, identity, {{&a2, 8}, {&a4, 10}, {&a6, 12}});
    odd = binary(Op::add, std::move(odd), matmul(a6, high_odd, {}, {}), {});
    even = binary(Op::add, std::move(even), matmul(a6, high_even, {}, {}), {});
  }
  odd = matmul(a, odd, {}, {});
  const LuFactors denominator = lu("matrix_exponential", add_scaled(even, -1, odd, {}), {});
  return solve_by(denominator, binary(Op::add, std::move(even), odd, {}), false, {});
}

}  // namespace

Array matrix_exponential(const Array& x, const std::source_location& where) try {
  const ops::Site site{"matrix_exponential", where};
  (void)ops::checked_square(site, x.shape());
  if (x.shape().count() == 0) {
    return x;
  }
  const Pade& pade = x.dtype() == DType::f32 ? pade_f32 : pade_f64;
  const std::vector<int> counts = halvings(site, x, pade.reach);
  Array y = approximation(binary(Op::mul, x, powers_of_two(x, counts), where), pade.degree);
  const int most = *std::ranges::max_element(counts);
  for (int step = 0; step < most; ++step) {
    // A matrix of small norm is done earlier: halving it more often would cost digits.
    const Array more = for_each_matrix<bool>(x.shape(), DType::boolean, x.device(), counts,
                                             [step](int count) { return step < count; });
    y = select(more, matmul(y, y, {}, where), y, where);
  }
  return y;
} catch (const std::bad_alloc&) {
  throw_out_of_memory("matrix_exponential");
}

}  // namespace ddx::detail
