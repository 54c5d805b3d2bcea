#include "data/text/detail/chat/template_interpreter.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_lexer.h"
#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// How deep statements and expressions may nest while they run, macros in macros included.
constexpr int deepest_run = 1500;

/// Counts how deep something nests.
class Depth {
 public:
  explicit Depth(int& depth) : depth_(depth) {
    if (++depth_ > deepest_run) {
      --depth_;
      throw std::length_error("runs deeper than " + std::to_string(deepest_run));
    }
  }
  ~Depth() { --depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  int& depth_;
};

/// Calls `f` and gives what it throws a place in the template.
template <class F>
auto at_place(std::size_t place, const F& f) {
  try {
    return f();
  } catch (const std::invalid_argument& error) {
    throw TemplateFault{.facts = error.what(), .place = place};
  } catch (const std::length_error& error) {
    throw TemplateFault{.facts = error.what(), .place = place};
  }
}

/// What a loop knows of itself at an item.
TemplateValue loop_value(const std::vector<TemplateValue>& items, std::size_t i) {
  const auto whole = [](std::size_t number) {
    return TemplateValue(static_cast<std::int64_t>(number));
  };
  TemplateObject loop;
  loop.is_loop = true;
  loop.set("index", whole(i + 1));
  loop.set("index0", whole(i));
  loop.set("revindex", whole(items.size() - i));
  loop.set("revindex0", whole(items.size() - i - 1));
  loop.set("first", TemplateValue(i == 0));
  loop.set("last", TemplateValue(i + 1 == items.size()));
  loop.set("length", whole(items.size()));
  const auto undefined = [](const char* name) {
    return TemplateValue(TemplateUndefined{.name = name});
  };
  loop.set("previtem", i == 0 ? undefined("previtem") : items[i - 1]);
  loop.set("nextitem", i + 1 == items.size() ? undefined("nextitem") : items[i + 1]);
  return TemplateValue::object(std::move(loop));
}

}  // namespace

