#include "compiler/verify/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ddx::compiler {
namespace {

/// Those of more than one character, the longest first.
constexpr std::array<std::string_view, 22> long_punctuators = {
    "...", "->*", "<=>", "::", "->", "++", "--", "+=", "-=", "*=", "/=",
    "%=",  "&=",  "|=",  "^=", "==", "!=", "<=", ">=", "&&", "||", ".*"};

bool begins_word(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool continues_word(char c) {
  return begins_word(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The length of the literal that begins at the quote in front of `rest`.
std::size_t literal_length(std::string_view rest) {
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != rest[0]) {
    end += rest[end] == '\\' ? 2 : 1;
  }
  return std::min(end + 1, rest.size());
}

std::size_t number_length(std::string_view rest) {
  std::size_t end = 1;
  while (end < rest.size() &&
         (continues_word(rest[end]) || rest[end] == '.' || rest[end] == '\'' ||
          ((rest[end] == '+' || rest[end] == '-') &&
           std::string_view("eEpP").find(rest[end - 1]) != std::string_view::npos))) {
    ++end;
  }
  return end;
}

/// The length of the space, comment or line of the preprocessor in front of `rest`; zero where a
/// token is.
std::size_t ignored_length(std::string_view rest, bool at_start_of_line) {
  if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) {
    return 1;
  }
  if (rest.starts_with("//") || (rest[0] == '#' && at_start_of_line)) {
    return std::min(rest.find('\n'), rest.size());
  }
  if (rest.starts_with("/*")) {
    const std::size_t end = rest.find("*/", 2);
    return end == std::string_view::npos ? rest.size() : end + 2;
  }
  return 0;
}

Token first_token(std::string_view rest) {
  const auto cut = [&](Token::Kind kind, std::size_t length) {
    return Token{kind, rest.substr(0, length)};
  };
  if (begins_word(rest[0])) {
    std::size_t end = 1;
    while (end < rest.size() && continues_word(rest[end])) {
      ++end;
    }
    return cut(Token::Kind::Word, end);
  }
  const bool fraction =
      rest[0] == '.' && rest.size() > 1 && continues_word(rest[1]) && !begins_word(rest[1]);
  if (fraction || std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
    return cut(Token::Kind::Number, number_length(rest));
  }
  if (rest[0] == '"' || rest[0] == '\'') {
    return cut(Token::Kind::Literal, literal_length(rest));
  }
  const auto* found =
      std::find_if(long_punctuators.begin(), long_punctuators.end(),
                   [&](std::string_view punctuator) { return rest.starts_with(punctuator); });
  return cut(Token::Kind::Punctuator, found == long_punctuators.end() ? 1 : found->size());
}

char partner(std::string_view closing) {
  return closing == ")" ? '(' : closing == "]" ? '[' : '{';
}

}  // namespace

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  bool at_start_of_line = true;
  while (!text.empty()) {
    if (const std::size_t ignored = ignored_length(text, at_start_of_line)) {
      at_start_of_line = at_start_of_line || text[0] == '\n';
      text.remove_prefix(ignored);
      continue;
    }
    at_start_of_line = false;
    tokens.push_back(first_token(text));
    text.remove_prefix(tokens.back().text.size());
  }
  return tokens;
}

std::vector<std::size_t> partners_of(const std::vector<Token>& tokens) {
  std::vector<std::size_t> partners(tokens.size());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    partners[i] = i;
    const std::string_view text = tokens[i].text;
    if (tokens[i].kind != Token::Kind::Punctuator) {
      continue;
    }
    if (text == "(" || text == "[" || text == "{") {
      open.push_back(i);
    } else if (text == ")" || text == "]" || text == "}") {
      if (open.empty() || tokens[open.back()].text[0] != partner(text)) {
        return {};
      }
      partners[i] = open.back();
      partners[open.back()] = i;
      open.pop_back();
    }
  }
  return open.empty() ? partners : std::vector<std::size_t>();
}

}  // namespace ddx::compiler
