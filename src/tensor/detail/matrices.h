/// \file
/// What the operations of linear algebra share.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/op.h"
#include "ddx/ops/site.h"
#include "ddx/tensor/detail/array.h"

#include "tensor/detail/dispatch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace ddx::detail {

/// Calls body with the elements of a floating array.
template <class Body>
auto with_elements(const ops::View& x, Body body) {
  return x.dtype() == DType::f32 ? body(x.data<float>()) : body(x.data<double>());
}
template <class Body>
auto with_elements(const Array& x, Body body) {
  (void)x.data();  // Waits for them.
  return with_elements(x.view(), body);
}

/// The first matrix for which `place_of(elements)` gives a place, in words; nothing where there is
/// none.
template <class PlaceOf>
std::optional<std::string> first_matrix(const ops::View& x, PlaceOf place_of, const char* what) {
  const ops::MatrixStack m = ops::matrix_stack(x.shape());
  for (std::int64_t i = 0; i < m.stack; ++i) {
    const std::int64_t place = with_elements(
        x, [&](const auto* elements) { return place_of(elements + i * m.matrix(), m); });
    if (place >= 0) {
      return "matrix" + ops::place_in_stack(x.shape(), i) + " " + what + " " +
             std::to_string(place) + "; shape " + to_string(x.shape());
    }
  }
  return std::nullopt;
}

/// Throws:  UsageError that names the first matrix as above.
template <class PlaceOf>
void expect_none(const ops::Site& site, const ops::View& x, PlaceOf place_of, const char* what) {
  if (const auto facts = first_matrix(x, place_of, what)) {
    site.fail(*facts);
  }
}

/// The results of one operation on one operand.
template <std::size_t n>
std::array<Array, n> factors_of(ops::Op op, const Array& x, std::array<Array, n> results,
                                const ops::Check& check = {}) {
  std::array<ops::View, n> outputs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<ops::View, n>{results[i].view()...};
  }(std::make_index_sequence<n>());
  const std::array input{x.view()};
  const ops::NoAttributes attributes;
  run(op, x.dtype(), x.device(), input, outputs, attributes, check);
  return results;
}

/// An array for the results of kernels, of the dtype and on the device of `x`.
inline Array like(const Array& x, const Shape& shape) {
  return Array::for_kernels(shape, x.dtype(), x.device());
}

}  // namespace ddx::detail
