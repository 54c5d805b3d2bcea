#include "ddx/data/text/lexicon.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ddx::data {

Lexicon::Lexicon(const std::vector<std::vector<std::int32_t>>& sequences,
                 const LexiconOptions& options) {
  if (options.shortest < 1 || options.longest < options.shortest || options.least_frequency < 1) {
    throw UsageError("Lexicon", "pieces of " + std::to_string(options.shortest) + " to " +
                                    std::to_string(options.longest) + " characters that occur " +
                                    std::to_string(options.least_frequency) + " times or more");
  }
  std::map<std::vector<std::int32_t>, std::int64_t> occurrences;
  for (const auto& sequence : sequences) {
    const auto size = static_cast<std::int64_t>(sequence.size());
    for (std::int64_t begin = 0; begin < size; ++begin) {
      const auto most = std::min(options.longest, size - begin);
      for (auto length = options.shortest; length <= most; ++length) {
        const auto first = sequence.begin() + begin;
        ++occurrences[std::vector<std::int32_t>(first, first + length)];
      }
    }
  }
  std::int32_t number = 0;
  for (const auto& [piece, count] : occurrences) {
    if (count >= options.least_frequency) {
      ids_.emplace(piece, number++);
    }
  }
}

std::optional<std::int32_t> Lexicon::id(const std::vector<std::int32_t>& piece) const {
  const auto found = ids_.find(piece);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ddx::data
