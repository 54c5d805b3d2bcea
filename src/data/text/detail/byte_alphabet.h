/// \file
/// GPT-2's alphabet: one visible character for each byte.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// The character that represents a byte, in UTF-8: the byte itself if it is printable in Latin-1,
/// otherwise one of U+0100 to U+0143, in the order of the bytes.
///
/// Source:  A. Radford et al., "Language models are unsupervised multitask learners" (2019), and
///          its published vocabulary.
[[nodiscard]] const std::string& letter_of(std::uint8_t byte);

/// The 256 characters, in the order of their code points.
[[nodiscard]] std::vector<std::string> byte_alphabet();

/// The bytes that a text in this alphabet represents; none if it has another character.
[[nodiscard]] std::optional<std::string> bytes_of_letters(std::string_view letters);

}  // namespace ddx::data::detail
