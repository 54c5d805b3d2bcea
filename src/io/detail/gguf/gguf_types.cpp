#include "io/detail/gguf/gguf_types.h"

#include "ddx/core/dtype.h"
#include "ddx/core/float16.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace ddx::io::detail {
namespace {

// Products are rounded before a sum, as in the reference, whatever the processor can fuse.
#pragma clang fp contract(off)

constexpr std::size_t short_block = 32;
constexpr std::size_t long_block = 256;

float half_at(const std::uint8_t* bytes) noexcept {
  return static_cast<float>(Half::from_bits(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8)));
}

float signed_at(const std::uint8_t* byte) noexcept {
  return static_cast<float>(static_cast<std::int8_t>(*byte));
}

/// Element `i` of 32 numbers of 4 bits: the low halves of all bytes, then the high ones.
unsigned nibble(const std::uint8_t* bytes, std::size_t i) noexcept {
  constexpr std::size_t half = short_block / 2;
  return i < half ? bytes[i] & 15U : unsigned{bytes[i - half]} >> 4U;
}

/// Bit `i` of 32.
unsigned bit(const std::uint8_t* bytes, std::size_t i) noexcept {
  return bytes[i / 8] >> (i % 8) & 1U;
}

// scale, 16 bytes of numbers around 8
void decode_q4_0(const std::uint8_t* block, float* elements) {
  const float scale = half_at(block);
  for (std::size_t i = 0; i < short_block; ++i) {
    elements[i] = scale * static_cast<float>(static_cast<int>(nibble(block + 2, i)) - 8);
  }
}

// scale, least, 16 bytes of numbers
void decode_q4_1(const std::uint8_t* block, float* elements) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  for (std::size_t i = 0; i < short_block; ++i) {
    elements[i] = scale * static_cast<float>(nibble(block + 4, i)) + least;
  }
}

// scale, 4 bytes of fifth bits, 16 bytes of numbers around 16
void decode_q5_0(const std::uint8_t* block, float* elements) {
  const float scale = half_at(block);
  for (std::size_t i = 0; i < short_block; ++i) {
    const unsigned number = nibble(block + 6, i) | bit(block + 2, i) << 4U;
    elements[i] = scale * static_cast<float>(static_cast<int>(number) - 16);
  }
}

// scale, least, 4 bytes of fifth bits, 16 bytes of numbers
void decode_q5_1(const std::uint8_t* block, float* elements) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  for (std::size_t i = 0; i < short_block; ++i) {
    const unsigned number = nibble(block + 8, i) | bit(block + 4, i) << 4U;
    elements[i] = scale * static_cast<float>(number) + least;
  }
}

// scale, 32 signed bytes
void decode_q8_0(const std::uint8_t* block, float* elements) {
  const float scale = half_at(block);
  for (std::size_t i = 0; i < short_block; ++i) {
    elements[i] = signed_at(block + 2 + i) * scale;
  }
}

/// The scale and the least number, of 6 bits each, of the parts of 32 elements of a long block:
/// 12 bytes that hold 8 of each.
struct PartScales {
  std::array<unsigned, 8> scale{};
  std::array<unsigned, 8> least{};
};

PartScales part_scales(const std::uint8_t* bytes) noexcept {
  PartScales result;
  for (std::size_t i = 0; i < 4; ++i) {
    const unsigned scale = bytes[i];
    const unsigned least = bytes[i + 4];
    const unsigned rest = bytes[i + 8];
    result.scale[i] = scale & 63U;
    result.least[i] = least & 63U;
    result.scale[i + 4] = (rest & 15U) | (scale >> 6U) << 4U;
    result.least[i + 4] = rest >> 4U | (least >> 6U) << 4U;
  }
  return result;
}

/// Element `i` of 256 numbers of 4 bits: of each 32 bytes the low halves, then the high ones.
unsigned long_nibble(const std::uint8_t* bytes, std::size_t i) noexcept {
  const unsigned byte = bytes[i / 64 * 32 + i % 32];
  return i / 32 % 2 == 0 ? byte & 15U : byte >> 4U;
}

// scale of scales, scale of least numbers, 12 bytes of both, 128 bytes of numbers
void decode_q4_k(const std::uint8_t* block, float* elements) {
  const auto parts = part_scales(block + 4);
  for (std::size_t i = 0; i < long_block; ++i) {
    const float scale = half_at(block) * static_cast<float>(parts.scale[i / 32]);
    const float least = half_at(block + 2) * static_cast<float>(parts.least[i / 32]);
    elements[i] = scale * static_cast<float>(long_nibble(block + 16, i)) - least;
  }
}

// as Q4_K, with 32 bytes of fifth bits before the numbers: bit p of byte j is that of part p
void decode_q5_k(const std::uint8_t* block, float* elements) {
  const auto parts = part_scales(block + 4);
  for (std::size_t i = 0; i < long_block; ++i) {
    const float scale = half_at(block) * static_cast<float>(parts.scale[i / 32]);
    const float least = half_at(block + 2) * static_cast<float>(parts.least[i / 32]);
    const unsigned fifth = block[16 + i % 32] >> (i / 32) & 1U;
    elements[i] = scale * static_cast<float>(long_nibble(block + 48, i) | fifth << 4U) - least;
  }
}

