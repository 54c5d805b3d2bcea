// What follows `is`.

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ddx::data::detail {
namespace {

constexpr std::array<std::string_view, 24> tests{
    "boolean", "callable", "defined", "divisibleby", "eq",      "equalto",  "even",   "false",
    "float",   "ge",       "gt",      "in",          "integer", "iterable", "le",     "lt",
    "mapping", "ne",       "none",    "number",      "odd",     "sequence", "string", "true"};

/// The comparison that a test makes; empty: none.
std::string_view comparison_of(std::string_view name) {
  return name == "eq" || name == "equalto" ? "=="
         : name == "ne"                    ? "!="
         : name == "gt"                    ? ">"
         : name == "ge"                    ? ">="
         : name == "lt"                    ? "<"
         : name == "le"                    ? "<="
         : name == "in"                    ? "in"
                                           : "";
}

bool is_divisible(const TemplateValue& value, std::int64_t by, TemplateBudget& budget) {
  const auto rest = binary_result("%", value, TemplateValue(by), budget);
  return rest == TemplateValue(std::int64_t{0});
}

bool is_of_kind(const std::string& name, const TemplateValue& value) {
  const bool can_be_called = value.is(TemplateKind::Macro) || value.is(TemplateKind::Function);
  if (name == "boolean") {
    return value.is(TemplateKind::Boolean);
  }
  if (name == "callable") {
    return can_be_called || value.is(TemplateKind::Undefined);  // As in Python, where it fails.
  }
  if (name == "float") {
    return value.is(TemplateKind::Real);
  }
  if (name == "integer") {
    return value.is(TemplateKind::Integer);
  }
  if (name == "number") {
    return value.is_number();
  }
  if (name == "mapping") {
    return value.is(TemplateKind::Object) && !value.object().is_loop;
  }
  if (name == "none") {
    return value.is(TemplateKind::None);
  }
  if (name == "string") {
    return value.is(TemplateKind::Text);
  }
  if (name == "sequence" && value.is(TemplateKind::List)) {
    return value.list().form <= TemplateListForm::Range;
  }
  // iterable, sequence: undefined values have the length 0 and no items.
  return value.is(TemplateKind::Text) || value.is(TemplateKind::List) ||
         value.is(TemplateKind::Object) || value.is(TemplateKind::Undefined);
}

}  // namespace

bool is_template_test(std::string_view name) {
  return name == "undefined" || std::ranges::find(tests, name) != tests.end();
}

bool tested_value(const std::string& name, const TemplateValue& value,
                  const TemplateArguments& arguments, TemplateBudget& budget) {
  const std::string comparison(comparison_of(name));
  const std::size_t count = !comparison.empty() || name == "divisibleby" ? 1 : 0;
  arguments.check(name, count, {});
  if (arguments.values.size() < count) {
    throw std::invalid_argument("the test '" + name + "' takes an argument");
  }
  if (!comparison.empty()) {
    return compared(comparison, value, arguments.values[0], budget);
  }
  if (name == "defined" || name == "undefined") {
    return value.is(TemplateKind::Undefined) == (name == "undefined");
  }
  if (name == "true" || name == "false") {
    return value.is(TemplateKind::Boolean) && value.boolean() == (name == "true");
  }
  if (name == "divisibleby") {
    if (!arguments.values[0].is_whole()) {
      throw std::invalid_argument("'divisibleby' takes an integer");
    }
    return is_divisible(value, arguments.values[0].whole(), budget);
  }
  if (name == "even" || name == "odd") {
    return is_divisible(value, 2, budget) == (name == "even");
  }
  return is_of_kind(name, value);
}

}  // namespace ddx::data::detail
