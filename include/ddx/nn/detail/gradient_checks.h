/// \file
/// Whether the numbers of a gradient are numbers.

#pragma once

#include "ddx/core/error.h"
#include "ddx/nn/detail/parameter_arithmetic.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"

namespace ddx::nn::detail {

/// Throws: UsageError where an element is infinite or NaN: "clip_by_global_norm: gradient of
///         conv1.filter is not finite".
template <class Gradient>
void require_finite(const char* operation, const Gradient& gradient) {
  visit_parameters(
      [&](const Path& path, const auto& part) {
        if (!all_finite(part)) {
          throw UsageError(operation, "gradient of " + to_string(path) + " is not finite");
        }
      },
      gradient);
}

/// Whether no element is infinite or NaN.
template <class Gradient>
bool is_finite(const Gradient& gradient) {
  bool finite = true;
  visit_parameters([&](const Path&, const auto& part) { finite = finite && all_finite(part); },
                   gradient);
  return finite;
}

}  // namespace ddx::nn::detail
