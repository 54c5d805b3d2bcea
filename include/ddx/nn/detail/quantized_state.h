/// \file
/// What layers with quantised weights share.

#pragma once

#include "ddx/core/error.h"

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

/// Calls `visitor(name, value)` for the arrays of a quantised weight, where there is one.
template <class Visitor, class Weight>
void visit_quantized(Visitor& visitor, Weight& weight) {
  if (weight) {
    visitor("quantized_weight.numbers", weight->numbers);
    visitor("quantized_weight.scales", weight->scales);
  }
}

}  // namespace ddx::nn::detail
