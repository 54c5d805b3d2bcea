/// \file
/// The message that replicas exchange before each collective operation.

#pragma once

#include "ddx/distributed/detail/collective.h"
#include "ddx/tensor/detail/array.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::distributed {

/// A replica's call, sent as these bytes, so all replicas run the same build on machines of one
/// byte order.
struct Header {
  std::uint64_t number = 0;  ///< Of the operation in the group; the first is 1.
  double weight = 1;
  std::int64_t root = 0;
  std::uint64_t inlined = 0;  ///< Bytes of the operand that follow in the same message.
  std::array<std::int64_t, Shape::max_rank> extents{};
  std::uint8_t rank = 0;  ///< The number of extents.
  detail::CollectiveKind kind = detail::CollectiveKind::Barrier;
  Reduction reduction = Reduction::Sum;
  DType dtype = DType::f32;
  std::array<std::uint8_t, 4> unused{};

  [[nodiscard]] Shape shape() const { return Shape(std::span(extents.data(), rank)); }
};

/// The header of a call, without the operand so far.
[[nodiscard]] Header header_of(const detail::CollectiveCall& call, std::uint64_t number,
                               const ddx::detail::Array& operand) noexcept;

/// Renders as "all_reduce (sum) of f32 [2, 3]".
[[nodiscard]] std::string to_string(const Header& header);

/// Whether two replicas call the same operation.
[[nodiscard]] bool agree(const Header& a, const Header& b) noexcept;

}  // namespace ddx::distributed
