#include "compiler/verify/outline.h"

#include <algorithm>
#include <array>

namespace ddx::compiler {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words in front of a type or behind it that say nothing of what it is.
bool is_qualifier(std::string_view word) {
  static constexpr std::array<std::string_view, 10> words = {
      "const",        "volatile",  "__restrict", "static",  "inline",
      "thread_local", "constexpr", "typename",   "mutable", "struct"};
  return is_one_of(word, words);
}

bool is_number(std::string_view word) {
  static constexpr std::array<std::string_view, 10> words = {
      "bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", "__int128"};
  return is_one_of(word, words);
}

/// Words that begin statements and expressions.
bool begins_no_type(std::string_view word) {
  static constexpr std::array<std::string_view, 26> words = {
      "return",   "if",      "else",          "for",      "while",          "do",        "switch",
      "case",     "default", "break",         "continue", "goto",           "try",       "catch",
      "throw",    "new",     "delete",        "using",    "typedef",        "namespace", "template",
      "operator", "sizeof",  "static_assert", "this",     "DDX_ADJOINT_SUM"};
  return is_one_of(word, words);
}

}  // namespace

Outline::Outline(std::string_view text)
    : tokens_(tokens_of(text)), partners_(partners_of(tokens_)) {
  if (!partners_.empty()) {
    read_scope(0, tokens_.size());
  }
}

std::size_t Outline::behind_attributes(std::size_t position) const {
  while (is(position, "[") && is(position + 1, "[")) {
    position = partners_[position] + 1;
  }
  return position;
}

/// Behind the template arguments that begin at `position`.
std::size_t Outline::behind_arguments(std::size_t position) const {
  std::size_t depth = 0;
  for (std::size_t i = position; i < tokens_.size(); ++i) {
    if (is(i, "(") || is(i, "[") || is(i, "{")) {
      i = partners_[i];
    } else if (is(i, "<")) {
      ++depth;
    } else if (is(i, ">") && --depth == 0) {
      return i + 1;
    } else if (is(i, ";") || is(i, ")") || is(i, "}")) {
      break;
    }
  }
  return position;  // It was a comparison.
}

std::optional<Declaration> Outline::declaration_at(std::size_t position) const {
  position = behind_attributes(position);
  Declaration result;
  bool typed = false, numeric = false;
  const auto word = [&] {
    return position < tokens_.size() && tokens_[position].kind == Token::Kind::Word;
  };
  while (word() && is_qualifier(tokens_[position].text)) {
    ++position;
  }
  if (!word() || begins_no_type(tokens_[position].text)) {
    return std::nullopt;
  }
  while (word() && is_number(tokens_[position].text)) {
    result.type = tokens_[position++].text;
    typed = numeric = true;
  }
  while (!typed) {
    if (!word()) {
      return std::nullopt;
    }
    result.type = tokens_[position++].text;
    if (result.type == "decltype" && is(position, "(")) {
      position = partners_[position] + 1;
    } else if (is(position, "<")) {
      position = behind_arguments(position);
    }
    typed = !is(position, "::");
    position += typed ? 0 : 1;
    position += is(position, "template") ? 1 : 0;
  }
  result.is_class = !numeric;
  while (is(position, "*") || is(position, "&") || is(position, "&&") ||
         (word() && is_qualifier(tokens_[position].text))) {
    result.is_class = result.is_class || is(position, "&") || is(position, "&&");
    ++position;
  }
  if (!word() || begins_no_type(tokens_[position].text)) {
    return std::nullopt;
  }
  result.name = tokens_[position].text;
  result.at = position++;
  static constexpr std::array<std::string_view, 8> ends = {"=", ";", "{", "(", "[", ":", ",", ")"};
  if (position >= tokens_.size() || !is_one_of(tokens_[position].text, ends)) {
    return std::nullopt;
  }
  result.initialised = !is(position, ";") && !is(position, "[");
  return result;
}

/// `struct name { ... }`, at the position of the name.
void Outline::read_residual_struct(std::size_t name) {
  ResidualStruct residual_struct{tokens_[name].text, {}};
  const std::size_t end = partners_[name + 1];
  for (std::size_t i = name + 2; i < end; ++i) {
    if (std::optional<Declaration> field = declaration_at(i)) {
      residual_struct.fields.push_back(*field);
      i = field->at;
    }
    while (i < end && !is(i, ";")) {
      i = is(i, "{") || is(i, "(") ? partners_[i] + 1 : i + 1;
    }
  }
  residual_structs_.emplace(residual_struct.name, std::move(residual_struct));
}

/// Reads what a namespace contains. Returns: `end`.
std::size_t Outline::read_scope(std::size_t begin, std::size_t end) {
  std::size_t first = begin;  ///< Of the declaration that is read.
  for (std::size_t i = begin; i < end; ++i) {
    if (is(i, ";")) {
      first = i + 1;
    } else if (is(i, "(")) {
      i = partners_[i];
    } else if (is(i, "{")) {
      if (is(first, "namespace")) {
        read_scope(i + 1, partners_[i]);
      } else if (is(first, "struct") && first + 2 == i) {
        read_residual_struct(first + 1);
      } else if (is(i - 1, ")")) {
        const std::size_t parameters = partners_[i - 1];
        std::size_t name = parameters - 1;
        while (name > first && tokens_[name].kind != Token::Kind::Word) {
          --name;
        }
        functions_.push_back({tokens_[name].text, parameters, i});
      }
      i = partners_[i];
      first = i + 1;
    }
  }
  return end;
}

}  // namespace ddx::compiler
