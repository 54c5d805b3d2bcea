/// \file
/// Chat templates as trees.

#pragma once

#include "data/text/detail/chat/template_value.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data::detail {

struct TemplateExpression;
using TemplateExpressionPointer = std::unique_ptr<TemplateExpression>;

/// What an expression does with its parts.
enum class TemplateOperation : std::uint8_t {
  Constant,
  Name,
  List,
  Tuple,
  Object,     ///< Keys and values in turn.
  Attribute,  ///< parts[0].name
  Item,       ///< parts[0][parts[1]]
  Slice,      ///< parts[0][parts[1]:parts[2]:parts[3]], each of these may be null.
  Call,       ///< parts[0](rest)
  Filter,     ///< parts[0] | name(rest)
  Test,       ///< parts[0] is name(rest)
  Not,
  Negative,
  Positive,
  Binary,       ///< parts[0] name parts[1]
  Compare,      ///< parts[0] operators[0] parts[1] operators[1] parts[2]...
  Concatenate,  ///< The texts of all parts.
  And,
  Or,
  Conditional,  ///< parts[1] if parts[0] else parts[2], which may be null.
};

/// A node of an expression.
struct TemplateExpression {
  TemplateOperation operation = TemplateOperation::Constant;
  std::size_t place = 0;  ///< Of its first byte in the template.
  std::string name = {};
  TemplateValue constant = {};
  std::vector<TemplateExpressionPointer> parts = {};
  std::vector<std::string> operators = {};
  std::vector<std::pair<std::string, TemplateExpressionPointer>> named = {};  ///< Arguments.
  int depth = 1;  ///< How deep nodes nest in it.
};

/// What a statement does.
enum class TemplateAction : std::uint8_t {
  Text,
  Print,
  If,       ///< Conditions with a body each; the last one may have no condition.
  For,      ///< names in expressions[0], with the condition expressions[1] or null; else bodies[1].
  Set,      ///< names = expressions[0]; names[0].attribute where there is one.
  Capture,  ///< names[0] = what the body prints.
  Macro,    ///< name(names = expressions, each null or its default)
  Break,
  Continue,
  Group,  ///< Prints its body.
};

/// A node of a template.
struct TemplateStatement {
  TemplateAction action = TemplateAction::Text;
  std::size_t place = 0;
  std::string text = {};  ///< What is printed as it is, or the name of a macro.
  std::vector<std::string> names = {};
  std::string attribute = {};
  std::vector<TemplateExpressionPointer> expressions = {};
  std::vector<std::vector<TemplateStatement>> bodies = {};
};

}  // namespace ddx::data::detail
