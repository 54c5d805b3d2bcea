/// \file
/// What losses demand of their operands.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <source_location>

namespace ddx::nn::detail {

/// Throw the errors of the checks below, which are inline, so that losses can be differentiated.
[[noreturn]] void throw_different_shapes(const char* loss, const char* first_name,
                                         const Shape& first, const char* second_name,
                                         const Shape& second, const std::source_location& where);
[[noreturn]] void throw_wrong_rank(const char* loss, const char* name, const Shape& shape,
                                   std::size_t rank, const std::source_location& where);

/// Throws: UsageError where two shapes differ; losses do not broadcast, since a [n] beside a [n, 1]
///         would silently be n n losses: "l1_loss: predicted has shape [3], expected has shape
///         [3, 1]".
inline void require_equal_shapes(const char* loss, const char* first_name, const Shape& first,
                                 const char* second_name, const Shape& second,
                                 const std::source_location& where) {
  if (!(first == second)) {
    throw_different_shapes(loss, first_name, first, second_name, second, where);
  }
}

/// Throws: UsageError where a shape has another rank: "triplet_loss: anchor has shape [3], rank 2
///         is required".
inline void require_rank(const char* loss, const char* name, const Shape& shape, std::size_t rank,
                         const std::source_location& where) {
  if (shape.rank() != rank) {
    throw_wrong_rank(loss, name, shape, rank, where);
  }
}

[[noreturn]] void throw_other_labels(const char* loss, const Shape& labels, const Shape& rows,
                                     const std::source_location& where);

/// Throws: UsageError where there is not one label for each row.
inline void require_label_per_row(const char* loss, const Shape& labels, const Shape& rows,
                                  const std::source_location& where) {
  if (labels.rank() != 1 || labels[0] != rows[0]) {
    throw_other_labels(loss, labels, rows, where);
  }
}

/// Throws: UsageError where there is not one label for each row, or one is not in [0, classes).
void require_labels(const char* loss, const Tensor<std::int32_t>& labels, const Shape& rows,
                    const std::source_location& where);
void require_labels(const char* loss, const Tensor<std::int64_t>& labels, const Shape& rows,
                    const std::source_location& where);

/// Throws: UsageError where a label is neither `first` nor `second`.
void require_one_of(const char* loss, double label, double first, double second,
                    std::size_t position, const std::source_location& where);

/// Throws: UsageError where an element of `labels` is neither `first` nor `second`: "focal_loss:
///         label 3 is 0.5, expected 0 or 1".
template <TensorScalar Scalar>
void require_two_valued(const char* loss, const Tensor<Scalar>& labels, double first, double second,
                        const std::source_location& where) {
  std::size_t position = 0;
  for (const Scalar label : labels.elements()) {
    require_one_of(loss, static_cast<double>(label), first, second, position++, where);
  }
}

}  // namespace ddx::nn::detail