const TemplateValue* TemplateScope::find(std::string_view name) const noexcept {
  for (const TemplateScope* scope = this; scope != nullptr; scope = scope->around) {
    const auto found = std::ranges::find(
        scope->names, name, [](const auto& each) -> std::string_view { return each.first; });
    if (found != scope->names.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

void TemplateScope::set(const std::string& name, TemplateValue value) {
  const auto found = std::ranges::find(names, name, [](const auto& each) { return each.first; });
  if (found == names.end()) {
    names.emplace_back(name, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

std::string TemplateInterpreter::printed(const std::vector<TemplateStatement>& statements,
                                         TemplateScope& scope) {
  return captured(statements, scope);
}

std::string TemplateInterpreter::captured(const std::vector<TemplateStatement>& statements,
                                          TemplateScope& scope) {
  std::string outer = std::exchange(printed_, std::string());
  run(statements, scope);
  return std::exchange(printed_, std::move(outer));
}

void TemplateInterpreter::print(std::string_view text) {
  budget_.spend_bytes(text.size());
  printed_ += text;
}

TemplateInterpreter::Flow TemplateInterpreter::run(const std::vector<TemplateStatement>& statements,
                                                   TemplateScope& scope) {
  for (const auto& statement : statements) {
    const Flow flow = at_place(statement.place, [&] {
      const Depth depth(depth_);
      budget_.spend_steps(1);
      return run(statement, scope);
    });
    if (flow != Flow::Next) {
      return flow;
    }
  }
  return Flow::Next;
}

TemplateInterpreter::Flow TemplateInterpreter::run(const TemplateStatement& statement,
                                                   TemplateScope& scope) {
  switch (statement.action) {
    case TemplateAction::Text:
      print(statement.text);
      break;
    case TemplateAction::Print: {
      const auto shown = value(*statement.expressions[0], scope);
      budget_.spend_bytes(shown.weight() * 2);
      print(template_text(shown));
      break;
    }
    case TemplateAction::If:
      return run_condition(statement, scope);
    case TemplateAction::For:
      return run_loop(statement, scope);
    case TemplateAction::Set:
      assign(statement, scope);
      break;
    case TemplateAction::Capture: {
      TemplateScope inner{.around = &scope};
      scope.set(statement.names[0], TemplateValue(captured(statement.bodies[0], inner)));
      break;
    }
    case TemplateAction::Macro:
      scope.set(statement.text,
                TemplateValue(TemplateMacro{.definition = &statement, .scope = &scope}));
      break;
    case TemplateAction::Break:
      return Flow::Break;
    case TemplateAction::Continue:
      return Flow::Continue;
    case TemplateAction::Group: {
      TemplateScope inner{.around = &scope};
      return run(statement.bodies[0], inner);
    }
  }
  return Flow::Next;
}

TemplateInterpreter::Flow TemplateInterpreter::run_condition(const TemplateStatement& statement,
                                                             TemplateScope& scope) {
  for (std::size_t i = 0; i < statement.bodies.size(); ++i) {
    if (i == statement.expressions.size() || value(*statement.expressions[i], scope).is_true()) {
      return run(statement.bodies[i], scope);
    }
  }
  return Flow::Next;
}

TemplateInterpreter::Flow TemplateInterpreter::run_loop(const TemplateStatement& statement,
                                                        TemplateScope& scope) {
  auto items = items_of(value(*statement.expressions[0], scope), budget_);
  if (const auto* const condition = statement.expressions[1].get()) {
    std::vector<TemplateValue> chosen;
    for (const auto& item : items) {
      TemplateScope inner{.around = &scope};
      bind(statement.names, item, inner);
      if (value(*condition, inner).is_true()) {
        chosen.push_back(item);
      }
    }
    items = std::move(chosen);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    budget_.spend_steps(1);
    TemplateScope inner{.around = &scope};
    inner.set("loop", loop_value(items, i));
    bind(statement.names, items[i], inner);
    if (run(statement.bodies[0], inner) == Flow::Break) {
      break;
    }
  }
  if (items.empty() && statement.bodies.size() > 1) {
    TemplateScope inner{.around = &scope};
    return run(statement.bodies[1], inner);
  }
  return Flow::Next;
}

void TemplateInterpreter::bind(const std::vector<std::string>& names, const TemplateValue& value,
                               TemplateScope& scope) const {
  if (names.size() == 1) {
    scope.set(names[0], value);
    return;
  }
  const auto parts = items_of(value, budget_);
  if (parts.size() != names.size()) {
    throw std::invalid_argument(std::to_string(parts.size()) + " values for " +
                                std::to_string(names.size()) + " names");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    scope.set(names[i], parts[i]);
  }
}

void TemplateInterpreter::assign(const TemplateStatement& statement, TemplateScope& scope) {
  const auto assigned = value(*statement.expressions[0], scope);
  if (statement.attribute.empty()) {
    bind(statement.names, assigned, scope);
    return;
  }
  const TemplateValue* const target = scope.find(statement.names[0]);
  if (target == nullptr || !target->is(TemplateKind::Namespace)) {
    throw std::invalid_argument("'" + statement.names[0] + "' is no namespace");
  }
  target->name_space().fields.set(statement.attribute, assigned);
}

TemplateValue TemplateInterpreter::value(const TemplateExpression& expression,
                                         TemplateScope& scope) {
  return at_place(expression.place, [&] {
    const Depth depth(depth_);
    budget_.spend_steps(1);
    return value_within(expression, scope);
  });
}

TemplateValue TemplateInterpreter::value_within(const TemplateExpression& expression,
                                                TemplateScope& scope) {
  const auto part = [&](std::size_t i) { return value(*expression.parts[i], scope); };
  switch (expression.operation) {
    case TemplateOperation::Constant:
      return expression.constant;
    case TemplateOperation::Name:
      return name(expression, scope);
    case TemplateOperation::List:
    case TemplateOperation::Tuple:
      return sequence(expression, scope);
    case TemplateOperation::Object:
      return object(expression, scope);
    case TemplateOperation::Attribute:
      return attribute_of(part(0), expression.name);
    case TemplateOperation::Item: {
      const auto whole = part(0);
      budget_.spend_bytes(whole.is(TemplateKind::Text) ? whole.text().size() : 0);
      return item_of(whole, part(1));
    }
    case TemplateOperation::Slice:
      return slice(expression, scope);
    case TemplateOperation::Call:
      return call(expression, scope);
    case TemplateOperation::Filter:
      return filtered_value(expression.name, part(0), arguments(expression, scope), budget_);
    case TemplateOperation::Test:
      return TemplateValue(
          tested_value(expression.name, part(0), arguments(expression, scope), budget_));
    case TemplateOperation::Not:
      return TemplateValue(!part(0).is_true());
    case TemplateOperation::Negative:
      return binary_result("-", TemplateValue(std::int64_t{0}), part(0), budget_);
    case TemplateOperation::Positive:
      return binary_result("+", TemplateValue(std::int64_t{0}), part(0), budget_);
    case TemplateOperation::Binary: {
      const auto left = part(0);
      return binary_result(expression.name, left, part(1), budget_);
    }
    case TemplateOperation::Compare:
      return comparison(expression, scope);
    case TemplateOperation::Concatenate:
      return concatenation(expression, scope);
    case TemplateOperation::And: {
      auto left = part(0);
      return left.is_true() ? part(1) : left;
    }
    case TemplateOperation::Or: {
      auto left = part(0);
      return left.is_true() ? left : part(1);
    }
    case TemplateOperation::Conditional:
      return choice(expression, scope);
  }
  return {};
}

TemplateValue TemplateInterpreter::concatenation(const TemplateExpression& expression,
                                                 TemplateScope& scope) {
  std::string text;
  for (const auto& part : expression.parts) {
    const auto shown = value(*part, scope);
    budget_.spend_bytes(shown.weight() * 2);
    text += template_text(shown);
  }
  return TemplateValue(std::move(text));
}

TemplateValue TemplateInterpreter::choice(const TemplateExpression& expression,
                                          TemplateScope& scope) {
  const bool holds = value(*expression.parts[0], scope).is_true();
  if (!holds && expression.parts[2] == nullptr) {
    return TemplateValue(TemplateUndefined{.name = "the value of an 'if' without 'else'"});
  }
  return value(*expression.parts[holds ? 1 : 2], scope);
}

TemplateValue TemplateInterpreter::sequence(const TemplateExpression& expression,
                                            TemplateScope& scope) {
  std::vector<TemplateValue> items;
  for (const auto& part : expression.parts) {
    items.push_back(value(*part, scope));
  }
  budget_.spend_bytes(items.size() * sizeof(TemplateValue));
  return TemplateValue::list(std::move(items), expression.operation == TemplateOperation::Tuple
                                                   ? TemplateListForm::Tuple
                                                   : TemplateListForm::List);
}

TemplateValue TemplateInterpreter::object(const TemplateExpression& expression,
                                          TemplateScope& scope) {
  TemplateObject object;
  for (std::size_t i = 0; i < expression.parts.size(); i += 2) {
    const auto key = value(*expression.parts[i], scope);
    if (!key.is(TemplateKind::Text)) {
      throw std::invalid_argument("the key of an object is " + key.description());
    }
    budget_.spend_bytes(sizeof(TemplateValue) + key.text().size());
    object.set(key.text(), value(*expression.parts[i + 1], scope));
  }
  return TemplateValue::object(std::move(object));
}

TemplateValue TemplateInterpreter::slice(const TemplateExpression& expression,
                                         TemplateScope& scope) {
  const auto part = [&](std::size_t i) {
    return expression.parts[i] == nullptr ? TemplateValue() : value(*expression.parts[i], scope);
  };
  const auto whole = part(0);
  const auto start = part(1);
  const auto stop = part(2);
  return slice_of(whole, start, stop, part(3), budget_);
}

TemplateValue TemplateInterpreter::comparison(const TemplateExpression& expression,
                                              TemplateScope& scope) {
  auto left = value(*expression.parts[0], scope);
  for (std::size_t i = 0; i < expression.operators.size(); ++i) {
    auto right = value(*expression.parts[i + 1], scope);
    if (!compared(expression.operators[i], left, right, budget_)) {
      return TemplateValue(false);
    }
    left = std::move(right);
  }
  return TemplateValue(true);
}

}  // namespace ddx::data::detail
