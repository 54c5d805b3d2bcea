/// \file
/// The header of a `.npy` file.

#pragma once

#include "io/detail/npy_bytes.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::io::detail {

/// What the header of a `.npy` file says.
struct NpyHeader {
  std::string type;  ///< Byte order, letter and size: "<f4".
  bool column_major = false;
  std::vector<std::uint64_t> extents;
};

/// Reads the text of a header, a dictionary in Python's notation with exactly the keys 'descr',
/// 'fortran_order' and 'shape'. `refuse` receives the fault, and throws.
[[nodiscard]] NpyHeader parse_npy_header(std::string_view text, const Refusal& refuse);

/// The text of a header, without padding.
[[nodiscard]] std::string npy_header_text(const NpyHeader& header);

}  // namespace ddx::io::detail
