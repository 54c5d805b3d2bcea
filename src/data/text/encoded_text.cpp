#include "ddx/data/text/encoded_text.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

constexpr auto encoded_text_operation = "truncate";

void check_limit(std::int64_t limit) {
  if (limit < 0) {
    throw UsageError(encoded_text_operation,
                     "a limit of " + std::to_string(limit) +
                         " ids is left for the text beside the special tokens");
  }
}

/// The lengths that are left of two texts which are too long by `LongestFirst`.
std::pair<std::int64_t, std::int64_t> balanced_lengths(std::int64_t first, std::int64_t second,
                                                       std::int64_t limit) {
  const std::int64_t shorter = std::min(first, second);
  // Of an odd limit the text that was longer keeps one more, the second where they were equal.
  const std::int64_t kept_of_shorter = std::min(shorter, limit / 2);
  const std::int64_t kept_of_longer = limit - kept_of_shorter;
  return first > second ? std::pair(kept_of_longer, kept_of_shorter)
                        : std::pair(kept_of_shorter, kept_of_longer);
}

void shorten(std::vector<std::int32_t>& ids, std::int64_t excess, const std::string& which) {
  const auto length = static_cast<std::int64_t>(ids.size());
  if (length <= excess) {
    throw UsageError(encoded_text_operation,
                     "the pair is too long by " + std::to_string(excess) + " ids, the " + which +
                         " text, which alone may give way, has " + std::to_string(length));
  }
  ids.resize(static_cast<std::size_t>(length - excess));
}

}  // namespace

void truncate_text(std::vector<std::int32_t>& ids, std::int64_t limit) {
  check_limit(limit);
  ids.resize(std::min(ids.size(), static_cast<std::size_t>(limit)));
}

void truncate_pair(std::vector<std::int32_t>& first, std::vector<std::int32_t>& second,
                   std::int64_t limit, Truncation truncation) {
  check_limit(limit);
  const auto first_length = static_cast<std::int64_t>(first.size());
  const auto second_length = static_cast<std::int64_t>(second.size());
  const std::int64_t excess = first_length + second_length - limit;
  if (excess <= 0) {
    return;
  }
  switch (truncation) {
    case Truncation::LongestFirst: {
      const auto [kept_of_first, kept_of_second] =
          balanced_lengths(first_length, second_length, limit);
      first.resize(static_cast<std::size_t>(kept_of_first));
      second.resize(static_cast<std::size_t>(kept_of_second));
      return;
    }
    case Truncation::OnlyFirst:
      return shorten(first, excess, "first");
    case Truncation::OnlySecond:
      return shorten(second, excess, "second");
  }
}

}  // namespace ddx::data
