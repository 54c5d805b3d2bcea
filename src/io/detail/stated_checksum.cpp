#include "io/detail/stated_checksum.h"

#include "ddx/io/safetensors.h"

#include "io/detail/content_checksum.h"
#include "io/detail/json_value.h"
#include "io/detail/refusal.h"
#include "io/detail/safetensors_header.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

namespace ddx::io::detail {
namespace {

/// Whether the file has a checksum that is to be compared.
bool must_compare(const SafetensorsHeader& header, ChecksumUse use, const Refusal& refuse) {
  if (use == ChecksumUse::Ignored) {
    return false;
  }
  const auto sum = header.metadata.find(std::string(checksum_name));
  const auto covers = header.metadata.find(std::string(covered_name));
  if (sum == header.metadata.end() && covers == header.metadata.end()) {
    if (use == ChecksumUse::Required) {
      refuse("has no checksum");
    }
    return false;
  }
  if (sum == header.metadata.end() || covers == header.metadata.end() ||
      covers->second != covered) {
    refuse("is damaged: its checksum is incomplete");
  }
  return true;
}

}  // namespace

StatedChecksum::StatedChecksum(const SafetensorsHeader& header, ChecksumUse use,
                               const Refusal& refuse)
    : header_(header), is_compared_(must_compare(header, use, refuse)) {
  if (is_compared_) {
    sum_.add_remarks(header.metadata);
  }
}

void StatedChecksum::add(const std::string& name, const SafetensorsEntry& entry,
                         std::span<const std::uint8_t> bytes) {
  if (is_compared_) {
    sum_.add_array(name, entry.dtype, entry.shape);
    sum_.add_bytes(bytes);
  }
}

void StatedChecksum::compare(const Refusal& refuse) const {
  if (!is_compared_) {
    return;
  }
  const auto& expected = header_.metadata.at(std::string(checksum_name));
  if (sum_.text() != expected) {
    refuse("is damaged, or was changed by a program that does not know its checksum: it is " +
           sum_.text() + ", not " + json_quoted(expected));
  }
}

std::map<std::string, std::string> remarks_of(SafetensorsHeader header) {
  header.metadata.erase(std::string(checksum_name));
  header.metadata.erase(std::string(covered_name));
  return std::move(header.metadata);
}

}  // namespace ddx::io::detail
