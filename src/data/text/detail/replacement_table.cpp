#include "ddx/data/text/detail/replacement_table.h"

#include "ddx/core/error.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::size_t unit_bytes = 4;

// The bits of a unit: a value has bit 31; a node has its label in the lowest byte, a flag in bit 8
// where it carries a value, and in the upper bits how far its children are.
constexpr bool has_value(std::uint32_t unit) noexcept {
  return (unit >> 8 & 1) != 0;
}
constexpr std::uint32_t value(std::uint32_t unit) noexcept {
  return unit & 0x7FFFFFFF;
}
/// No byte where the unit is a value.
constexpr std::uint32_t label(std::uint32_t unit) noexcept {
  return unit & 0x800000FF;
}
constexpr std::size_t child_distance(std::uint32_t unit) noexcept {
  return static_cast<std::size_t>(unit >> 10) << ((unit >> 9 & 1) * 8);
}

std::uint32_t little_endian(std::span<const std::uint8_t> bytes) noexcept {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 |
         std::uint32_t{bytes[3]} << 24;
}

}  // namespace

ReplacementTable::ReplacementTable(std::span<const std::uint8_t> bytes,
                                   const std::string& operation) {
  const auto size = bytes.size() < unit_bytes ? 0 : little_endian(bytes);
  if (bytes.size() < unit_bytes || size == 0 || size % unit_bytes != 0 ||
      size > bytes.size() - unit_bytes) {
    throw UsageError(operation, "replacements of " + std::to_string(bytes.size()) +
                                    " bytes cannot hold a trie of " + std::to_string(size));
  }
  const auto trie = bytes.subspan(unit_bytes, size);
  for (std::size_t i = 0; i < trie.size(); i += unit_bytes) {
    units_.push_back(little_endian(trie.subspan(i)));
  }
  const auto texts = bytes.subspan(unit_bytes + size);
  replacements_.assign(texts.begin(), texts.end());
  if (!replacements_.empty() && replacements_.back() != '\0') {
    throw UsageError(operation, "the last replacement does not end with a zero byte");
  }
  check_nodes(operation);
}

std::optional<std::size_t> ReplacementTable::child(std::size_t base,
                                                   std::uint8_t byte) const noexcept {
  const auto place = base ^ byte;
  return place < units_.size() && label(units_[place]) == byte ? std::optional(place)
                                                               : std::nullopt;
}

void ReplacementTable::check_nodes(const std::string& operation) const {
  std::vector<bool> is_seen(units_.size());
  std::vector<std::size_t> waiting = {0};
  is_seen[0] = true;
  while (!waiting.empty()) {
    const auto node = waiting.back();
    waiting.pop_back();
    const auto base = node ^ child_distance(units_[node]);
    if (node != 0 && has_value(units_[node]) &&
        (base >= units_.size() || value(units_[base]) >= replacements_.size())) {
      throw UsageError(operation, "unit " + std::to_string(node) +
                                      " of the replacements points outside of them");
    }
    for (int byte = 0; byte < 256; ++byte) {
      const auto place = child(base, static_cast<std::uint8_t>(byte));
      if (place && !is_seen[*place]) {
        is_seen[*place] = true;
        waiting.push_back(*place);
      }
    }
  }
}

std::optional<ReplacementTable::Match> ReplacementTable::longest_match(
    std::string_view text) const noexcept {
  return match(text, false);
}

std::optional<ReplacementTable::Match> ReplacementTable::shortest_match(
    std::string_view text) const noexcept {
  return match(text, true);
}

std::optional<ReplacementTable::Match> ReplacementTable::match(std::string_view text,
                                                               bool is_shortest) const noexcept {
  std::optional<Match> found;
  if (units_.empty()) {
    return found;
  }
  auto base = child_distance(units_[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto place = child(base, static_cast<std::uint8_t>(text[i]));
    if (!place) {
      break;
    }
    base = *place ^ child_distance(units_[*place]);
    if (has_value(units_[*place])) {
      const char* begin = replacements_.data() + value(units_[base]);
      found = Match{i + 1, {begin, std::strlen(begin)}};
      if (is_shortest) {
        break;
      }
    }
  }
  return found;
}

}  // namespace ddx::data::detail
