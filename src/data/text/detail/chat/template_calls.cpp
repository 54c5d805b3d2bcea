// Names, functions and macros of chat templates.

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_interpreter.h"
#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_value.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::array<std::string_view, 4> functions{"range", "namespace", "dict",
                                                    "raise_exception"};

TemplateObject object_of(const TemplateArguments& arguments) {
  TemplateObject object;
  for (const auto& value : arguments.values) {
    if (!value.is(TemplateKind::Object)) {
      throw std::invalid_argument("an object of " + value.description());
    }
    for (const auto& [key, field] : value.object().fields) {
      object.set(key, field);
    }
  }
  for (const auto& [key, field] : arguments.named) {
    object.set(key, field);
  }
  return object;
}

std::string time_text(const std::tm& time, const std::string& format) {
  std::array<char, 256> buffer{};
  if (format.empty()) {
    return {};
  }
  const std::size_t size = std::strftime(buffer.data(), buffer.size(), format.c_str(), &time);
  if (size == 0) {
    throw std::invalid_argument("strftime_now of so long a form");
  }
  return {buffer.data(), size};
}

}  // namespace

TemplateValue TemplateInterpreter::name(const TemplateExpression& expression,
                                        const TemplateScope& scope) const {
  if (const TemplateValue* const found = scope.find(expression.name)) {
    return *found;
  }
  const bool is_function = std::ranges::find(functions, expression.name) != functions.end() ||
                           (expression.name == "strftime_now" && now_);
  if (is_function) {
    return TemplateValue(TemplateFunction{.name = expression.name});
  }
  return TemplateValue(TemplateUndefined{.name = expression.name});
}

TemplateArguments TemplateInterpreter::arguments(const TemplateExpression& expression,
                                                 TemplateScope& scope) {
  TemplateArguments result;
  for (std::size_t i = 1; i < expression.parts.size(); ++i) {
    result.values.push_back(value(*expression.parts[i], scope));
  }
  for (const auto& [name, argument] : expression.named) {
    result.named.emplace_back(name, value(*argument, scope));
  }
  return result;
}

TemplateValue TemplateInterpreter::call(const TemplateExpression& expression,
                                        TemplateScope& scope) {
  const auto called = value(*expression.parts[0], scope);
  const auto given = arguments(expression, scope);
  if (called.is(TemplateKind::Macro)) {
    return macro_result(called.macro(), given);
  }
  if (called.is(TemplateKind::Undefined)) {
    throw std::invalid_argument("'" + called.undefined_name() + "' is undefined");
  }
  if (!called.is(TemplateKind::Function)) {
    throw std::invalid_argument("a call of " + called.description());
  }
  const auto& function = called.function();
  return function.self == nullptr ? function_result(function.name, given)
                                  : method_result(function.name, *function.self, given, budget_);
}

TemplateValue TemplateInterpreter::function_result(const std::string& name,
                                                   const TemplateArguments& arguments) {
  if (name == "range") {
    return range(arguments);
  }
  if (name == "namespace") {
    return TemplateValue(
        std::make_shared<TemplateNamespace>(TemplateNamespace{.fields = object_of(arguments)}));
  }
  if (name == "dict") {
    return TemplateValue::object(object_of(arguments));
  }
  arguments.check(name, 1, {});
  if (arguments.values.size() != 1) {
    throw std::invalid_argument("'" + name + "' takes an argument");
  }
  const auto& argument = arguments.values[0];
  budget_.spend_bytes(argument.weight() * 2);
  if (name == "raise_exception") {
    throw TemplateRaised{.message = template_text(argument)};
  }
  return TemplateValue(time_text(*now_, template_text(argument)));
}

TemplateValue TemplateInterpreter::range(const TemplateArguments& arguments) {
  arguments.check("range", 3, {});
  std::vector<std::int64_t> given;
  for (const auto& value : arguments.values) {
    if (!value.is_whole()) {
      throw std::invalid_argument("'range' of " + value.description());
    }
    given.push_back(value.whole());
  }
  if (given.empty() || (given.size() == 3 && given[2] == 0)) {
    throw std::invalid_argument("'range' takes a stop, and a step other than 0");
  }
  const std::int64_t start = given.size() > 1 ? given[0] : 0;
  const std::int64_t stop = given.size() > 1 ? given[1] : given[0];
  const std::int64_t step = given.size() > 2 ? given[2] : 1;
  constexpr std::size_t longest_range = 100000;  // As in Jinja's sandbox.
  std::vector<TemplateValue> items;
  for (std::int64_t i = start; step > 0 ? i < stop : i > stop;) {
    if (items.size() == longest_range) {
      throw std::invalid_argument("'range' of more than " + std::to_string(longest_range));
    }
    items.push_back(TemplateValue(i));
    if (__builtin_add_overflow(i, step, &i)) {
      break;
    }
  }
  budget_.spend_bytes(items.size() * sizeof(TemplateValue));
  return TemplateValue::list(std::move(items), TemplateListForm::Range);
}

TemplateValue TemplateInterpreter::macro_result(const TemplateMacro& macro,
                                                const TemplateArguments& arguments) {
  const auto& definition = *macro.definition;
  const auto& names = definition.names;
  arguments.check(definition.text, names.size(), {names.begin(), names.end()});
  TemplateScope inner{.around = macro.scope};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const TemplateValue* const given = arguments.find(i, names[i]);
    inner.set(names[i], given != nullptr ? *given
                        : definition.expressions[i] != nullptr
                            ? value(*definition.expressions[i], inner)
                            : TemplateValue(TemplateUndefined{.name = names[i]}));
  }
  return TemplateValue(captured(definition.bodies[0], inner));
}

}  // namespace ddx::data::detail
