/// \file
/// Activation functions. `relu`, `tanh` and `sigmoid` are in elementwise.h.

#pragma once

#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/clip.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/tensor.h"

#include <numbers>
#include <tuple>
#include <type_traits>

namespace ddx {

/// log(1 + e^x), a smooth relu; accurate for large |x|.
///
/// Shapes:   x [...] -> [...]
/// Gradient: sigmoid(x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> softplus(const Tensor<Scalar>& x) {
  return relu(x) + log1p(exp(-abs(x)));
}

// Primal:  y = log(1 + e^x)
// Adjoint: adj[x] += sigmoid(x) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(softplus)
auto softplus_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(softplus(x), [x](const Tensor<Scalar>& dy) {
    return detail::cotangent_product(dy, sigmoid(x));
  });
}

/// The logarithm of sigmoid(x), accurate for large |x|.
///
/// Shapes:   x [...] -> [...]
/// Gradient: sigmoid(-x) dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> log_sigmoid(const Tensor<Scalar>& x) {
  return -softplus(-x);
}

/// x / (1 + |x|).
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy / (1 + |x|)^2.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> softsign(const Tensor<Scalar>& x) {
  return x / (abs(x) + Scalar{1});
}

// Primal:  y = x / (1 + |x|)
// Adjoint: adj[x] += adj[y] / (1 + |x|)^2
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(softsign)
auto softsign_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(softsign(x), [x](const Tensor<Scalar>& dy) {
    const auto size = abs(x) + Scalar{1};
    return detail::cotangent_quotient(detail::cotangent_quotient(dy, size), size);
  });
}

/// x where it is positive, else alpha (e^x - 1).
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy where x > 0, else dy alpha e^x.
/// Source:   D.-A. Clevert, T. Unterthiner, S. Hochreiter, "Fast and accurate deep network learning
///           by exponential linear units", ICLR 2016.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> elu(const Tensor<Scalar>& x, std::type_identity_t<Scalar> alpha = 1) {
  return select(greater(x, Scalar{0}), x, expm1(x) * alpha);
}

// Primal:  y = x, or a (e^x - 1) where x <= 0
// Adjoint: adj[x] += adj[y], or a e^x adj[y]; adj[a] += sum (e^x - 1) adj[y] where x <= 0
// Saves:   x, a
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(elu)
auto elu_vjp(const Tensor<Scalar>& x, std::type_identity_t<Scalar> alpha) {
  return detail::tensor_vjp(elu(x, alpha), [x, alpha](const Tensor<Scalar>& dy, Wanted<2> wanted) {
    // Of what is not above 0 alone: elsewhere the exponential overflows.
    const auto below = -relu(-x);
    const auto positive = greater(x, Scalar{0});
    return std::tuple(
        wanted[0] ? select(positive, dy, detail::cotangent_product(dy, exp(below)) * alpha)
                  : Tensor<Scalar>(),
        wanted[1] ? detail::sum_all(detail::cotangent_product(dy, expm1(below))) : Scalar{});
  });
}

// Tangent: dx where x > 0, else alpha e^x dx + (e^x - 1) d_alpha
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(elu)
auto elu_jvp(const Tensor<Scalar>& x, std::type_identity_t<Scalar> alpha, const Tensor<Scalar>& dx,
             std::type_identity_t<Scalar> d_alpha) {
  const auto below = -relu(-x);
  const auto tangent =
      select(greater(x, Scalar{0}), dx, detail::cotangent_product(dx, exp(below)) * alpha) +
      expm1(below) * d_alpha;
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{elu(x, alpha), tangent};
}

/// elu scaled so that layers keep the mean 0 and the variance 1.
///
/// Shapes:   x [...] -> [...]
/// Source:   G. Klambauer et al., "Self-normalizing neural networks", NeurIPS 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> selu(const Tensor<Scalar>& x) {
  constexpr auto alpha = static_cast<Scalar>(1.6732632423543772848170429916717);
  constexpr auto scale = static_cast<Scalar>(1.0507009873554804934193349852946);
  return elu(x, alpha) * scale;
}

/// x where it is positive, else alpha x.
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy where x > 0, else alpha dy.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> leaky_relu(
    const Tensor<Scalar>& x, std::type_identity_t<Scalar> alpha = static_cast<Scalar>(0.2)) {
  return select(greater(x, Scalar{0}), x, x * alpha);
}

