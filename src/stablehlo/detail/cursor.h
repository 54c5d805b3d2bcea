/// \file
/// A position in a text, and the words, numbers and signs there.

#pragma once

#include "ddx/stablehlo/module.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::stablehlo::detail {

/// Reads a text from beginning to end. Spaces and line ends only separate.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  /// What messages name in addition to the position: an operation.
  void concern(std::string_view what) { concerned_ = what; }

  [[nodiscard]] TextPlace place();
  [[nodiscard]] bool at_end();
  [[nodiscard]] bool next_is(char c);

  /// Skips a word or a sign, if it is here as a whole.
  bool accept(std::string_view token);
  void expect(std::string_view token);

  /// A word: letters, digits, points and underscores.
  std::string_view word();
  /// The text in quotation marks.
  std::string_view quoted();
  std::int64_t integer();
  std::uint64_t natural();
  /// "[1, 2]" or the text between these brackets.
  std::vector<std::int64_t> integers_until(char end);
  /// A number: decimal, or its bits as 0x...
  struct Number {
    double value = 0;
    std::uint64_t bits = 0;
    bool is_bits = false;
  };
  Number number();

  ir::Type type();

  /// Throws the error at the current position.
  [[noreturn]] void fail(const std::string& expected);
  /// The same, for an earlier position.
  [[noreturn]] void fail(const TextPlace& place, const std::string& facts) const;

 private:
  void skip_space();
  [[nodiscard]] static bool in_word(char c);

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
  std::size_t counted_ = 0;  // Up to where lines have been counted.
  std::string concerned_;
};

}  // namespace ddx::stablehlo::detail
