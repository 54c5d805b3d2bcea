/// \file
/// Files of text, line by line, and the cells of a line.

#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ddx::data::detail {

/// A text file in memory, compressed with gzip or not.
class Lines {
 public:
  /// Throws: EnvironmentError if the file cannot be read, or is damaged or empty; `operation` opens
  ///         the message, as it does for `fail`.
  Lines(std::filesystem::path file, std::string operation);

  /// Goes to the next line; false after the last. Line breaks are "\n" or "\r\n"; the last line
  /// needs none.
  [[nodiscard]] bool next();
  /// The line, without its break.
  [[nodiscard]] std::string_view text() const noexcept { return line_; }
  /// The number of the line; the first is 1.
  [[nodiscard]] std::size_t number() const noexcept { return number_; }

  /// Throws: EnvironmentError "operation: FILE, line N: facts".
  [[noreturn]] void fail(const std::string& facts) const;

  /// The cells of the line between separators.
  ///
  /// Throws:  EnvironmentError if they are not `count`.
  [[nodiscard]] std::vector<std::string_view> cells(std::string_view separator,
                                                    std::size_t count) const;

  /// A cell as a number of this type; `name` calls it in the message.
  ///
  /// Throws:  EnvironmentError if it is not one.
  template <class Number>
  [[nodiscard]] Number number_in(std::string_view cell, const char* name) const;

 private:
  std::filesystem::path file_;
  std::string operation_;
  std::string content_;
  std::size_t place_ = 0;
  std::string_view line_;
  std::size_t number_ = 0;
};

/// The parts of a text between separators; one more than there are separators.
[[nodiscard]] std::vector<std::string_view> split_cells(std::string_view text,
                                                        std::string_view separator);

/// The words of a text, between blanks and tabs.
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);

/// A text as a number of this type, or nothing where it is none.
template <class Number>
[[nodiscard]] std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const auto* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

template <class Number>
Number Lines::number_in(std::string_view cell, const char* name) const {
  if (const auto number = parse_number<Number>(cell)) {
    return *number;
  }
  fail(std::string(name) + " is \"" + std::string(cell) + "\", not such a number");
}

}  // namespace ddx::data::detail
