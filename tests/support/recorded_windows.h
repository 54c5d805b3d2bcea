/// \file
/// Compares functions with windows with the recordings of tests/goldens/make_windows.py.

#pragma once

#include "ddx/core/shape.h"
#include "ddx/tensor/options.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_layers.h"
#include "tests/support/recording.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace ddx::testing {

/// The rows of one table.
inline nlohmann::json recorded_windows(const std::string& table) {
  return recording("windows.json")[table];
}

/// A list of a row as a shape.
inline Shape shape_in(const nlohmann::json& row, const std::string& name) {
  const auto extents = row[name].get<std::vector<std::int64_t>>();
  return Shape(std::span<const std::int64_t>(extents));
}

/// A list of a row, one number per axis.
template <std::size_t axes>
Extents<axes> extents_in(const nlohmann::json& row, const std::string& name) {
  return row[name].get<Extents<axes>>();
}

/// The padding of a row: `low` on both sides where there is no `high`.
inline Padding padding_in(const nlohmann::json& row) {
  const auto low = row["low"].get<std::vector<std::int64_t>>();
  const auto high = row.value("high", low);
  switch (low.size()) {
    case 1:
      return Padding::amounts(low[0], high[0]);
    case 2:
      return Padding::amounts(low[0], high[0], low[1], high[1]);
    default:
      return Padding::amounts(low[0], high[0], low[1], high[1], low[2], high[2]);
  }
}

/// Expects the numbers of a row.
inline void expect_in(const nlohmann::json& row, const std::string& name,
                      const Tensor<double>& got) {
  const auto expected = row[name].get<std::vector<double>>();
  ASSERT_EQ(got.count(), expected.size()) << name;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(got.elements()[i], expected[i], 1e-11 * (1 + std::abs(expected[i])))
        << name << ", element " << i << " of " << row.dump().substr(0, 160);
  }
}

}  // namespace ddx::testing