/// min(max(x, 0), 6).
///
/// Shapes:   x [...] -> [...]
/// Gradient: dy where 0 < x < 6, half of it at 6, else 0.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> relu6(const Tensor<Scalar>& x) {
  return minimum(relu(x), Scalar{6});
}

/// x Phi(x), where Phi is the distribution function of the standard normal distribution.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (Phi(x) + x phi(x)) dy with the density phi.
/// Source:   D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> gelu(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::gelu, x.array()));
}

namespace detail {

/// (Phi(x) + x phi(x)) dy.
template <FloatingScalar Scalar>
Tensor<Scalar> gelu_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return Tensor<Scalar>(binary(ops::Op::gelu_gradient, dy.array(), x.array(), {}));
}

// Primal:  z = (Phi(x) + x phi(x)) dy
// Adjoint: adj[dy] += (Phi(x) + x phi(x)) adj[z], adj[x] += (2 - x^2) phi(x) dy adj[z]
// Saves:   dy, x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu_slope)
auto gelu_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return tensor_vjp(gelu_slope(dy, x), [dy, x](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    Tensor<Scalar> to_x;
    if (wanted[1]) {
      using Wide = WideScalar<Scalar>;
      constexpr auto factor = static_cast<Wide>(std::numbers::inv_sqrtpi / std::numbers::sqrt2);
      const auto squares = square(cast<Wide>(x));
      const auto curvature = (Wide{2} - squares) * exp(squares * Wide{-0.5}) * factor;
      to_x = cast<Scalar>(
          cotangent_product(mutual_product(cast<Wide>(dz), cast<Wide>(dy)), curvature));
    }
    return std::tuple(wanted[0] ? gelu_slope(dz, x) : Tensor<Scalar>(), to_x);
  });
}

}  // namespace detail

// Primal:  y = x Phi(x)
// Adjoint: adj[x] += (Phi(x) + x phi(x)) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu)
auto gelu_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(
      gelu(x), [x](const Tensor<Scalar>& dy) { return detail::gelu_slope(dy, x); });
}

// Tangent: the same factors, element by element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu)
auto gelu_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(gelu(x), dx,
                            [&x](const Tensor<Scalar>& d) { return detail::gelu_slope(d, x); });
}

/// gelu by an approximation of Phi: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (s + x s (1 - s) u') dy with s = sigmoid(u), u = 2 sqrt(2 / pi) (x + 0.044715 x^3).
/// Cost:     one pass over the elements, and one for the gradient.
/// Source:   D. Hendrycks, K. Gimpel, "Gaussian error linear units", 2016, section 2.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> gelu_tanh(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::gelu_tanh, x.array()));
}

namespace detail {

/// (s + x s (1 - s) u') dy, where s is sigmoid(u) with the exponent u of gelu_tanh.
template <FloatingScalar Scalar>
Tensor<Scalar> gelu_tanh_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return Tensor<Scalar>(binary(ops::Op::gelu_tanh_gradient, dy.array(), x.array(), {}));
}

// Primal:  z = (s + x s (1 - s) u') dy, s = sigmoid(u), u = f x + a x^3
// Adjoint: adj[dy] += (s + x s (1 - s) u') adj[z],
//          adj[x] += s (1 - s) (4 u' - 2 f + x (1 - 2 s) u'^2) dy adj[z]
// Saves:   dy, x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu_tanh_slope)
auto gelu_tanh_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return tensor_vjp(gelu_tanh_slope(dy, x), [dy, x](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    Tensor<Scalar> to_x;
    if (wanted[1]) {
      constexpr Scalar f = Scalar{2} * static_cast<Scalar>(std::numbers::sqrt2) *
                           static_cast<Scalar>(std::numbers::inv_sqrtpi);
      constexpr Scalar a = f * static_cast<Scalar>(0.044715);
      const auto squares = square(x);
      const auto s = sigmoid(x * (squares * a + f));
      const auto slope = squares * (3 * a) + f;
      to_x =
          cotangent_product(sigmoid_slope(mutual_product(dz, dy), s),
                            slope * (x * (Scalar{1} - s * Scalar{2}) * slope + Scalar{4}) - 2 * f);
    }
    return std::tuple(wanted[0] ? gelu_tanh_slope(dz, x) : Tensor<Scalar>(), to_x);
  });
}

}  // namespace detail

