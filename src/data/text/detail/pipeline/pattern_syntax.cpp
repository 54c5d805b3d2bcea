#include "data/text/detail/pipeline/pattern_syntax.h"

#include "ddx/core/error.h"

#include "data/text/detail/quoted.h"
#include "io/detail/refusal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace ddx::data::detail {
namespace {

constexpr std::string_view spaces = R"(\t-\r\x{85}\p{Z})";
constexpr std::string_view words =
    R"(\p{L}\p{M}\p{Nd}\p{Nl}\p{Pc}\x{24B6}-\x{24E9}\x{1F130}-\x{1F149})"
    R"(\x{1F150}-\x{1F169}\x{1F170}-\x{1F189})";
constexpr std::string_view hexadecimal_digits = "0-9A-Fa-f";

bool is_digit(char letter) noexcept {
  return letter >= '0' && letter <= '9';
}

bool is_hexadecimal(char letter) noexcept {
  return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

bool is_ascii_letter(char letter) noexcept {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// The long names of general categories, in lower case without separators.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> categories = {{
    {"letter", "L"},
    {"uppercaseletter", "Lu"},
    {"lowercaseletter", "Ll"},
    {"titlecaseletter", "Lt"},
    {"modifierletter", "Lm"},
    {"otherletter", "Lo"},
    {"mark", "M"},
    {"nonspacingmark", "Mn"},
    {"number", "N"},
    {"decimalnumber", "Nd"},
    {"punctuation", "P"},
    {"symbol", "S"},
    {"separator", "Z"},
    {"any", "Any"},
    {"alphabetic", "Alphabetic"},
}};

/// Translates an expression from left to right.
class Translation {
 public:
  Translation(const std::string& expression, const io::detail::Refusal& refuse)
      : source_(expression), refuse_(refuse) {}

