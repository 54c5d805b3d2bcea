/// \file
/// The views of several arrays.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/tensor/detail/array.h"

#include <vector>

namespace ddx::detail {

[[nodiscard]] inline std::vector<ops::View> views_of(const std::vector<Array>& arrays) {
  std::vector<ops::View> views;
  views.reserve(arrays.size());
  for (const Array& array : arrays) {
    views.push_back(array.view());
  }
  return views;
}

}  // namespace ddx::detail
