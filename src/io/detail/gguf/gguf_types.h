/// \file
/// The element types of GGUF files.

#pragma once

#include "ddx/core/dtype.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ddx::io::detail {

/// Multiplies out one block.
using DecodeBlock = void (*)(const std::uint8_t* block, float* elements);

/// An element type of ggml. Elements lie in blocks; a plain type has blocks of one.
struct GgufType {
  std::uint32_t number = 0;
  std::string_view name;
  std::size_t block_elements = 1;
  std::size_t block_bytes = 0;
  DType dtype = DType::f32;      ///< Of the elements as they are read.
  DecodeBlock decode = nullptr;  ///< None of plain types, and of those that are not supported.
  bool is_supported = true;
};

/// The type of this number; null where ggml has none.
[[nodiscard]] const GgufType* gguf_type(std::uint32_t number) noexcept;

/// Writes the elements of whole blocks as f32.
///
/// Precondition: the type has a decoder, and `elements` has room for all of the blocks.
void decode_blocks(const GgufType& type, std::span<const std::uint8_t> blocks,
                   std::span<float> elements) noexcept;

/// The bytes of the scale before the numbers of a group.
inline constexpr std::size_t scale_bytes = 2;

/// The bits of the numbers of blocks that are groups as QuantizedMatrix has them; none of others.
[[nodiscard]] std::optional<int> group_bits(const GgufType& type) noexcept;

/// Copies the numbers and the scales of whole blocks.
///
/// Precondition: group_bits has a value, and there is room for all.
void copy_groups(const GgufType& type, std::span<const std::uint8_t> blocks,
                 std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) noexcept;

}  // namespace ddx::io::detail