  std::string result() && {
    while (place_ < source_.size()) {
      const char letter = source_[place_];
      if (letter == '\\') {
        escape(false);
      } else if (letter == '[') {
        outer_class();
      } else if (letter == '(') {
        group();
      } else if (letter == '{') {
        interval();
      } else {
        result_ += letter;
        ++place_;
      }
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    refuse_("the regular expression " + in_quotes(source_) + ": " + what + " at byte " +
            std::to_string(place_) + " is not supported");
    throw InternalError("read_tokenizer", "a refusal returned");
  }

  [[nodiscard]] char at(std::size_t distance) const noexcept {
    return place_ + distance < source_.size() ? source_[place_ + distance] : '\0';
  }
  [[nodiscard]] bool starts_with(std::string_view text) const noexcept {
    return std::string_view(source_).substr(place_).starts_with(text);
  }
  void copy(std::size_t bytes) {
    result_.append(source_, place_, bytes);
    place_ = std::min(place_ + bytes, source_.size());
  }
  void replace(std::size_t bytes, std::string_view text) {
    result_ += text;
    place_ += bytes;
  }
  /// Replaces an escape by a set, outside of classes in brackets of its own.
  void replace_by_set(std::string_view set, bool is_in_class, bool is_negated = false) {
    if (is_in_class && is_negated) {
      fail("the complement of a set within a class");
    }
    place_ += 2;
    if (!is_in_class) {
      result_ += is_negated ? "[^" : "[";
    }
    result_ += set;
    if (!is_in_class) {
      result_ += "]";
    }
  }

  void group() {
    for (const std::string_view opening : {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"}) {
      if (starts_with(opening)) {
        return copy(opening.size());
      }
    }
    if (starts_with("(*")) {
      fail("a control verb");
    }
    if (starts_with("(?<") && is_ascii_letter(at(3))) {
      const auto end = source_.find('>', place_);
      if (end == std::string::npos) {
        fail("a name without an end");
      }
      return replace(end + 1 - place_, "(?:");
    }
    if (starts_with("(?")) {
      return options();
    }
    copy(1);
  }

  void options() {
    std::string translated = "(?";
    std::size_t length = 2;
    for (; at(length) == 'i' || at(length) == 'm' || at(length) == '-'; ++length) {
      translated += at(length) == 'm' ? 's' : at(length);
    }
    // Without a colon they hold to the end of the group, whose alternatives the two divide in
    // different ways.
    const bool holds_for_all = at(length) == ')' && place_ == 0;
    if (length == 2 || (at(length) != ':' && !holds_for_all)) {
      fail("the group " + in_quotes(source_.substr(place_, length + 1)));
    }
    replace(length, translated);
    copy(1);
  }

  void interval() {
    std::size_t length = 1;
    const auto skip_digits = [&] {
      const auto before = length;
      while (is_digit(at(length))) {
        ++length;
      }
      return length > before;
    };
    const bool has_least = skip_digits();
    const bool has_comma = at(length) == ',';
    length += has_comma ? 1 : 0;
    const bool has_most = has_comma && skip_digits();
    if (at(length) != '}' || (!has_least && !has_most)) {
      return copy(1);  // A brace by itself.
    }
    if (at(length + 1) == '+') {
      fail("a repetition {n,m}+");
    }
    if (!has_least) {
      replace(1, "{0");
      --length;
    }
    copy(length + 1);
  }

  void outer_class() {
    copy(1);
    if (at(0) == '^') {
      copy(1);
    }
    class_content(1);
    result_ += ']';
  }

  /// The content of a class up to its closing bracket, without this.
  void class_content(int depth) {
    constexpr int deepest = 16;
    bool is_after_character = false;  // A range may begin with it.
    for (bool is_first = true;; is_first = false) {
      const char letter = at(0);
      if (place_ >= source_.size()) {
        fail("a class without an end");
      }
      if (letter == ']' && !is_first) {
        ++place_;
        return;
      }
      if (letter == '[') {
        if (at(1) == '^' || at(1) == ':' || depth == deepest) {
          fail("the class within a class");
        }
        ++place_;
        class_content(depth + 1);
        is_after_character = false;
      } else if (starts_with("&&")) {
        fail("an intersection of classes");
      } else if (letter == '-') {
        const bool is_range = is_after_character && at(1) != ']' && at(1) != '[' && !is_set(1);
        replace(1, is_range ? "-" : "\\-");
        is_after_character = false;
      } else if (letter == '\\') {
        is_after_character = !is_set(0);
        escape(true);
      } else {
        result_ += letter == ']' ? "\\]" : std::string(1, letter);
        ++place_;
        is_after_character = true;
      }
    }
  }

  /// Whether an escape of several characters stands there.
  [[nodiscard]] bool is_set(std::size_t distance) const noexcept {
    return at(distance) == '\\' &&
           std::string_view("dDsSwWhHpP").find(at(distance + 1)) != std::string_view::npos;
  }

  void escape(bool is_in_class) {
    const char letter = at(1);
    switch (letter) {
      case 'd':
      case 'D':
      case 't':
      case 'n':
      case 'r':
      case 'f':
      case 'a':
      case 'e':
        return copy(2);
      case 's':
        return replace_by_set(spaces, is_in_class);
      case 'S':  // PCRE2's lacks U+180E.
        return replace_by_set(R"(\S\x{180E})", is_in_class);
      case 'w':
        return replace_by_set(words, is_in_class);
      case 'W':
        return replace_by_set(words, is_in_class, true);
      case 'h':
        return replace_by_set(hexadecimal_digits, is_in_class);
      case 'H':
        return replace_by_set(hexadecimal_digits, is_in_class, true);
      case 'v':
        return replace(2, R"(\x{0B})");
      case 'p':
      case 'P':
        return property();
      case 'x':
      case 'u':
        return code_point();
      default:
        break;
    }
    if (letter == 'b' && is_in_class) {
      return replace(2, R"(\x{08})");
    }
    if ((letter == 'b' || letter == 'B') && !is_in_class) {
      return word_border(letter == 'B');
    }
    const bool is_anchor = letter == 'A' || letter == 'z' || letter == 'Z' || letter == 'X';
    if (is_anchor && !is_in_class) {
      return copy(2);
    }
    if (place_ + 1 >= source_.size() || is_ascii_letter(letter) || is_digit(letter)) {
      fail("the escape " + in_quotes(source_.substr(place_, 2)));
    }
    copy(2);
  }

  void word_border(bool is_negated) {
    const auto set = "[" + std::string(words) + "]";
    const auto before = "(?<=" + set + ")";
    const auto after = "(?=" + set + ")";
    const auto not_before = "(?<!" + set + ")";
    const auto not_after = "(?!" + set + ")";
    replace(2, is_negated ? "(?:" + before + after + "|" + not_before + not_after + ")"
                          : "(?:" + before + not_after + "|" + not_before + after + ")");
  }

  void property() {
    const auto end = source_.find('}', place_);
    if (at(2) != '{' || end == std::string::npos) {
      fail("the escape " + in_quotes(source_.substr(place_, 3)));
    }
    auto name = source_.substr(place_ + 3, end - place_ - 3);
    const bool is_negated = name.starts_with('^');
    name.erase(0, is_negated ? 1 : 0);
    if (name.empty() || !std::all_of(name.begin(), name.end(), [](char part) {
          return is_ascii_letter(part) || part == '_' || part == ' ' || part == '-';
        })) {
      fail("the property " + in_quotes(name));
    }
    std::string plain;
    for (const char part : name) {
      if (is_ascii_letter(part)) {
        plain += static_cast<char>(part | 0x20);
      }
    }
    const auto* const known = std::find_if(categories.begin(), categories.end(),
                                           [&](const auto& row) { return row.first == plain; });
    // A name of one or two letters is that of a category, any other that of a script.
    const auto translated = known != categories.end() ? std::string(known->second)
                            : plain.size() <= 2       ? name
                                                      : "sc:" + name;
    result_ += source_.substr(place_, 2) + (is_negated ? "{^" : "{") + translated + "}";
    place_ = end + 1;
  }

  void code_point() {
    std::size_t begin = 2;
    std::size_t most = 2;
    if (at(1) == 'u') {
      most = 4;
    } else if (at(2) == '{') {
      begin = 3;
      most = 8;
    }
    std::size_t end = begin;
    while (end < begin + most && is_hexadecimal(at(end))) {
      ++end;
    }
    const auto digits = source_.substr(std::min(place_ + begin, source_.size()), end - begin);
    const bool is_braced = begin == 3;
    const bool is_whole = is_braced ? !digits.empty() && at(end) == '}' : digits.size() == most;
    // Two digits are a byte, which is a character below 0x80.
    const bool is_byte = most == 2 && digits > "7F" && digits > "7f";
    if (!is_whole || is_byte) {
      fail("the escape " + in_quotes(source_.substr(place_, end)));
    }
    replace(end + (is_braced ? 1 : 0), "\\x{" + digits + "}");
  }

  const std::string& source_;
  const io::detail::Refusal& refuse_;
  std::size_t place_ = 0;
  std::string result_;
};

}  // namespace

std::string pcre2_syntax(const std::string& expression, const io::detail::Refusal& refuse) {
  return Translation(expression, refuse).result();
}

}  // namespace ddx::data::detail
