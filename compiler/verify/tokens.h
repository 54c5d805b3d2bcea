/// \file
/// Splits synthesised text into tokens. It needs no more of C++ than that text has.

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ddx::compiler {

/// A word, a number, a literal or a punctuator. `>` is never part of a longer one but `->` and
/// `>=`, so that lists of template arguments close one by one.
struct Token {
  enum class Kind { Word, Number, Literal, Punctuator };
  Kind kind = Kind::Punctuator;
  std::string_view text;
  bool is(std::string_view spelled) const { return text == spelled; }
};

/// The tokens of `text` without comments and lines of the preprocessor. They point into it.
std::vector<Token> tokens_of(std::string_view text);

/// For each bracket the position of its partner, else its own; empty where brackets do not match.
std::vector<std::size_t> partners_of(const std::vector<Token>& tokens);

}  // namespace ddx::compiler
