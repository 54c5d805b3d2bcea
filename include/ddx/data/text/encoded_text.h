/// \file
/// Texts as ids, and how they are made short enough.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::data {

/// A text, or a pair of texts, as a model takes it.
struct EncodedText {
  std::vector<std::int32_t> ids;
  /// Which text of a pair each id belongs to: 0 or 1. Empty: all to the first.
  std::vector<std::int32_t> segments = {};

  friend bool operator==(const EncodedText&, const EncodedText&) = default;
};

/// Which text of a pair gives way where both are too long together.
enum class Truncation : std::uint8_t {
  LongestFirst,  ///< The longer one, down to the other's length; then both by turns.
  OnlyFirst,
  OnlySecond,
};

/// How long an encoded text may be.
struct LengthLimit {
  /// The most ids, those of special tokens included; none: no limit.
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