// Primal:  y = x sigmoid(u), u = 2 sqrt(2 / pi) (x + 0.044715 x^3)
// Adjoint: adj[x] += (sigmoid(u) + x sigmoid(u) (1 - sigmoid(u)) u') adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu_tanh)
auto gelu_tanh_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(
      gelu_tanh(x), [x](const Tensor<Scalar>& dy) { return detail::gelu_tanh_slope(dy, x); });
}

// Tangent: the same factors, element by element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(gelu_tanh)
auto gelu_tanh_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(
      gelu_tanh(x), dx, [&x](const Tensor<Scalar>& d) { return detail::gelu_tanh_slope(d, x); });
}

/// x sigmoid(beta x).
///
/// Shapes:   x [...] -> [...]
/// Source:   P. Ramachandran, B. Zoph, Q. Le, "Searching for activation functions", 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> swish(const Tensor<Scalar>& x, std::type_identity_t<Scalar> beta) {
  return x * sigmoid(x * beta);
}

/// x sigmoid(x), also called swish; 0 at -infinity.
///
/// Shapes:   x [...] -> [...]
/// Gradient: (s + x s (1 - s)) dy, where s is sigmoid(x).
/// Cost:     one pass over the elements, and one for the gradient.
/// Source:   S. Elfwing, E. Uchibe, K. Doya, "Sigmoid-weighted linear units for neural network
///           function approximation in reinforcement learning", 2017.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> silu(const Tensor<Scalar>& x) {
  return Tensor<Scalar>(detail::unary(ops::Op::silu, x.array()));
}

namespace detail {

/// (s + x s (1 - s)) dy, where s is sigmoid(x).
template <FloatingScalar Scalar>
Tensor<Scalar> silu_slope(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return Tensor<Scalar>(binary(ops::Op::silu_gradient, dy.array(), x.array(), {}));
}

// Primal:  z = (s + x s (1 - s)) dy, s = sigmoid(x)
// Adjoint: adj[dy] += (s + x s (1 - s)) adj[z],
//          adj[x] += s (1 - s) (2 + x (1 - 2 s)) dy adj[z]
// Saves:   dy, x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(silu_slope)
auto silu_slope_vjp(const Tensor<Scalar>& dy, const Tensor<Scalar>& x) {
  return tensor_vjp(silu_slope(dy, x), [dy, x](const Tensor<Scalar>& dz, Wanted<2> wanted) {
    Tensor<Scalar> to_x;
    if (wanted[1]) {
      const auto s = sigmoid(x);
      to_x = cotangent_product(sigmoid_slope(mutual_product(dz, dy), s),
                               x * (Scalar{1} - s * Scalar{2}) + Scalar{2});
    }
    return std::tuple(wanted[0] ? silu_slope(dz, x) : Tensor<Scalar>(), to_x);
  });
}

}  // namespace detail

// Primal:  y = x s(x), where s is sigmoid
// Adjoint: adj[x] += (s(x) + x s(x) (1 - s(x))) adj[y]
// Saves:   x
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(silu)
auto silu_vjp(const Tensor<Scalar>& x) {
  return detail::elementwise_vjp(
      silu(x), [x](const Tensor<Scalar>& dy) { return detail::silu_slope(dy, x); });
}

// Tangent: the same factors, element by element
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(silu)
auto silu_jvp(const Tensor<Scalar>& x, const Tensor<Scalar>& dx) {
  return detail::tensor_jvp(silu(x), dx,
                            [&x](const Tensor<Scalar>& d) { return detail::silu_slope(d, x); });
}

/// x sigmoid(x): swish with beta 1, the same as silu(x).
///
/// Shapes:   x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> swish(const Tensor<Scalar>& x) {
  return silu(x);
}

/// relu6(x + 3) / 6: a sigmoid of straight lines.
///
/// Shapes:   x [...] -> [...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> hard_sigmoid(const Tensor<Scalar>& x) {
  return relu6(x + Scalar{3}) / Scalar{6};
}

/// x hard_sigmoid(x).
///
/// Shapes:   x [...] -> [...]
/// Source:   A. Howard et al., "Searching for MobileNetV3", ICCV 2019.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> hard_swish(const Tensor<Scalar>& x) {
  return x * hard_sigmoid(x);
}

/// x tanh(softplus(x)).
///
/// Shapes:   x [...] -> [...]
/// Source:   D. Misra, "Mish: a self regularized non-monotonic activation function", BMVC 2020.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> mish(const Tensor<Scalar>& x) {
  return x * tanh(softplus(x));
}

}  // namespace ddx
