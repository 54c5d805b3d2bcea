/// \file
/// The settings of the model that pronounces words, its letters and phonemes, and the names of its
/// arrays in published files.

#pragma once

#include "ddx/models/pretrained/name_rules.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::models {

/// The settings of GraphemeToPhoneme; by default those that are published.
struct GraphemeToPhonemeOptions {
  std::int64_t letters = 29;
  std::int64_t phonemes = 74;
  std::int64_t features = 256;  ///< Of the vectors of letters and phonemes.
  std::int64_t hidden = 256;    ///< What is remembered.

  friend bool operator==(const GraphemeToPhonemeOptions&,
                         const GraphemeToPhonemeOptions&) = default;
};

/// The tokens that begin and end what the published model writes.
inline constexpr std::int32_t first_phoneme = 2;
inline constexpr std::int32_t last_phoneme = 3;

/// A word as the published model reads it: small letters from a to z, others as unknown, and an
/// end.
[[nodiscard]] std::vector<std::int32_t> letter_tokens(std::string_view word);

/// The phonemes that the published model writes, by ARPAbet with stresses, with blanks between:
/// "K AH0 M P IH1 L ER0".
///
/// Throws:  UsageError where a token is not in [0, 74).
[[nodiscard]] std::string phoneme_text(std::span<const std::int32_t> tokens);

namespace detail {

/// Throws: UsageError where an extent is below 1.
const GraphemeToPhonemeOptions& checked(const GraphemeToPhonemeOptions& options);

}  // namespace detail

/// What the arrays of such a model are called in `checkpoint20.npz` of g2p-en.
[[nodiscard]] NameRules name_rules(const GraphemeToPhonemeOptions& options);

}  // namespace ddx::models
