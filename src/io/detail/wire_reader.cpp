#include "io/detail/wire_reader.h"

#include "ddx/core/error.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

std::optional<WireField> WireReader::next() {
  if (position_ == bytes_.size()) {
    return std::nullopt;
  }
  const auto begin = offset();
  const auto key = varint();
  WireField field{.number = key >> 3, .offset = offset()};
  if (field.number == 0 || field.number >> 29 != 0) {
    fail(begin, "a field has number " + std::to_string(field.number));
  }
  switch (key & 7) {
    case 0:
      field.value = varint();
      break;
    case 1:
      field.value = fixed(8);
      field.is_fixed64 = true;
      break;
    case 2: {
      const auto size = varint();
      field.offset = offset();
      field.bytes = take(size, "a field of " + std::to_string(size) + " bytes");
      break;
    }
    case 5:
      field.value = fixed(4);
      field.is_fixed32 = true;
      break;
    default:
      fail(begin, "a field has wire type " + std::to_string(key & 7));
  }
  return field;
}

WireReader WireReader::message(const WireField& field) const {
  if (!field.bytes) {
    fail(field.offset, "field " + std::to_string(field.number) + " is not a message");
  }
  return {operation_, file_, *field.bytes, field.offset};
}

std::string WireReader::text(const WireField& field) const {
  if (!field.bytes) {
    fail(field.offset, "field " + std::to_string(field.number) + " is not a string");
  }
  return {field.bytes->begin(), field.bytes->end()};
}

float WireReader::real(const WireField& field) const {
  if (!field.is_fixed32) {
    fail(field.offset, "field " + std::to_string(field.number) + " is not a float");
  }
  return std::bit_cast<float>(static_cast<std::uint32_t>(*field.value));
}

std::uint64_t WireReader::number(const WireField& field) const {
  if (!field.value) {
    fail(field.offset, "field " + std::to_string(field.number) + " is not a number");
  }
  return *field.value;
}

std::vector<std::uint64_t> WireReader::varints(const WireField& field) const {
  if (field.is_fixed32 || field.is_fixed64) {
    fail(field.offset, "field " + std::to_string(field.number) + " has numbers of a fixed size");
  }
  if (field.value) {
    return {*field.value};
  }
  WireReader packed = message(field);
  std::vector<std::uint64_t> result;
  while (packed.position_ < packed.bytes_.size()) {
    result.push_back(packed.varint());
  }
  return result;
}

std::vector<std::uint64_t> WireReader::fixed_values(const WireField& field,
                                                    std::size_t size) const {
  if (field.value) {
    if (size == 4 ? !field.is_fixed32 : !field.is_fixed64) {
      fail(field.offset, "field " + std::to_string(field.number) + " has no numbers of " +
                             std::to_string(size) + " bytes");
    }
    return {*field.value};
  }
  WireReader packed = message(field);
  std::vector<std::uint64_t> result;
  result.reserve(packed.bytes_.size() / size);
  while (packed.position_ < packed.bytes_.size()) {
    result.push_back(packed.fixed(size));
  }
  return result;
}

void WireReader::fail(std::size_t offset, const std::string& facts) const {
  throw EnvironmentError(operation_, file_ + ", byte " + std::to_string(offset) + ": " + facts);
}

std::uint64_t WireReader::varint() {
  const auto begin = offset();
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = take(1, "a number")[0];
    value |= (byte & 0x7F) << shift;
    if (byte < 0x80) {
      return value;
    }
  }
  fail(begin, "a number has more than 64 bits");
}

std::uint64_t WireReader::fixed(std::size_t size) {
  const auto bytes = take(size, "a number of " + std::to_string(size) + " bytes");
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

std::span<const std::uint8_t> WireReader::take(std::uint64_t size, const std::string& what) {
  const auto left = bytes_.size() - position_;
  if (size > left) {
    fail(start_ + bytes_.size(), "the message ends inside " + what);
  }
  const auto taken = bytes_.subspan(position_, static_cast<std::size_t>(size));
  position_ += taken.size();
  return taken;
}

}  // namespace ddx::io::detail
