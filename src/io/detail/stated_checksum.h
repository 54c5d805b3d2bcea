/// \file
/// Comparing the checksum that a safetensors file states.

#pragma once

#include "ddx/io/safetensors.h"

#include "io/detail/content_checksum.h"
#include "io/detail/refusal.h"
#include "io/detail/safetensors_header.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace ddx::io::detail {

/// The checksum that a header states and that of what is read, where they are to be compared.
class StatedChecksum {
 public:
  /// Calls `refuse` where the checksum is incomplete, or there must be one and there is none.
  StatedChecksum(const SafetensorsHeader& header, ChecksumUse use, const Refusal& refuse);

  [[nodiscard]] bool is_compared() const noexcept { return is_compared_; }

  /// Adds an array; all are added in the order of their names.
  void add(const std::string& name, const SafetensorsEntry& entry,
           std::span<const std::uint8_t> bytes);

  /// Calls `refuse` where the checksum differs from that of what was added.
  void compare(const Refusal& refuse) const;

 private:
  const SafetensorsHeader& header_;
  bool is_compared_;
  ContentChecksum sum_;
};

/// The remarks of a header without those of the checksum.
[[nodiscard]] std::map<std::string, std::string> remarks_of(SafetensorsHeader header);

}  // namespace ddx::io::detail
