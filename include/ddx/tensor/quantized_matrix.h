/// \file
/// Matrices of 8 or 4 bits per element, for inference.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/results.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <source_location>
#include <span>
#include <tuple>

namespace ddx {

/// How the elements of a quantised matrix lie.
struct QuantizedForm {
  std::int64_t columns = 0;
  int bits = 8;

  friend bool operator==(const QuantizedForm&, const QuantizedForm&) = default;
};

/// A matrix [rows, columns] in groups of 32 elements of a row. An element is (number - zero) scale,
/// with numbers of 8 bits around 128 or of 4 bits around 8, and a scale of 16 bits for each group:
/// 1.06 or 0.56 bytes per element. It has no derivative.
///
/// Byte i of a group of 4-bit numbers has element i and, in its upper half, element i + 16. What is
/// behind the last column has the number zero.
struct QuantizedMatrix {
  Tensor<std::uint8_t> numbers;  ///< [rows, 32 groups], or [rows, 16 groups] of 4 bits
  Tensor<Half> scales;           ///< [rows, groups]
  QuantizedForm form;

  DDX_DIFFERENTIABLE(QuantizedMatrix)
  DDX_NO_DERIVATIVE(numbers, scales, form)
};

namespace detail {

[[nodiscard]] QuantizedMatrix quantized(const Tensor<float>& matrix, int bits,
                                        std::source_location where);
/// A matrix on Device::cpu() whose numbers and scales are to be written.
[[nodiscard]] QuantizedMatrix unset_quantized(std::int64_t rows, const QuantizedForm& form);
/// Writes the numbers and scales of rows of such a matrix, from one on; `elements` has these rows.
///
/// Throws: UsageError as ddx::quantized.
void quantize_rows(QuantizedMatrix& matrix, std::int64_t first_row, std::span<const float> elements,
                   std::source_location where);
[[nodiscard]] Tensor<float> dequantized(const Tensor<std::uint8_t>& numbers,
                                        const Tensor<Half>& scales, const QuantizedForm& form);
[[nodiscard]] Array quantized_matmul(const Array& x, const Array& numbers, const Array& scales,
                                     const QuantizedForm& form, const Location& where);
[[nodiscard]] Tensor<float> first_dequantized_row(const Tensor<std::uint8_t>& numbers,
                                                  const Tensor<Half>& scales,
                                                  const QuantizedForm& form);

/// The extents of a shape and one more.
[[nodiscard]] Indices with_last(const Shape& shape, std::int64_t extent);

/// Throws: UsageError always.
[[noreturn]] void throw_no_derivative_by_scales();

}  // namespace detail

/// The matrix with numbers of 8 or 4 bits. The scale of a group is its largest element by 127, or
/// the element of the largest magnitude by -8, rounded to 16 bits; each element becomes the nearest
/// number.
///
/// Shapes:  matrix [rows, columns]
/// DTypes:  f32; f64 and 16-bit elements are cast.
/// Throws:  UsageError where there are other bits, the rank is not 2, or a scale is not finite in
///          16 bits.
/// Example:
///   const auto weight = ddx::quantized(matrix, 4);
template <FloatingScalar Scalar>
[[nodiscard]] QuantizedMatrix quantized(
    const Tensor<Scalar>& matrix, int bits,
    std::source_location where = std::source_location::current()) {
  return detail::quantized(cast<float>(matrix), bits, where);
}

/// The elements, [rows, columns], each rounded once from f32.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> dequantized(const QuantizedMatrix& matrix) {
  return cast<Scalar>(detail::dequantized(matrix.numbers, matrix.scales, matrix.form));
}

namespace detail {

/// x w^T of f32 or f64; see ddx::quantized_matmul.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> quantized_product(const Tensor<Scalar>& x,
                                               const Tensor<std::uint8_t>& numbers,
                                               const Tensor<Half>& scales,
                                               const QuantizedForm& form,
                                               std::source_location where) {
  return Tensor<Scalar>(quantized_matmul(x.array(), numbers.array(), scales.array(), form, where));
}

// Primal:  y = x w^T
// Adjoint: adj[x] += adj[y] w
// Saves:   w
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(quantized_product)
auto quantized_product_vjp(const Tensor<Scalar>& x, const Tensor<std::uint8_t>& numbers,
                           const Tensor<Half>& scales, const QuantizedForm& form,
                           std::source_location where) {
  return tensor_vjp(quantized_product(x, numbers, scales, form, where),
                    [numbers, scales, form](const Tensor<Scalar>& dy, Wanted<2> wanted) {
                      if (wanted[1]) {
                        throw_no_derivative_by_scales();
                      }
                      return std::tuple(
                          wanted[0] ? matmul(dy, cast<Scalar>(dequantized(numbers, scales, form)))
                                    : Tensor<Scalar>(),
                          Tensor<Half>());
                    });
}

// Tangent: dx w^T
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(quantized_product)
auto quantized_product_jvp(const Tensor<Scalar>& x, const Tensor<std::uint8_t>& numbers,
                           const Tensor<Half>& scales, const QuantizedForm& form,
                           std::source_location where, const Tensor<Scalar>& dx,
                           const Tensor<Half>& dscales) {
  if (!dscales.is_symbolic_zero()) {
    throw_no_derivative_by_scales();
  }
  const auto y = quantized_product(x, numbers, scales, form, where);
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{
      y, dx.is_symbolic_zero() ? Tensor<Scalar>()
                               : quantized_product(dx, numbers, scales, form, where)};
}

}  // namespace detail

/// The elements of some rows: `gather(dequantized(matrix), indices, 0)`, without the others.
///
/// Shapes:  indices [...] -> [..., columns]
/// Throws:  UsageError where an index is not in [0, rows), or devices differ.
template <FloatingScalar Scalar, IndexScalar Index>
[[nodiscard]] Tensor<Scalar> quantized_rows(
    const QuantizedMatrix& matrix, const Tensor<Index>& indices,
    std::source_location where = std::source_location::current()) {
  const auto flat = reshape(indices, {-1}, where);
  const auto rows = cast<Scalar>(detail::dequantized(
      gather(matrix.numbers, flat, 0, where), gather(matrix.scales, flat, 0, where), matrix.form));
  return reshape(rows, detail::with_last(indices.shape(), matrix.form.columns), where);
}

/// The elements of the first row, [1, columns].
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> first_quantized_row(const QuantizedMatrix& matrix) {
  return cast<Scalar>(detail::first_dequantized_row(matrix.numbers, matrix.scales, matrix.form));
}

/// x w^T for a quantised matrix w, summed in f32, or, where x is of f64, in f64. On `cpu` products
/// of f32 of up to 64 rows read the numbers where they lie; more rows multiply by a million
/// elements of w at a time. Lazy devices do the same; XLA dequantises w.
///
/// Shapes:   x [..., columns] -> [..., rows]
/// Throws:   UsageError where the extents differ, or the devices. With scales that carry a
///           tangent: there is no derivative by them.
/// Gradient: dy w to x.
/// Cost:     O(x rows) time; in f64 without vector instructions.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> quantized_matmul(
    const Tensor<Scalar>& x, const QuantizedMatrix& w,
    std::source_location where = std::source_location::current()) {
  return cast<Scalar>(
      detail::quantized_product(cast<WideScalar<Scalar>>(x), w.numbers, w.scales, w.form, where));
}

}  // namespace ddx
