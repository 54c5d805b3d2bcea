/// \file
/// Running chat templates.

#pragma once

#include "data/text/detail/chat/template_budget.h"
#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_syntax.h"
#include "data/text/detail/chat/template_value.h"

#include <cstddef>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {

/// The names that statements see: their own, and those around them.
struct TemplateScope {
  TemplateScope* around = nullptr;
  std::vector<std::pair<std::string, TemplateValue>> names = {};

  /// Null where the name is not there.
  [[nodiscard]] const TemplateValue* find(std::string_view name) const noexcept;
  void set(const std::string& name, TemplateValue value);
};

/// What a template gave up with, by `raise_exception`.
struct TemplateRaised {
  std::string message;
};

/// Runs the statements of one template.
class TemplateInterpreter {
 public:
  /// The budget is borrowed. Without a time, templates have no function `strftime_now`.
  TemplateInterpreter(TemplateBudget& budget, std::optional<std::tm> now)
      : budget_(budget), now_(now) {}

  /// What the statements print.
  ///
  /// Throws: TemplateFault, TemplateRaised.
  [[nodiscard]] std::string printed(const std::vector<TemplateStatement>& statements,
                                    TemplateScope& scope);

 private:
  /// How a body ended.
  enum class Flow { Next, Break, Continue };

  Flow run(const std::vector<TemplateStatement>& statements, TemplateScope& scope);
  Flow run(const TemplateStatement& statement, TemplateScope& scope);
  Flow run_condition(const TemplateStatement& statement, TemplateScope& scope);
  Flow run_loop(const TemplateStatement& statement, TemplateScope& scope);
  void assign(const TemplateStatement& statement, TemplateScope& scope);
  void bind(const std::vector<std::string>& names, const TemplateValue& value,
            TemplateScope& scope) const;
  /// What the statements print, in place of printing it.
  std::string captured(const std::vector<TemplateStatement>& statements, TemplateScope& scope);
  void print(std::string_view text);

  TemplateValue value(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue value_within(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue name(const TemplateExpression& expression, const TemplateScope& scope) const;
  TemplateValue concatenation(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue choice(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue sequence(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue object(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue slice(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue comparison(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue call(const TemplateExpression& expression, TemplateScope& scope);
  TemplateValue function_result(const std::string& name, const TemplateArguments& arguments);
  TemplateValue range(const TemplateArguments& arguments);
  TemplateValue macro_result(const TemplateMacro& macro, const TemplateArguments& arguments);
  TemplateArguments arguments(const TemplateExpression& expression, TemplateScope& scope);

  TemplateBudget& budget_;
  std::optional<std::tm> now_;
  std::string printed_;
  int depth_ = 0;
};

}  // namespace ddx::data::detail
