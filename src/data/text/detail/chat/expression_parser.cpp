#include "data/text/detail/chat/expression_parser.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_lexer.h"
#include "data/text/detail/chat/template_syntax.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr int deepest_expression = 250;

TemplateExpressionPointer node(TemplateOperation operation, std::size_t place,
                               std::string name = {}) {
  auto result = std::make_unique<TemplateExpression>();
  result->operation = operation;
  result->place = place;
  result->name = std::move(name);
  return result;
}

/// The part, below a node: what walks a tree recurses as deep as it nests.
TemplateExpressionPointer below(TemplateExpression& parent, TemplateExpressionPointer part) {
  if (part != nullptr) {
    parent.depth = std::max(parent.depth, part->depth + 1);
  }
  if (parent.depth > deepest_expression) {
    TemplateTokens::fail("expressions nest deeper than " + std::to_string(deepest_expression),
                         parent.place);
  }
  return part;
}

void attach(TemplateExpression& parent, TemplateExpressionPointer part) {
  parent.parts.push_back(below(parent, std::move(part)));
}

template <class... Parts>
TemplateExpressionPointer node_of(TemplateOperation operation, std::size_t place, std::string name,
                                  Parts... parts) {
  auto result = node(operation, place, std::move(name));
  (attach(*result, std::move(parts)), ...);
  return result;
}

TemplateExpressionPointer constant(TemplateValue value, std::size_t place) {
  auto result = node(TemplateOperation::Constant, place);
  result->constant = std::move(value);
  return result;
}

/// Of the operators, the one that is next.
template <std::size_t count>
std::string taken_operator(TemplateTokens& tokens,
                           const std::array<std::string_view, count>& operators) {
  for (const std::string_view each : operators) {
    if (tokens.take_operator(each)) {
      return std::string(each);
    }
  }
  return {};
}

}  // namespace

ExpressionParser::Nesting::Nesting(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.depth_ > deepest_expression) {
    --parser_.depth_;
    parser_.tokens_.fail("expressions nest deeper than " + std::to_string(deepest_expression));
  }
}

TemplateExpressionPointer ExpressionParser::tuple(bool has_conditions) {
  const auto place = tokens_.place();
  const auto part = [&] { return has_conditions ? expression() : disjunction(); };
  auto first = part();
  if (!tokens_.is_operator(",")) {
    return first;
  }
  auto result = node_of(TemplateOperation::Tuple, place, "", std::move(first));
  while (tokens_.take_operator(",")) {
    if (tokens_.is(TemplateTokenKind::PrintEnd) || tokens_.is(TemplateTokenKind::ActionEnd) ||
        tokens_.is_operator(")")) {
      break;
    }
    attach(*result, part());
  }
  return result;
}

TemplateExpressionPointer ExpressionParser::expression() {
  const Nesting nesting(*this);
  auto result = disjunction();
  while (tokens_.is_name("if")) {
    const auto place = tokens_.take().place;
    auto condition = disjunction();
    TemplateExpressionPointer otherwise;
    if (tokens_.take_name("else")) {
      otherwise = expression();
    }
    result = node_of(TemplateOperation::Conditional, place, "", std::move(condition),
                     std::move(result), std::move(otherwise));
  }
  return result;
}

TemplateExpressionPointer ExpressionParser::disjunction() {
  auto left = conjunction();
  while (tokens_.is_name("or")) {
    const auto place = tokens_.take().place;
    left = node_of(TemplateOperation::Or, place, "", std::move(left), conjunction());
  }
  return left;
}

TemplateExpressionPointer ExpressionParser::conjunction() {
  auto left = negation();
  while (tokens_.is_name("and")) {
    const auto place = tokens_.take().place;
    left = node_of(TemplateOperation::And, place, "", std::move(left), negation());
  }
  return left;
}

TemplateExpressionPointer ExpressionParser::negation() {
  const auto place = tokens_.place();
  if (tokens_.take_name("not")) {
    const Nesting nesting(*this);
    return node_of(TemplateOperation::Not, place, "", negation());
  }
  return comparison();
}

TemplateExpressionPointer ExpressionParser::comparison() {
  static constexpr std::array<std::string_view, 6> operators{"==", "!=", "<=", ">=", "<", ">"};
  const auto place = tokens_.place();
  auto left = sum();
  auto result = node(TemplateOperation::Compare, place);
  while (true) {
    std::string found = taken_operator(tokens_, operators);
    if (found.empty() && tokens_.take_name("in")) {
      found = "in";
    } else if (found.empty() && tokens_.is_name("not")) {
      tokens_.take();
      if (!tokens_.take_name("in")) {
        tokens_.fail("expected 'in'");
      }
      found = "not in";
    }
    if (found.empty()) {
      break;
    }
    result->operators.push_back(std::move(found));
    attach(*result, sum());
  }
  if (result->operators.empty()) {
    return left;
  }
  result->parts.insert(result->parts.begin(), below(*result, std::move(left)));
  return result;
}

