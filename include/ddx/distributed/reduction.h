/// \file
/// Reductions over the arrays of several replicas.

#pragma once

#include <cstdint>

namespace ddx::distributed {

/// The reduction of the elements at one position on all replicas.
enum class Reduction : std::uint8_t { Sum, Mean, Min, Max, Product };

/// Renders as "sum", "mean", "min", "max" or "product".
[[nodiscard]] const char* to_string(Reduction reduction) noexcept;

}  // namespace ddx::distributed
