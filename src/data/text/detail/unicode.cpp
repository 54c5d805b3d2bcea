#include "data/text/detail/unicode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ddx::data::detail {
namespace {

using enum GeneralCategory;

/// The first code point of a run, and the category of all in it.
struct CategoryRun {
  char32_t first;
  GeneralCategory category;
};

constexpr CategoryRun category_runs[] = {
#include "data/text/detail/unicode/categories.inc"
};

/// A run of code points with one canonical combining class.
struct CombiningRun {
  char32_t first;
  char32_t last;
  std::uint8_t combining_class;
};

constexpr CombiningRun combining_runs[] = {
#include "data/text/detail/unicode/combining_classes.inc"
};

/// A code point and what it decomposes into, filled up with zeros.
struct Decomposition {
  char32_t first;
  std::array<char32_t, 4> parts;
};

constexpr Decomposition decompositions[] = {
#include "data/text/detail/unicode/decompositions.inc"
};

/// A code point and its lower case.
struct LowerCase {
  char32_t first;
  char32_t lower;
};

constexpr LowerCase lower_cases[] = {
#include "data/text/detail/unicode/lower_case.inc"
};

/// The last row of a table in order that does not begin behind the point; null where there is none.
template <class Row, std::size_t size>
const Row* row_before(const Row (&table)[size], char32_t point) noexcept {
  const auto* after = std::upper_bound(std::begin(table), std::end(table), point,
                                       [](char32_t p, const Row& row) { return p < row.first; });
  return after == std::begin(table) ? nullptr : after - 1;
}

/// The row of this very point; null where there is none.
template <class Row, std::size_t size>
const Row* row_of(const Row (&table)[size], char32_t point) noexcept {
  const auto* row = row_before(table, point);
  return row != nullptr && row->first == point ? row : nullptr;
}

std::uint8_t combining_class(char32_t point) noexcept {
  const auto* run = row_before(combining_runs, point);
  return run != nullptr && point <= run->last ? run->combining_class : std::uint8_t{0};
}

bool is_between(GeneralCategory category, GeneralCategory first, GeneralCategory last) noexcept {
  return first <= category && category <= last;
}

/// Appends the parts of a Hangul syllable; false where the point is none.
bool append_hangul(std::u32string& text, char32_t point) {
  // Section 3.12: syllable = base + (leading * 21 + vowel) * 28 + trailing.
  constexpr char32_t base = 0xAC00;
  constexpr char32_t count = 19 * 21 * 28;
  if (point < base || point >= base + count) {
    return false;
  }
  const char32_t index = point - base;
  text.push_back(0x1100 + index / (21 * 28));
  text.push_back(0x1161 + index % (21 * 28) / 28);
  if (index % 28 != 0) {
    text.push_back(0x11A7 + index % 28);
  }
  return true;
}

void append_decomposed(std::u32string& text, char32_t point) {
  if (point < 0xC0) {
    text.push_back(point);
  } else if (!append_hangul(text, point)) {
    const auto* row = row_of(decompositions, point);
    if (row == nullptr) {
      text.push_back(point);
      return;
    }
    for (const auto part : row->parts) {
      if (part != 0) {
        text.push_back(part);
      }
    }
  }
}

/// Sorts marks by their class; equal classes keep their order.
void order_marks(std::u32string::iterator first, std::u32string::iterator last) {
  std::vector<std::tuple<std::uint8_t, std::size_t, char32_t>> marks;
  for (auto mark = first; mark != last; ++mark) {
    marks.emplace_back(combining_class(*mark), marks.size(), *mark);
  }
  std::sort(marks.begin(), marks.end());
  std::transform(marks.begin(), marks.end(), first, [](const auto& mark) { return get<2>(mark); });
}

}  // namespace

GeneralCategory general_category(char32_t point) noexcept {
  return point > 0x10FFFF ? Cn : row_before(category_runs, point)->category;
}

bool is_letter(char32_t point) noexcept {
  return is_between(general_category(point), Lu, Lo);
}

bool is_number(char32_t point) noexcept {
  return is_between(general_category(point), Nd, No);
}

bool is_punctuation(char32_t point) noexcept {
  return is_between(general_category(point), Pc, Po);
}

bool is_control(char32_t point) noexcept {
  return is_between(general_category(point), Cc, Co);
}

bool is_white_space(char32_t point) noexcept {
  return (point >= 0x09 && point <= 0x0D) || point == 0x85 ||
         is_between(general_category(point), Zs, Zp);
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string lower;
  lower.reserve(text.size());
  for (const auto point : text) {
    if (point == 0x130) {  // The only one whose lower case takes two: i and a dot above.
      lower += U"i\u0307";
    } else {
      const auto* row = row_of(lower_cases, point);
      lower.push_back(row == nullptr ? point : row->lower);
    }
  }
  return lower;
}

std::u32string canonical_decomposition(std::u32string_view text) {
  std::u32string result;
  result.reserve(text.size());
  for (const auto point : text) {
    append_decomposed(result, point);
  }
  const auto is_mark = [](char32_t point) { return combining_class(point) != 0; };
  for (auto first = result.begin(); first != result.end();) {
    first = std::find_if(first, result.end(), is_mark);
    const auto last = std::find_if_not(first, result.end(), is_mark);
    order_marks(first, last);
    first = last;
  }
  return result;
}

}  // namespace ddx::data::detail
