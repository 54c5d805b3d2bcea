/// \file
/// What comes before the data of a GGUF file.

#pragma once

#include "ddx/io/gguf_view.h"

#include "io/detail/gguf/gguf_types.h"
#include "io/detail/refusal.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace ddx::io::detail {

/// An array of the directory.
struct GgufEntry {
  const GgufType* type = nullptr;
  Shape shape;
  std::span<const std::uint8_t> bytes;
};

/// The checked header of a file.
struct GgufHeader {
  std::map<std::string, GgufValue> metadata;
  std::map<std::string, GgufEntry> arrays;
};

/// Reads the header of a file with these bytes, and checks that all arrays lie in it. `refuse` is
/// called where they do not, and throws.
[[nodiscard]] GgufHeader read_gguf_header(std::span<const std::uint8_t> file,
                                          std::uint64_t max_bytes, const Refusal& refuse);

}  // namespace ddx::io::detail
