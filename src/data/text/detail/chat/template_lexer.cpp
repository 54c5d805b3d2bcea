#include "data/text/detail/chat/template_lexer.h"

#include "ddx/data/text/utf8.h"

#include "data/text/detail/quoted.h"
#include "data/text/detail/unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Where white space that ends the text begins.
std::size_t end_without_space(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto character = utf8_character_at(text, i);
    i += character.bytes;
    end = is_white_space(character.code_point) ? end : i;
  }
  return end;
}

/// How many bytes of white space the text begins with.
std::size_t space_before(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const auto character = utf8_character_at(text, i);
    if (!is_white_space(character.code_point)) {
      break;
    }
    i += character.bytes;
  }
  return i;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<TemplateToken> tokens() && {
    while (at_ < source_.size()) {
      const std::size_t begin = next_opening();
      if (begin == std::string_view::npos) {
        add(TemplateTokenKind::Text, std::string(source_.substr(at_)), at_);
        break;
      }
      take_opening(begin);
    }
    add(TemplateTokenKind::End, "", source_.size());
    return std::move(tokens_);
  }

 private:
  [[noreturn]] static void fail(std::string facts, std::size_t place) {
    throw TemplateFault{.facts = std::move(facts), .place = place};
  }

  void add(TemplateTokenKind kind, std::string text, std::size_t place) {
    if (kind != TemplateTokenKind::Text || !text.empty()) {
      tokens_.push_back({.kind = kind, .text = std::move(text), .place = place});
    }
  }

  [[nodiscard]] std::size_t next_opening() const {
    for (std::size_t i = at_; i + 1 < source_.size(); ++i) {
      if (source_[i] == '{' &&
          (source_[i + 1] == '{' || source_[i + 1] == '%' || source_[i + 1] == '#')) {
        return i;
      }
    }
    return std::string_view::npos;
  }

  /// The text in front of an opening, without what is stripped.
  void take_opening(std::size_t begin) {
    const char kind = source_[begin + 1];
    const char sign = begin + 2 < source_.size() ? source_[begin + 2] : ' ';
    const std::string_view text = source_.substr(at_, begin - at_);
    std::size_t end = text.size();
    if (sign == '-') {
      end = end_without_space(text);
    } else if (sign != '+' && kind != '{') {
      const std::size_t line = text.rfind('\n') + 1;  // 0 where there is no line break.
      const bool is_blank = end_without_space(text.substr(line)) == 0;
      end = is_blank && (line > 0 || begins_line_) ? line : end;
    }
    add(TemplateTokenKind::Text, std::string(text.substr(0, end)), at_);
    at_ = begin + 2 + (sign == '-' || sign == '+' ? 1 : 0);
    begins_line_ = false;
    if (kind == '#') {
      take_comment(begin);
    } else {
      take_tokens(kind == '{' ? TemplateTokenKind::PrintBegin : TemplateTokenKind::ActionBegin,
                  begin);
    }
  }

  void take_comment(std::size_t begin) {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string_view::npos) {
      fail("a comment does not end", begin);
    }
    const char sign = end > at_ ? source_[end - 1] : ' ';
    at_ = end + 2;
    strip_behind(sign, true);
  }

  /// Strips what follows a closing.
  void strip_behind(char sign, bool strips_line) {
    const std::size_t from = at_;
    if (sign == '-') {
      at_ += space_before(source_.substr(at_));
    } else if (sign != '+' && strips_line && at_ < source_.size() && source_[at_] == '\n') {
      ++at_;
    }
    begins_line_ = at_ > from && source_[at_ - 1] == '\n';
  }

  void take_tokens(TemplateTokenKind opening, std::size_t begin) {
    const bool prints = opening == TemplateTokenKind::PrintBegin;
    const std::string_view closing = prints ? "}}" : "%}";
    add(opening, "", begin);
    std::vector<char> brackets;
    while (at_ < source_.size()) {
      const std::string_view rest = source_.substr(at_);
      const bool has_sign = rest[0] == '-' || (rest[0] == '+' && !prints);
      if (brackets.empty() && rest.substr(has_sign ? 1 : 0).starts_with(closing)) {
        add(prints ? TemplateTokenKind::PrintEnd : TemplateTokenKind::ActionEnd, "", at_);
        at_ += closing.size() + (has_sign ? 1 : 0);
        strip_behind(has_sign ? rest[0] : ' ', !prints);
        return;
      }
      take_token(rest, brackets);
    }
    fail(prints ? "'{{' has no '}}'" : "'{%' has no '%}'", begin);
  }

  void take_token(std::string_view rest, std::vector<char>& brackets) {
    const std::size_t place = at_;
    if (const std::size_t space = space_before(rest); space > 0) {
      at_ += space;
    } else if (begins_name(rest[0])) {
      std::size_t end = 1;
      while (end < rest.size() && (begins_name(rest[end]) || is_digit(rest[end]))) {
        ++end;
      }
      at_ += end;
      add(TemplateTokenKind::Name, std::string(rest.substr(0, end)), place);
    } else if (is_digit(rest[0])) {
      take_number(rest);
    } else if (rest[0] == '"' || rest[0] == '\'') {
      take_string(rest);
    } else {
      take_operator(rest, brackets);
    }
  }

  void take_number(std::string_view rest) {
    std::size_t end = 0;
    const auto digits = [&] {
      while (end < rest.size() && is_digit(rest[end])) {
        ++end;
      }
    };
    digits();
    bool is_real = false;
    const bool is_member = at_ > 0 && source_[at_ - 1] == '.';  // a.0.1 has two members.
    if (!is_member && end + 1 < rest.size() && rest[end] == '.' && is_digit(rest[end + 1])) {
      is_real = true;
      ++end;
      digits();
    }
    if (!is_member && end < rest.size() && (rest[end] == 'e' || rest[end] == 'E')) {
      const bool has_sign = end + 1 < rest.size() && (rest[end + 1] == '-' || rest[end + 1] == '+');
      const std::size_t from = end + (has_sign ? 2 : 1);
      if (from < rest.size() && is_digit(rest[from])) {
        is_real = true;
        end = from;
        digits();
      }
    }
    if (end < rest.size() && begins_name(rest[end])) {
      fail("'" + std::string(rest.substr(0, end + 1)) + "' is no number that is supported", at_);
    }
    add(is_real ? TemplateTokenKind::Real : TemplateTokenKind::Integer,
        std::string(rest.substr(0, end)), at_);
    at_ += end;
  }

  void take_operator(std::string_view rest, std::vector<char>& brackets) {
    static constexpr std::array<std::string_view, 25> operators{
        "**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~", "|",
        "(",  ")",  "[",  "]",  "{",  "}",  "<", ">", "=", ",", ":", "."};
    const auto found = std::ranges::find_if(
        operators, [&](std::string_view each) { return rest.starts_with(each); });
    if (found == operators.end()) {
      fail("unexpected " + in_quotes(rest.substr(0, utf8_character_at(rest, 0).bytes)), at_);
    }
    const char c = rest[0];
    if (c == '(' || c == '[' || c == '{') {
      brackets.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    } else if (c == ')' || c == ']' || c == '}') {
      if (brackets.empty() || brackets.back() != c) {
        fail(std::string("unexpected '") + c + "'", at_);
      }
      brackets.pop_back();
    }
    add(TemplateTokenKind::Operator, std::string(*found), at_);
    at_ += found->size();
  }

  void take_string(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != rest[0]) {
      end += rest[end] == '\\' ? 2 : 1;
    }
    if (end >= rest.size()) {
      fail("a text does not end", at_);
    }
    add(TemplateTokenKind::String, unescaped(rest.substr(1, end - 1)), at_);
    at_ += end + 1;
  }

  /// The text with Python's escapes replaced.
  [[nodiscard]] std::string unescaped(std::string_view text) const {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        result += text[i];
        continue;
      }
      static constexpr std::string_view letters = "ntr\\'\"abfv\n";
      static constexpr std::string_view meanings = "\n\t\r\\'\"\a\b\f\v";
      const char c = text[++i];
      const std::size_t known = letters.find(c);
      const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
      if (c == '\n') {
        continue;
      }
      if (known != std::string_view::npos) {
        result += meanings[known];
      } else if (digits > 0) {
        append_utf8(result, escaped_point(text.substr(i + 1), digits));
        i += digits;
      } else if (is_digit(c) || c == 'N') {
        fail(std::string("the escape '\\") + c + "' is not supported", at_);
      } else {
        result += '\\';
        result += c;
      }
    }
    return result;
  }

  [[nodiscard]] char32_t escaped_point(std::string_view text, std::size_t digits) const {
    std::uint32_t point = 0;
    const char* const begin = text.data();
    const char* const end = begin + std::min(digits, text.size());
    if (text.size() < digits || std::from_chars(begin, end, point, 16).ptr != end ||
        point > 0x10FFFF) {
      fail("an escape is no character", at_);
    }
    return static_cast<char32_t>(point);
  }

  std::string_view source_;
  std::size_t at_ = 0;
  bool begins_line_ = true;  ///< Whether what was taken ended with a line break.
  std::vector<TemplateToken> tokens_;
};

}  // namespace

std::string template_source(std::string_view text) {
  std::string source;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_pair) {
      source += text[i] == '\r' ? '\n' : text[i];
    }
  }
  if (source.ends_with('\n')) {
    source.pop_back();
  }
  return source;
}

std::string template_place(std::string_view source, std::size_t place) {
  const std::string_view before = source.substr(0, place);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t column = code_points(before.substr(before.rfind('\n') + 1)).size() + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

std::vector<TemplateToken> template_tokens(std::string_view source) {
  return Lexer(source).tokens();
}

}  // namespace ddx::data::detail
