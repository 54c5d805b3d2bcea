/// \file
/// The operators, filters, tests and methods of chat templates. All throw std::invalid_argument
/// where values do not fit, and std::length_error where the budget is spent.

#pragma once

#include "data/text/detail/chat/template_budget.h"
#include "data/text/detail/chat/template_value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {

/// The arguments of a call.
struct TemplateArguments {
  std::vector<TemplateValue> values;
  std::vector<std::pair<std::string, TemplateValue>> named = {};

  /// The argument at this place or with this name; null where there is none.
  [[nodiscard]] const TemplateValue* find(std::size_t place, std::string_view name) const;
  /// Whether it is there and true.
  [[nodiscard]] bool is_set(std::size_t place, std::string_view name) const;
  /// Fails where there are more than `most`, or ones of other names.
  void check(const std::string& function, std::size_t most,
             const std::vector<std::string_view>& names) const;
};

[[nodiscard]] bool is_template_filter(std::string_view name);
[[nodiscard]] bool is_template_test(std::string_view name);

[[nodiscard]] TemplateValue filtered_value(const std::string& name, const TemplateValue& value,
                                           const TemplateArguments& arguments,
                                           TemplateBudget& budget);
/// The filters sort, min, max, unique and dictsort.
[[nodiscard]] TemplateValue sorted_value(const std::string& name, const TemplateValue& value,
                                         const TemplateArguments& arguments,
                                         TemplateBudget& budget);
[[nodiscard]] bool tested_value(const std::string& name, const TemplateValue& value,
                                const TemplateArguments& arguments, TemplateBudget& budget);
[[nodiscard]] TemplateValue method_result(const std::string& name, const TemplateValue& self,
                                          const TemplateArguments& arguments,
                                          TemplateBudget& budget);

/// value.name: a method, a field, or undefined.
[[nodiscard]] TemplateValue attribute_of(const TemplateValue& value, const std::string& name);
/// value.a.b for the path "a.b", or an item.
[[nodiscard]] TemplateValue attribute_along(const TemplateValue& value, const TemplateValue& path);
/// value[key]; undefined where there is none.
[[nodiscard]] TemplateValue item_of(const TemplateValue& value, const TemplateValue& key);
/// value[start:stop:step], where none is absent.
[[nodiscard]] TemplateValue slice_of(const TemplateValue& value, const TemplateValue& start,
                                     const TemplateValue& stop, const TemplateValue& step,
                                     TemplateBudget& budget);

/// What a loop over the value goes through.
[[nodiscard]] std::vector<TemplateValue> items_of(const TemplateValue& value,
                                                  TemplateBudget& budget);

/// left + right and similar.
[[nodiscard]] TemplateValue binary_result(const std::string& name, const TemplateValue& left,
                                          const TemplateValue& right, TemplateBudget& budget);
/// left == right and similar, `in` included.
[[nodiscard]] bool compared(const std::string& name, const TemplateValue& left,
                            const TemplateValue& right, TemplateBudget& budget);

/// As Python's str.strip(), lstrip() and rstrip(); no characters: white space.
[[nodiscard]] std::string stripped(std::string_view text, const TemplateValue* characters,
                                   bool left, bool right);
/// Throws: std::invalid_argument where it is a text that is marked as safe, whose parts would be so
///         too; a view or a generator, which the filter `list` makes a list of.
void require_plain(const TemplateValue& value);
/// The same, but a range has parts.
void require_numbered(const TemplateValue& value);
/// The text in upper or lower case.
///
/// Throws: std::invalid_argument where it has letters beyond ASCII.
[[nodiscard]] std::string in_upper_case(std::string text);
[[nodiscard]] std::string in_lower_case(std::string text);

}  // namespace ddx::data::detail
