#include "data/text/detail/unicode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
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

/// The categories of Latin letters, which most texts are made of, without a search.
constexpr auto first_categories = [] {
  std::array<GeneralCategory, 0x180> categories{};
  std::size_t run = 0;
  for (std::size_t point = 0; point < categories.size(); ++point) {
    if (category_runs[run + 1].first <= point) {
      ++run;
    }
    categories[point] = category_runs[run].category;
  }
  return categories;
}();

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

/// A code point and its full compatibility decomposition.
struct Compatibility {
  char32_t first;
  std::u32string_view parts;
};

constexpr Compatibility compatibilities[] = {
#include "data/text/detail/unicode/compatibility.inc"
};

/// Two code points and what they compose to.
struct Composition {
  char32_t first;
  char32_t second;
  char32_t composed;
};

constexpr Composition compositions[] = {
#include "data/text/detail/unicode/compositions.inc"
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
  constexpr char32_t first_mark = 0x300;
  if (point < first_mark) {
    return 0;
  }
  const auto* run = row_before(combining_runs, point);
  return run != nullptr && point <= run->last ? run->combining_class : std::uint8_t{0};
}

bool is_between(GeneralCategory category, GeneralCategory first, GeneralCategory last) noexcept {
  return first <= category && category <= last;
}

// Section 3.12: syllable = base + (leading * vowels + vowel) * trailings + trailing.
constexpr char32_t hangul_base = 0xAC00;
constexpr char32_t leading_base = 0x1100;
constexpr char32_t vowel_base = 0x1161;
constexpr char32_t trailing_base = 0x11A7;  // Means none; the first trailing consonant follows it.
constexpr char32_t leadings = 19;
constexpr char32_t vowels = 21;
constexpr char32_t trailings = 28;

/// Appends the parts of a Hangul syllable; false where the point is none.
bool append_hangul(std::u32string& text, char32_t point) {
  if (point < hangul_base || point >= hangul_base + leadings * vowels * trailings) {
    return false;
  }
  const char32_t index = point - hangul_base;
  text.push_back(leading_base + index / (vowels * trailings));
  text.push_back(vowel_base + index % (vowels * trailings) / trailings);
  if (index % trailings != 0) {
    text.push_back(trailing_base + index % trailings);
  }
  return true;
}

/// The Hangul syllable of two parts; 0 where they make none.
char32_t composed_hangul(char32_t first, char32_t second) noexcept {
  if (first >= leading_base && first < leading_base + leadings && second >= vowel_base &&
      second < vowel_base + vowels) {
    return hangul_base + ((first - leading_base) * vowels + (second - vowel_base)) * trailings;
  }
  const bool is_open = first >= hangul_base &&
                       first < hangul_base + leadings * vowels * trailings &&
                       (first - hangul_base) % trailings == 0;
  return is_open && second > trailing_base && second < trailing_base + trailings
             ? first + (second - trailing_base)
             : 0;
}

/// What two code points compose to; 0 where they do not.
char32_t composed(char32_t first, char32_t second) noexcept {
  const auto key = std::pair(first, second);
  const auto* row = std::lower_bound(std::begin(compositions), std::end(compositions), key,
                                     [](const Composition& entry, const auto& wanted) {
                                       return std::pair(entry.first, entry.second) < wanted;
                                     });
  const bool is_found = row != std::end(compositions) && std::pair(row->first, row->second) == key;
  return is_found ? row->composed : composed_hangul(first, second);
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

void append_compatibility(std::u32string& text, char32_t point) {
  const auto* row = point < 0xA0 ? nullptr : row_of(compatibilities, point);
  if (row == nullptr) {
    append_decomposed(text, point);
  } else {
    text += row->parts;
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

/// The text with each character decomposed by `append`, and its marks in canonical order.
std::u32string ordered_decomposition(std::u32string_view text,
                                     void (*append)(std::u32string&, char32_t)) {
  std::u32string result;
  result.reserve(text.size());
  for (const auto point : text) {
    append(result, point);
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

}  // namespace

GeneralCategory general_category(char32_t point) noexcept {
  if (point < first_categories.size()) {
    return first_categories[point];
  }
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

bool is_mark(char32_t point) noexcept {
  return is_between(general_category(point), Mn, Me);
}

bool is_word_character(char32_t point) noexcept {
  const auto category = general_category(point);
  // Symbols with the property Other_Alphabetic: letters in circles and squares.
  const bool is_enclosed =
      (point >= 0x24B6 && point <= 0x24E9) || (point >= 0x1F130 && point <= 0x1F149) ||
      (point >= 0x1F150 && point <= 0x1F169) || (point >= 0x1F170 && point <= 0x1F189);
  const bool is_joiner = point == 0x200C || point == 0x200D;
  return category <= Nl || category == Pc || is_enclosed || is_joiner;
}

bool is_white_space(char32_t point) noexcept {
  return (point >= 0x09 && point <= 0x0D) || point == 0x85 ||
         is_between(general_category(point), Zs, Zp);
}

std::u32string lower_case(std::u32string_view text) {
  std::u32string lower;
  lower.reserve(text.size());
  for (const auto point : text) {
    if (point < 0x80) {
      lower.push_back(point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point);
    } else if (point == 0x130) {  // The only one whose lower case takes two: i and a dot above.
      lower += U"i\u0307";
    } else {
      const auto* row = row_of(lower_cases, point);
      lower.push_back(row == nullptr ? point : row->lower);
    }
  }
  return lower;
}

std::u32string canonical_decomposition(std::u32string_view text) {
  return ordered_decomposition(text, append_decomposed);
}

std::u32string compatibility_decomposition(std::u32string_view text) {
  return ordered_decomposition(text, append_compatibility);
}

std::u32string canonical_composition(std::u32string_view decomposed) {
  std::u32string result;
  result.reserve(decomposed.size());
  std::size_t starter = 0;  // Where the last starter stands, if there is one.
  bool has_starter = false;
  std::uint8_t last_class = 0;  // That of the last character that was kept behind the starter.
  for (const auto point : decomposed) {
    const auto of_point = combining_class(point);
    const bool is_adjacent = has_starter && starter + 1 == result.size();
    if (has_starter && (is_adjacent || last_class < of_point)) {
      if (const auto whole = composed(result[starter], point)) {
        result[starter] = whole;
        continue;
      }
    }
    if (of_point == 0) {
      starter = result.size();
      has_starter = true;
    }
    last_class = of_point;
    result.push_back(point);
  }
  return result;
}

}  // namespace ddx::data::detail
