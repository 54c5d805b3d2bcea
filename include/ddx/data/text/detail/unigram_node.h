/// \file
/// A piece on a path through a text.

#pragma once

#include <cstddef>
#include <cstdint>

namespace ddx::data::detail {

/// A piece, and the bytes of the text that it covers.
struct UnigramNode {
  std::int32_t id;
  std::size_t begin;
  std::size_t end;
};

}  // namespace ddx::data::detail
