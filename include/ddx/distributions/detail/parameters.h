/// \file
/// What distributions demand of their parameters, and the shapes of samples.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <source_location>

namespace ddx::distributions::detail {

[[noreturn]] void throw_not_above(const char* distribution, const char* parameter,
                                  std::size_t place, double value,
                                  const std::source_location& where);

/// Throws: UsageError if an element is not above zero: "Normal: element 1 of scale is 0, expected a
///         number above 0".
///
/// Shapes:  x [...]
template <FloatingScalar Scalar>
void require_above_zero(const char* distribution, const char* parameter, const Tensor<Scalar>& x,
                        const std::source_location& where) {
  std::size_t place = 0;
  for (const Scalar element : x.elements()) {
    if (!(element > 0)) {
      throw_not_above(distribution, parameter, place, static_cast<double>(element), where);
    }
    ++place;
  }
}

/// The axes asked for, then those of the parameters: the shape of a sample.
Shape sample_shape(const Shape& asked, const Shape& parameters);

void require_fitting_shapes(const char* distribution, const Shape& first, const Shape& second,
                            const std::source_location& where);

/// Throws: UsageError if the shapes of two parameters do not broadcast.
///
/// Shapes:  first [...], second [...]
template <FloatingScalar Scalar>
void require_fitting(const char* distribution, const Tensor<Scalar>& first,
                     const Tensor<Scalar>& second, const std::source_location& where) {
  const Shape shape_of_first = first.shape();
  const Shape shape_of_second = second.shape();
  require_fitting_shapes(distribution, shape_of_first, shape_of_second, where);
}

/// The first parameter in the shape that both have together.
///
/// Shapes:  first [...], second [...] -> [batch...]
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> in_batch(const Tensor<Scalar>& first, const Tensor<Scalar>& second) {
  return first + zeros_like(second);
}

/// The shape of a sample of a distribution with these parameters.
///
/// Shapes:  first [...], second [...]
template <FloatingScalar Scalar>
[[nodiscard]] Shape shape_of_sample(const Shape& asked, const Tensor<Scalar>& first,
                                    const Tensor<Scalar>& second) {
  const Shape shape_of_first = first.shape();
  const Shape shape_of_second = second.shape();
  return sample_shape(asked, broadcast(shape_of_first, shape_of_second));
}

}  // namespace ddx::distributions::detail
