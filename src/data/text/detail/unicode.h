/// \file
/// Properties of characters, of Unicode 14.0.0 (tools/make_unicode_tables.py).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::data::detail {

/// The general categories, by their short names.
enum class GeneralCategory : std::uint8_t {
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cf,
  Cs,
  Co,
  Cn,
};

/// The general category of a code point; `Cn` for what is none.
[[nodiscard]] GeneralCategory general_category(char32_t point) noexcept;

/// Category L.
[[nodiscard]] bool is_letter(char32_t point) noexcept;
/// Category N.
[[nodiscard]] bool is_number(char32_t point) noexcept;
/// Category P.
[[nodiscard]] bool is_punctuation(char32_t point) noexcept;
/// Category C except for unassigned characters: controls, formats, private use.
[[nodiscard]] bool is_control(char32_t point) noexcept;
/// Category M.
[[nodiscard]] bool is_mark(char32_t point) noexcept;
/// Letters, marks, digits, connectors and joiners.
///
/// Source:  Unicode Technical Standard 18, "Unicode regular expressions", annex C: \w.
[[nodiscard]] bool is_word_character(char32_t point) noexcept;
/// The property White_Space: category Z, and six controls (U+0009 to U+000D, U+0085).
[[nodiscard]] bool is_white_space(char32_t point) noexcept;

/// The text in lower case, each code point by itself: a capital sigma becomes U+03C3 also at the
/// end of a word.
[[nodiscard]] std::u32string lower_case(std::u32string_view text);

/// The text with its characters decomposed, combining marks in canonical order (normalisation form
/// D).
///
/// Source:  The Unicode Standard 14.0, sections 3.11 and 3.12.
[[nodiscard]] std::u32string canonical_decomposition(std::u32string_view text);

/// The same with compatibility characters decomposed as well (normalisation form KD).
[[nodiscard]] std::u32string compatibility_decomposition(std::u32string_view text);

/// A decomposed text with its characters composed: forms C and KC of forms D and KD.
[[nodiscard]] std::u32string canonical_composition(std::u32string_view decomposed);

}  // namespace ddx::data::detail
