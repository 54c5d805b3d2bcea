#include "stablehlo/detail/cursor.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ddx::stablehlo::detail {

bool Cursor::in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

void Cursor::skip_space() {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

TextPlace Cursor::place() {
  skip_space();
  for (; counted_ < at_; ++counted_) {
    if (text_[counted_] == '\n') {
      ++line_;
      line_start_ = counted_ + 1;
    }
  }
  return {line_, at_ - line_start_ + 1};
}

void Cursor::fail(const TextPlace& place, const std::string& facts) const {
  throw UsageError("parse_module", "line " + std::to_string(place.line) + ", column " +
                                       std::to_string(place.column) +
                                       (concerned_.empty() ? "" : ", " + concerned_) + ": " +
                                       facts);
}

void Cursor::fail(const std::string& expected) {
  const TextPlace here = place();
  const std::string_view rest = text_.substr(at_, 16);
  fail(here, "expected " + expected + ", " +
                 (rest.empty() ? "the text ends"
                               : "found '" + std::string(rest.substr(0, rest.find('\n'))) + "'"));
}

bool Cursor::at_end() {
  skip_space();
  return at_ == text_.size();
}

bool Cursor::next_is(char c) {
  skip_space();
  return at_ < text_.size() && text_[at_] == c;
}

bool Cursor::accept(std::string_view token) {
  skip_space();
  if (!text_.substr(at_).starts_with(token)) {
    return false;
  }
  const std::size_t end = at_ + token.size();
  if (in_word(token.back()) && end < text_.size() && in_word(text_[end])) {
    return false;
  }
  at_ = end;
  return true;
}

void Cursor::expect(std::string_view token) {
  if (!accept(token)) {
    fail("'" + std::string(token) + "'");
  }
}

std::string_view Cursor::word() {
  skip_space();
  const std::size_t begin = at_;
  while (at_ < text_.size() && in_word(text_[at_])) {
    ++at_;
  }
  if (at_ == begin) {
    fail("a name");
  }
  return text_.substr(begin, at_ - begin);
}

std::string_view Cursor::quoted() {
  skip_space();
  if (!next_is('"')) {
    fail("a name in quotation marks");
  }
  const std::size_t end = text_.find('"', at_ + 1);
  if (end == std::string_view::npos) {
    fail("a name with a closing quotation mark");
  }
  const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
  return inside;
}

namespace {

template <class Number>
bool read(std::string_view text, std::size_t& at, Number& value) {
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
  if (error != std::errc()) {
    return false;
  }
  at += static_cast<std::size_t>(end - begin);
  return true;
}

}  // namespace

std::int64_t Cursor::integer() {
  skip_space();
  std::int64_t value = 0;
  if (!read(text_, at_, value)) {
    fail("an integer of 64 bits");
  }
  return value;
}

std::uint64_t Cursor::natural() {
  skip_space();
  std::uint64_t value = 0;
  if (!read(text_, at_, value)) {
    fail("a number that is not negative");
  }
  return value;
}

std::vector<std::int64_t> Cursor::integers_until(char end) {
  std::vector<std::int64_t> list;
  const std::string_view closing(&end, 1);
  if (accept(closing)) {
    return list;
  }
  do {
    list.push_back(integer());
  } while (accept(","));
  expect(closing);
  return list;
}

Cursor::Number Cursor::number() {
  skip_space();
  Number number;
  if (text_.substr(at_).starts_with("0x")) {
    std::size_t at = at_ + 2;
    const char* const begin = text_.data() + at;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number.bits, 16);
    if (error != std::errc()) {
      fail("the bits of a number");
    }
    at_ = at + static_cast<std::size_t>(end - begin);
    number.is_bits = true;
  } else if (!read(text_, at_, number.value)) {
    fail("a number");
  }
  return number;
}

ir::Type Cursor::type() {
  expect("tensor");
  expect("<");
  std::vector<std::int64_t> extents;
  skip_space();
  while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
    extents.push_back(integer());
    if (at_ >= text_.size() || text_[at_] != 'x') {
      fail("'x'");
    }
    ++at_;
  }
  if (extents.size() > Shape::max_rank) {
    fail("at most " + std::to_string(Shape::max_rank) + " extents");
  }
  for (const DTypeInfo& row : dtype_table) {
    if (accept(row.stablehlo)) {
      expect(">");
      return {Shape(std::span<const std::int64_t>(extents)), row.dtype};
    }
  }
  fail("an element type");
}

}  // namespace ddx::stablehlo::detail
