/// \file
/// The parts that the text of a chat template consists of.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// What a token is.
enum class TemplateTokenKind : std::uint8_t {
  Text,         ///< Printed as it is.
  PrintBegin,   ///< {{
  PrintEnd,     ///< }}
  ActionBegin,  ///< {%
  ActionEnd,    ///< %}
  Name,
  Integer,
  Real,
  String,  ///< Without quotes, its escapes replaced.
  Operator,
  End,
};

/// A token and where it begins.
struct TemplateToken {
  TemplateTokenKind kind = TemplateTokenKind::End;
  std::string text;
  std::size_t place = 0;
};

/// A template with line ends as \n, and without the last one: what places count in.
[[nodiscard]] std::string template_source(std::string_view text);

/// The line and column of a byte, both from 1: "line 3, column 5".
[[nodiscard]] std::string template_place(std::string_view source, std::size_t place);

/// A fault in the text of a template.
struct TemplateFault {
  std::string facts;
  std::size_t place = 0;
};

/// The tokens of a template, comments left out. White space is stripped as Jinja does with
/// `trim_blocks` and `lstrip_blocks`, which is how chat templates are written: the line break
/// behind an action or a comment is not printed, nor are blanks that stand before one in its line;
/// `-` strips all white space on its side, `+` keeps it.
///
/// Throws:  TemplateFault.
/// Source:  Jinja 3.1, lexer.py.
[[nodiscard]] std::vector<TemplateToken> template_tokens(std::string_view source);

}  // namespace ddx::data::detail
