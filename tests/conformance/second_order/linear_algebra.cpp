// Systems of equations and decompositions.

#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/conformance/second_order/second_order.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ddx::testing {
namespace {

using ops::Domain;
using ops::Op;

const ProgramArgument matrix{{3, 3}};
const ProgramArgument stack{{2, 3, 3}};
const ProgramArgument tall{{4, 3}};

/// A symmetric, positive definite matrix.
template <class Scalar>
Tensor<Scalar> definite(const Tensor<Scalar>& t) {
  return matmul(t, t, {.transpose_right = true}) +
         eye<Scalar>(t.shape()[t.rank() - 1], -1, t.device());
}

/// A matrix far from a singular one.
template <class Scalar>
Tensor<Scalar> regular(const Tensor<Scalar>& t) {
  return t + eye<Scalar>(t.shape()[t.rank() - 1], -1, t.device()) * Scalar{4};
}

}  // namespace

SecondOrderChecks linear_algebra_second_order() {
  return {
      {Op::cholesky, DDX_SECOND_ORDER(stack, cholesky(definite(t)))},
      {Op::lu, DDX_SECOND_ORDER(stack, solve(regular(t), square(t)) + inverse(regular(t)))},
      {Op::lu, DDX_SECOND_ORDER(stack, det(t) + slogdet(regular(t)).log_abs_det)},
      {Op::triangular_solve, DDX_SECOND_ORDER(stack, triangular_solve(regular(t), square(t)))},
      {Op::qr, DDX_SECOND_ORDER(tall, qr(t).q)},
      {Op::qr, DDX_SECOND_ORDER(tall, qr(t).r)},
      {Op::svd,
       DDX_SECOND_ORDER(tall, square(svd(t).u) * static_cast<Scalar>(0.1) + svd(t).s[{0}])},
      {Op::svdvals, DDX_SECOND_ORDER(tall, svdvals(t))},
      {Op::eigh,
       DDX_SECOND_ORDER(matrix, square(eigh(definite(t)).vectors) + eigh(definite(t)).values)},
      {Op::eigvalsh, DDX_SECOND_ORDER(matrix, eigvalsh(definite(t)))},
  };
}

}  // namespace ddx::testing
