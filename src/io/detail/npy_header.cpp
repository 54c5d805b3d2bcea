#include "io/detail/npy_header.h"

#include "ddx/core/error.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

namespace ddx::io::detail {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const Refusal& refuse) : text_(text), refuse_(refuse) {}

  NpyHeader parse() {
    NpyHeader header;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    const auto once = [&](bool& has, const std::string& key) {
      if (has) {
        fail("'" + key + "' stands twice");
      }
      has = true;
    };
    expect('{');
    while (!take('}')) {
      const auto key = string();
      expect(':');
      if (key == "descr") {
        once(has_type, key);
        header.type = type();
      } else if (key == "fortran_order") {
        once(has_order, key);
        header.column_major = boolean();
      } else if (key == "shape") {
        once(has_shape, key);
        header.extents = extents();
      } else {
        fail("a key other than 'descr', 'fortran_order' and 'shape'");
      }
      if (!take(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (place_ != text_.size()) {
      fail("text behind the dictionary");
    }
    if (!has_type || !has_order || !has_shape) {
      fail("not all of 'descr', 'fortran_order' and 'shape' are there");
    }
    return header;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    refuse_("the header, at its character " + std::to_string(place_) + ": " + facts);
    throw InternalError("read_npy", "a refusal returned");
  }

  void skip_blanks() {
    while (place_ < text_.size() && (text_[place_] == ' ' || text_[place_] == '\n')) {
      ++place_;
    }
  }

  bool take(char c) {
    skip_blanks();
    if (place_ < text_.size() && text_[place_] == c) {
      ++place_;
      return true;
    }
    return false;
  }

  void expect(char c) {
    if (!take(c)) {
      fail(std::string("'") + c + "' is expected");
    }
  }

  /// A text, or the list that describes records, as it stands.
  std::string type() {
    skip_blanks();
    if (place_ >= text_.size() || text_[place_] != '[') {
      return string();
    }
    const auto begin = place_;
    std::size_t depth = 0;
    do {
      const char c = place_ < text_.size() ? text_[place_] : ' ';
      if (place_ >= text_.size()) {
        fail("a list without an end");
      }
      if (c == '\'' || c == '"') {
        (void)string();
        continue;
      }
      depth += c == '[' || c == '(' ? 1 : 0;
      depth -= c == ']' || c == ')' ? 1 : 0;
      ++place_;
    } while (depth > 0);
    return std::string(text_.substr(begin, place_ - begin));
  }

  std::string string() {
    skip_blanks();
    const char quote = place_ < text_.size() ? text_[place_] : ' ';
    if (quote != '\'' && quote != '"') {
      fail("a text is expected");
    }
    const auto end = text_.find(quote, place_ + 1);
    if (end == std::string_view::npos) {
      fail("a text without an end");
    }
    const auto begin = place_ + 1;
    place_ = end + 1;
    return std::string(text_.substr(begin, end - begin));
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(place_).starts_with(word)) {
        place_ += word.size();
        return word == "True";
      }
    }
    fail("True or False is expected");
  }

  std::vector<std::uint64_t> extents() {
    std::vector<std::uint64_t> result;
    expect('(');
    while (!take(')')) {
      skip_blanks();
      std::uint64_t extent = 0;
      const auto* const begin = text_.data() + place_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (error != std::errc()) {
        fail("an extent is expected");
      }
      place_ += static_cast<std::size_t>(end - begin);
      (void)take('L');  // As Python 2 wrote it.
      result.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return result;
  }

  std::string_view text_;
  const Refusal& refuse_;
  std::size_t place_ = 0;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const Refusal& refuse) {
  return Parser(text, refuse).parse();
}

std::string npy_header_text(const NpyHeader& header) {
  std::string extents;
  for (std::size_t i = 0; i < header.extents.size(); ++i) {
    extents += (i == 0 ? "" : ", ") + std::to_string(header.extents[i]);
  }
  if (header.extents.size() == 1) {
    extents += ",";
  }
  return "{'descr': '" + header.type +
         "', 'fortran_order': " + (header.column_major ? "True" : "False") + ", 'shape': (" +
         extents + "), }";
}

}  // namespace ddx::io::detail
