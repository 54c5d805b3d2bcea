/// \file
/// What layers with quantised weights share.

#pragma once

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/nn/path.h"
#include "ddx/tensor/quantized_matrix.h"

#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::nn::detail {

/// Throws: UsageError where a weight is quantised already.
inline void require_not_quantized(const char* layer, bool is_quantized,
                                  std::source_location where) {
  if (is_quantized) {
    throw UsageError(std::string(layer) + ".quantize", "the weight is quantised already", where);
  }
}

/// Throws: UsageError where a quantised matrix is not one of these extents.
inline void require_quantized_shape(const char* layer, const QuantizedMatrix& matrix,
                                    std::int64_t rows, std::int64_t columns,
                                    std::source_location where) {
  const Shape& scales = matrix.scales.shape();
  if (scales.rank() != 2 || scales[0] != rows || matrix.form.columns != columns) {
    throw UsageError(std::string(layer) + ".set_quantized",
                     "scales " + to_string(scales) + " of " + std::to_string(matrix.form.columns) +
                         " columns, [" + std::to_string(rows) + ", " + std::to_string(columns) +
                         "] is expected",
                     where);
  }
}

/// Throws: UsageError where an object reads the weight of a layer that would be quantised.
template <class Object>
void require_quantizable(const Path& path, const Object& object, std::source_location where) {
  if constexpr (requires {
                  object.layer.quantized_weight;
                  object.reads_weight;
                }) {
    throw UsageError("quantize",
                     to_string(Path(path, "layer")) + " cannot be quantised, since " +
                         object.reads_weight + " reads its weight",
                     where);
  }
}

/// Calls `visitor(name, value)` for the arrays of a quantised weight, where there is one.
template <class Visitor, class Weight>
void visit_quantized(Visitor& visitor, Weight& weight) {
  if (weight) {
    visitor("quantized_weight.numbers", weight->numbers);
    visitor("quantized_weight.scales", weight->scales);
  }
}

}  // namespace ddx::nn::detail