// 128 bytes of low bits, 64 of the upper two, 16 signed scales of 16 elements each, their scale
void decode_q6_k(const std::uint8_t* block, float* elements) {
  const std::uint8_t* upper = block + 128;
  const std::uint8_t* scales = block + 192;
  for (std::size_t i = 0; i < long_block; ++i) {
    const float scale = half_at(block + 208) * signed_at(scales + i / 16);
    const unsigned low = block[i / 128 * 64 + i % 64];
    const unsigned four = i / 64 % 2 == 0 ? low & 15U : low >> 4U;
    const unsigned two = upper[i / 128 * 32 + i % 32] >> (i / 32 % 4 * 2) & 3U;
    elements[i] = scale * static_cast<float>(static_cast<int>(four | two << 4U) - 32);
  }
}

constexpr GgufType plain(std::uint32_t number, std::string_view name, std::size_t bytes,
                         DType dtype) {
  return {.number = number, .name = name, .block_bytes = bytes, .dtype = dtype};
}

constexpr GgufType blocks(std::uint32_t number, std::string_view name, std::size_t elements,
                          std::size_t bytes, DecodeBlock decode = nullptr) {
  return {.number = number,
          .name = name,
          .block_elements = elements,
          .block_bytes = bytes,
          .decode = decode,
          .is_supported = decode != nullptr};
}

// Source: ggml, `ggml.h`, enum ggml_type, and `ggml-common.h`, the sizes of blocks.
constexpr std::array types = {
    plain(0, "F32", 4, DType::f32),
    plain(1, "F16", 2, DType::f16),
    blocks(2, "Q4_0", 32, 18, decode_q4_0),
    blocks(3, "Q4_1", 32, 20, decode_q4_1),
    blocks(6, "Q5_0", 32, 22, decode_q5_0),
    blocks(7, "Q5_1", 32, 24, decode_q5_1),
    blocks(8, "Q8_0", 32, 34, decode_q8_0),
    blocks(9, "Q8_1", 32, 40),
    blocks(10, "Q2_K", 256, 84),
    blocks(11, "Q3_K", 256, 110),
    blocks(12, "Q4_K", 256, 144, decode_q4_k),
    blocks(13, "Q5_K", 256, 176, decode_q5_k),
    blocks(14, "Q6_K", 256, 210, decode_q6_k),
    blocks(15, "Q8_K", 256, 292),
    blocks(16, "IQ2_XXS", 256, 66),
    blocks(17, "IQ2_XS", 256, 74),
    blocks(18, "IQ3_XXS", 256, 98),
    blocks(19, "IQ1_S", 256, 50),
    blocks(20, "IQ4_NL", 32, 18),
    blocks(21, "IQ3_S", 256, 110),
    blocks(22, "IQ2_S", 256, 82),
    blocks(23, "IQ4_XS", 256, 136),
    plain(24, "I8", 1, DType::i8),
    plain(25, "I16", 2, DType::i16),
    plain(26, "I32", 4, DType::i32),
    plain(27, "I64", 8, DType::i64),
    plain(28, "F64", 8, DType::f64),
    blocks(29, "IQ1_M", 256, 56),
    plain(30, "BF16", 2, DType::bf16),
    blocks(34, "TQ1_0", 256, 54),
    blocks(35, "TQ2_0", 256, 66),
    blocks(39, "MXFP4", 32, 17),
    blocks(40, "NVFP4", 64, 36),
    blocks(41, "Q1_0", 128, 18),
};

}  // namespace

const GgufType* gguf_type(std::uint32_t number) noexcept {
  const auto* const found =
      std::ranges::find_if(types, [&](const GgufType& type) { return type.number == number; });
  return found == types.end() ? nullptr : found;
}

void decode_blocks(const GgufType& type, std::span<const std::uint8_t> blocks,
                   std::span<float> elements) noexcept {
  const std::size_t count = blocks.size() / type.block_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    type.decode(blocks.data() + i * type.block_bytes, elements.data() + i * type.block_elements);
  }
}

std::optional<int> group_bits(const GgufType& type) noexcept {
  if (type.decode == decode_q8_0) {
    return 8;
  }
  return type.decode == decode_q4_0 ? std::optional<int>(4) : std::nullopt;
}

void copy_groups(const GgufType& type, std::span<const std::uint8_t> blocks,
                 std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) noexcept {
  // Numbers of 8 bits have signs here, and are counted from 128 there; those of 4 bits are alike.
  const auto turned = static_cast<std::uint8_t>(type.decode == decode_q8_0 ? 0x80 : 0);
  const std::size_t size = type.block_bytes - scale_bytes;
  const std::size_t count = blocks.size() / type.block_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint8_t* const block = blocks.data() + i * type.block_bytes;
    std::copy_n(block, scale_bytes, scales.data() + i * scale_bytes);
    std::uint8_t* const into = numbers.data() + i * size;
    for (std::size_t j = 0; j < size; ++j) {
      into[j] = static_cast<std::uint8_t>(block[scale_bytes + j] ^ turned);
    }
  }
}

}  // namespace ddx::io::detail
