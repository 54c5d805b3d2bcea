/// \file
/// Messages in the wire format of protocol buffers.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace ddx::train::detail {

/// A message that grows field by field. A field is a key, (number << 3 | kind), and a value;
/// numbers are written in groups of seven bits, lowest first, each but the last with its top bit
/// set.
///
/// Source:  Google, "Protocol Buffers: Encoding"
/// (https://protobuf.dev/programming-guides/encoding).
class Message {
 public:
  /// A field of type int32 or int64.
  Message& integer(std::uint32_t field, std::int64_t value) {
    key(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  /// A field of type double.
  Message& real(std::uint32_t field, double value) {
    key(field, 1);
    fixed(std::bit_cast<std::uint64_t>(value), 8);
    return *this;
  }
  /// A field of type float.
  Message& real(std::uint32_t field, float value) {
    key(field, 5);
    fixed(std::bit_cast<std::uint32_t>(value), 4);
    return *this;
  }
  /// A field of type bytes or another message.
  Message& bytes(std::uint32_t field, std::span<const std::uint8_t> value) {
    key(field, 2);
    varint(value.size());
    content_.insert(content_.end(), value.begin(), value.end());
    return *this;
  }
  /// A field of type string.
  Message& text(std::uint32_t field, std::string_view value) {
    return bytes(field, {reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
  }
  /// A packed field of doubles.
  Message& reals(std::uint32_t field, std::span<const double> values) {
    key(field, 2);
    varint(values.size_bytes());
    for (const double value : values) {
      fixed(std::bit_cast<std::uint64_t>(value), 8);
    }
    return *this;
  }

  [[nodiscard]] std::span<const std::uint8_t> content() const noexcept { return content_; }

 private:
  void key(std::uint32_t field, std::uint32_t kind) { varint(field << 3 | kind); }

  void varint(std::uint64_t value) {
    for (; value >= 128; value >>= 7) {
      content_.push_back(static_cast<std::uint8_t>(value | 128));
    }
    content_.push_back(static_cast<std::uint8_t>(value));
  }

  void fixed(std::uint64_t value, int size) {
    for (int shift = 0; shift < 8 * size; shift += 8) {
      content_.push_back(static_cast<std::uint8_t>(value >> shift));
    }
  }

  std::vector<std::uint8_t> content_;
};

}  // namespace ddx::train::detail