TemplateExpressionPointer ExpressionParser::sum() {
  static constexpr std::array<std::string_view, 2> operators{"+", "-"};
  auto left = concatenation();
  for (auto place = tokens_.place(); true; place = tokens_.place()) {
    auto found = taken_operator(tokens_, operators);
    if (found.empty()) {
      return left;
    }
    left = node_of(TemplateOperation::Binary, place, std::move(found), std::move(left),
                   concatenation());
  }
}

TemplateExpressionPointer ExpressionParser::concatenation() {
  const auto place = tokens_.place();
  auto first = product();
  if (!tokens_.is_operator("~")) {
    return first;
  }
  auto result = node_of(TemplateOperation::Concatenate, place, "", std::move(first));
  while (tokens_.take_operator("~")) {
    attach(*result, product());
  }
  return result;
}

TemplateExpressionPointer ExpressionParser::product() {
  static constexpr std::array<std::string_view, 4> operators{"*", "//", "/", "%"};
  auto left = power();
  for (auto place = tokens_.place(); true; place = tokens_.place()) {
    auto found = taken_operator(tokens_, operators);
    if (found.empty()) {
      return left;
    }
    left = node_of(TemplateOperation::Binary, place, std::move(found), std::move(left), power());
  }
}

TemplateExpressionPointer ExpressionParser::power() {
  auto left = unary(true);
  if (tokens_.is_operator("**")) {
    tokens_.fail("the operator '**' is not supported");
  }
  return left;
}

TemplateExpressionPointer ExpressionParser::unary(bool has_filters) {
  const auto place = tokens_.place();
  const Nesting nesting(*this);
  TemplateExpressionPointer result;
  if (tokens_.take_operator("-")) {
    result = node_of(TemplateOperation::Negative, place, "", unary(false));
  } else if (tokens_.take_operator("+")) {
    result = node_of(TemplateOperation::Positive, place, "", unary(false));
  } else {
    result = primary();
  }
  result = with_postfix(std::move(result));
  return has_filters ? with_filters(std::move(result)) : std::move(result);
}

TemplateExpressionPointer ExpressionParser::primary() {
  const auto place = tokens_.place();
  if (tokens_.is(TemplateTokenKind::Name)) {
    const auto name = tokens_.take().text;
    if (name == "true" || name == "True" || name == "false" || name == "False") {
      return constant(TemplateValue(name == "true" || name == "True"), place);
    }
    if (name == "none" || name == "None") {
      return constant(TemplateValue(), place);
    }
    return node(TemplateOperation::Name, place, name);
  }
  if (tokens_.is(TemplateTokenKind::String)) {
    return text();
  }
  if (tokens_.is(TemplateTokenKind::Integer) || tokens_.is(TemplateTokenKind::Real)) {
    const auto token = tokens_.take();
    const char* const end = token.text.data() + token.text.size();
    double real = 0;
    std::int64_t integer = 0;
    const bool is_real = token.kind == TemplateTokenKind::Real;
    const auto read = is_real ? std::from_chars(token.text.data(), end, real)
                              : std::from_chars(token.text.data(), end, integer);
    if (read.ec != std::errc()) {
      TemplateTokens::fail("the number " + token.text + " is too large", place);
    }
    return constant(is_real ? TemplateValue(real) : TemplateValue(integer), place);
  }
  if (tokens_.take_operator("(")) {
    if (tokens_.take_operator(")")) {
      return node(TemplateOperation::Tuple, place);
    }
    auto result = tuple();
    tokens_.expect_operator(")");
    return result;
  }
  if (tokens_.is_operator("[")) {
    return list();
  }
  if (tokens_.is_operator("{")) {
    return object();
  }
  tokens_.fail("expected an expression");
}

TemplateExpressionPointer ExpressionParser::text() {
  const auto place = tokens_.place();
  std::string all;
  while (tokens_.is(TemplateTokenKind::String)) {
    all += tokens_.take().text;
  }
  return constant(TemplateValue(std::move(all)), place);
}

TemplateExpressionPointer ExpressionParser::list() {
  auto result = node(TemplateOperation::List, tokens_.take().place);
  while (!tokens_.is_operator("]")) {
    attach(*result, expression());
    if (!tokens_.take_operator(",")) {
      break;
    }
  }
  tokens_.expect_operator("]");
  return result;
}

TemplateExpressionPointer ExpressionParser::object() {
  auto result = node(TemplateOperation::Object, tokens_.take().place);
  while (!tokens_.is_operator("}")) {
    attach(*result, expression());
    tokens_.expect_operator(":");
    attach(*result, expression());
    if (!tokens_.take_operator(",")) {
      break;
    }
  }
  tokens_.expect_operator("}");
  return result;
}

