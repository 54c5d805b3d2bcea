/// \file
/// Texts as ids, and their truncation.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::data {

/// A text, or a pair of texts, in the model's input format.
struct EncodedText {
  std::vector<std::int32_t> ids;
  /// Which text of a pair each id belongs to: 0 or 1. Empty: all to the first.
  std::vector<std::int32_t> segments = {};

  friend bool operator==(const EncodedText&, const EncodedText&) = default;
};

/// Which text of a pair is truncated if both are too long together.
enum class Truncation : std::uint8_t {
  LongestFirst,  ///< The longer one, down to the other's length; then both alternately.
  OnlyFirst,
  OnlySecond,
};

/// The maximum length of an encoded text.
struct LengthLimit {
  /// The maximum number of ids, those of special tokens included; none: no limit.
  std::optional<std::int64_t> max_length = {};
  Truncation truncation = Truncation::LongestFirst;
};

/// Drops ids at the end of a text so that at most `limit` are left.
///
/// Throws:  UsageError if `limit` is negative.
void truncate_text(std::vector<std::int32_t>& ids, std::int64_t limit);

/// Drops ids at the ends of two texts so that at most `limit` are left together.
///
/// Throws:  UsageError if `limit` is negative, and if the only text that may give way would have to
///          be shorter than one id.
void truncate_pair(std::vector<std::int32_t>& first, std::vector<std::int32_t>& second,
                   std::int64_t limit, Truncation truncation);

}  // namespace ddx::data
