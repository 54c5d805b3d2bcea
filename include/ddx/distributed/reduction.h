/// \file
/// How the arrays of several replicas become one.

#pragma once

#include <cstdint>

namespace ddx::distributed {

/// What is done to the elements that stand at one place on all replicas.
enum class Reduction : std::uint8_t { Sum, Mean, Min, Max, Product };

/// Renders as "sum", "mean", "min", "max" or "product".
[[nodiscard]] const char* to_string(Reduction reduction) noexcept;

}  // namespace ddx::distributed