TemplateExpressionPointer ExpressionParser::with_postfix(TemplateExpressionPointer left) {
  while (true) {
    if (tokens_.is_operator(".") || tokens_.is_operator("[")) {
      left = subscript(std::move(left));
    } else if (tokens_.is_operator("(")) {
      left = node_of(TemplateOperation::Call, tokens_.place(), "", std::move(left));
      arguments(*left);
    } else {
      return left;
    }
  }
}

TemplateExpressionPointer ExpressionParser::with_filters(TemplateExpressionPointer left) {
  while (true) {
    if (tokens_.is_operator("|")) {
      left = filter(std::move(left));
    } else if (tokens_.is_name("is")) {
      left = test(std::move(left));
    } else if (tokens_.is_operator("(")) {
      left = node_of(TemplateOperation::Call, tokens_.place(), "", std::move(left));
      arguments(*left);
    } else {
      return left;
    }
  }
}

TemplateExpressionPointer ExpressionParser::subscript(TemplateExpressionPointer left) {
  const auto token = tokens_.take();
  if (token.text == "[") {
    return item(std::move(left), token.place);
  }
  if (tokens_.is(TemplateTokenKind::Integer)) {
    return node_of(TemplateOperation::Item, token.place, "", std::move(left), primary());
  }
  return node_of(TemplateOperation::Attribute, token.place, tokens_.expect_name(), std::move(left));
}

TemplateExpressionPointer ExpressionParser::item(TemplateExpressionPointer left,
                                                 std::size_t place) {
  auto parts = node_of(TemplateOperation::Item, place, "", std::move(left));
  const auto ends = [&] { return tokens_.is_operator("]") || tokens_.is_operator(":"); };
  attach(*parts, ends() ? nullptr : expression());
  while (tokens_.take_operator(":") && parts->parts.size() < 4) {
    parts->operation = TemplateOperation::Slice;
    attach(*parts, ends() ? nullptr : expression());
  }
  if (tokens_.is_operator(",")) {
    tokens_.fail("several subscripts are not supported");
  }
  if (parts->operation == TemplateOperation::Item && parts->parts[1] == nullptr) {
    tokens_.fail("expected an expression");
  }
  tokens_.expect_operator("]");
  if (parts->operation == TemplateOperation::Slice) {
    parts->parts.resize(4);
  }
  return parts;
}

void ExpressionParser::arguments(TemplateExpression& call) {
  tokens_.expect_operator("(");
  while (!tokens_.is_operator(")")) {
    if (tokens_.is_operator("*") || tokens_.is_operator("**")) {
      tokens_.fail("arguments with stars are not supported");
    }
    auto argument = expression();
    if (argument->operation == TemplateOperation::Name && tokens_.take_operator("=")) {
      call.named.emplace_back(argument->name, below(call, expression()));
    } else if (call.named.empty()) {
      attach(call, std::move(argument));
    } else {
      tokens_.fail("an argument without a name follows one with a name");
    }
    if (!tokens_.take_operator(",")) {
      break;
    }
  }
  tokens_.expect_operator(")");
}

TemplateExpressionPointer ExpressionParser::filter(TemplateExpressionPointer left) {
  const auto place = tokens_.take().place;
  auto name = tokens_.expect_name();
  if (!is_template_filter(name)) {
    TemplateTokens::fail("the filter '" + name + "' is not supported", place);
  }
  auto result = node_of(TemplateOperation::Filter, place, std::move(name), std::move(left));
  if (tokens_.is_operator("(")) {
    arguments(*result);
  }
  return result;
}

TemplateExpressionPointer ExpressionParser::test(TemplateExpressionPointer left) {
  const auto place = tokens_.take().place;
  const bool is_negated = tokens_.take_name("not");
  auto name = tokens_.expect_name();
  if (!is_template_test(name)) {
    TemplateTokens::fail("the test '" + name + "' is not supported", place);
  }
  auto result = node_of(TemplateOperation::Test, place, std::move(name), std::move(left));
  const bool has_argument =
      tokens_.is(TemplateTokenKind::String) || tokens_.is(TemplateTokenKind::Integer) ||
      tokens_.is(TemplateTokenKind::Real) || tokens_.is_operator("[") || tokens_.is_operator("{") ||
      (tokens_.is(TemplateTokenKind::Name) && !tokens_.is_name("else") && !tokens_.is_name("or") &&
       !tokens_.is_name("and") && !tokens_.is_name("if") && !tokens_.is_name("is"));
  if (tokens_.is_operator("(")) {
    arguments(*result);
  } else if (has_argument) {
    attach(*result, with_postfix(primary()));
  }
  return is_negated ? node_of(TemplateOperation::Not, place, "", std::move(result))
                    : std::move(result);
}

}  // namespace ddx::data::detail
