// Stands in for src/io/detail/snappy.cpp where snappy was not there to build with.

#include "io/detail/snappy.h"

#include "ddx/io/tensor_bundle.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ddx::io {

bool has_snappy() noexcept {
  return false;
}

namespace detail {

std::optional<std::vector<std::uint8_t>> unpacked_snappy(std::span<const std::uint8_t>) {
  return std::nullopt;
}

}  // namespace detail
}  // namespace ddx::io
