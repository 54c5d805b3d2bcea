/// \file
/// House prices around Boston.

#pragma once

#include "ddx/tensor/tensor.h"

#include <filesystem>

namespace ddx::data {

/// Districts and the median price of their houses.
struct BostonHousing {
  Tensor<float> features;  ///< [n, 13]: CRIM, ZN, INDUS, ..., LSTAT, as published.
  Tensor<float> prices;    ///< [n, 1], in 1000 dollars.
};

/// Reads `housing.data`: a line of 14 numbers for each district, between blanks.
///
/// Throws:  EnvironmentError if the file cannot be read, or a line has not 14 finite numbers; names
///          file and line.
/// Source:  D. Harrison, D. Rubinfeld, "Hedonic prices and the demand for clean air", Journal of
///          Environmental Economics and Management 5 (1978).
[[nodiscard]] BostonHousing read_boston_housing(const std::filesystem::path& file);

}  // namespace ddx::data
