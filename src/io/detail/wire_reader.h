/// \file
/// The wire format of Protocol Buffers, read.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io::detail {

/// One field of a message.
struct WireField {
  std::uint64_t number = 0;
  std::size_t offset = 0;  ///< Where its value begins in the file.
  /// A varint, or the bits of a fixed value.
  std::optional<std::uint64_t> value = {};
  bool is_fixed32 = false;
  bool is_fixed64 = false;
  /// The bytes of a string, of bytes or of an inner message.
  std::optional<std::span<const std::uint8_t>> bytes = {};
};

/// Reads the fields of one message, one after the other. Trusts nothing in it.
class WireReader {
 public:
  /// `operation` opens the messages of errors; `start` is the offset of the bytes in the file.
  WireReader(std::string operation, std::string file, std::span<const std::uint8_t> bytes,
             std::size_t start = 0)
      : operation_(std::move(operation)), file_(std::move(file)), bytes_(bytes), start_(start) {}

  /// The next field; none at the end.
  ///
  /// Throws:  EnvironmentError where the bytes are no field; names the file and the offset.
  [[nodiscard]] std::optional<WireField> next();

  /// The fields of an inner message.
  ///
  /// Throws:  EnvironmentError where the field is none.
  [[nodiscard]] WireReader message(const WireField& field) const;
  /// The text of a field; as above.
  [[nodiscard]] std::string text(const WireField& field) const;
  /// The number of a field that is a float of 32 bits; as above.
  [[nodiscard]] float real(const WireField& field) const;
  /// The number of a field; as above.
  [[nodiscard]] std::uint64_t number(const WireField& field) const;
  /// The numbers of a repeated field, one or several that are packed: varints, or the bits of fixed
  /// values of 4 or 8 bytes; as above.
  [[nodiscard]] std::vector<std::uint64_t> varints(const WireField& field) const;
  [[nodiscard]] std::vector<std::uint64_t> fixed_values(const WireField& field,
                                                        std::size_t size) const;

  /// Throws an EnvironmentError that names the file and the place.
  [[noreturn]] void fail(std::size_t offset, const std::string& facts) const;

 private:
  std::uint64_t varint();
  std::uint64_t fixed(std::size_t size);
  std::span<const std::uint8_t> take(std::uint64_t size, const std::string& what);
  [[nodiscard]] std::size_t offset() const noexcept { return start_ + position_; }

  std::string operation_;
  std::string file_;
  std::span<const std::uint8_t> bytes_;
  std::size_t start_;
  std::size_t position_ = 0;
};

}  // namespace ddx::io::detail
