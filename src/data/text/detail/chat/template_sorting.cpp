// Filters that compare items, and the values of attributes that they compare.

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// What items are sorted by: themselves or an attribute, texts without regard to case.
std::vector<TemplateValue> sort_keys(const std::vector<TemplateValue>& items,
                                     const TemplateValue* attribute, bool is_case_sensitive) {
  std::vector<TemplateValue> keys;
  for (const auto& item : items) {
    auto key = attribute == nullptr ? item : attribute_along(item, *attribute);
    if (key.is(TemplateKind::Real) && std::isnan(key.real())) {
      throw std::invalid_argument("NaN has no order");
    }
    keys.push_back(key.is(TemplateKind::Text) && !is_case_sensitive
                       ? TemplateValue(in_lower_case(key.text()))
                       : std::move(key));
  }
  return keys;
}

TemplateValue sorted(const TemplateValue& value, const TemplateArguments& arguments,
                     TemplateBudget& budget) {
  arguments.check("sort", 3, {"reverse", "case_sensitive", "attribute"});
  const auto items = items_of(value, budget);
  const auto keys =
      sort_keys(items, arguments.find(2, "attribute"), arguments.is_set(1, "case_sensitive"));
  const bool is_reverse = arguments.is_set(0, "reverse");
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    budget.spend_steps(1);
    const auto& left = keys[is_reverse ? b : a];
    const auto& right = keys[is_reverse ? a : b];
    return compared("<", left, right, budget) ||
           (!compared("<", right, left, budget) && a < b);  // Equal ones keep their order.
  });
  std::vector<TemplateValue> result;
  for (const std::size_t i : order) {
    result.push_back(items[i]);
  }
  return TemplateValue::list(std::move(result));
}

TemplateValue least_or_most(const std::string& name, const TemplateValue& value,
                            const TemplateArguments& arguments, TemplateBudget& budget) {
  arguments.check(name, 2, {"case_sensitive", "attribute"});
  const auto items = items_of(value, budget);
  const auto keys =
      sort_keys(items, arguments.find(1, "attribute"), arguments.is_set(0, "case_sensitive"));
  if (items.empty()) {
    return TemplateValue(TemplateUndefined{.name = name});
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < items.size(); ++i) {
    best = compared(name == "min" ? "<" : ">", keys[i], keys[best], budget) ? i : best;
  }
  return items[best];
}

TemplateValue unique_items(const TemplateValue& value, const TemplateArguments& arguments,
                           TemplateBudget& budget) {
  arguments.check("unique", 2, {"case_sensitive", "attribute"});
  const auto items = items_of(value, budget);
  const auto keys =
      sort_keys(items, arguments.find(1, "attribute"), arguments.is_set(0, "case_sensitive"));
  std::vector<TemplateValue> result;
  std::vector<TemplateValue> seen;
  for (std::size_t i = 0; i < items.size(); ++i) {
    budget.spend_steps(seen.size() + 1);
    if (std::ranges::find(seen, keys[i]) == seen.end()) {
      seen.push_back(keys[i]);
      result.push_back(items[i]);
    }
  }
  return TemplateValue::list(std::move(result), TemplateListForm::Generator);
}

TemplateValue sorted_pairs(const TemplateValue& value) {
  if (!value.is(TemplateKind::Object)) {
    throw std::invalid_argument("dictsort of " + value.description());
  }
  std::multimap<std::string, std::pair<std::string, TemplateValue>> sorted;
  for (const auto& field : value.object().fields) {
    sorted.emplace(in_lower_case(field.first), field);
  }
  TemplateObject object;
  for (auto& [key, field] : sorted) {
    object.fields.push_back(std::move(field));
  }
  std::vector<TemplateValue> pairs;
  for (auto& [key, field] : object.fields) {
    pairs.push_back(TemplateValue::list({TemplateValue(key), field}, TemplateListForm::Tuple));
  }
  return TemplateValue::list(std::move(pairs));
}

}  // namespace

/// The value of an attribute, a name with points.
TemplateValue attribute_along(const TemplateValue& value, const TemplateValue& path) {
  if (!path.is(TemplateKind::Text)) {
    return item_of(value, path);
  }
  TemplateValue result = value;
  std::string_view rest = path.text();
  while (true) {
    const std::size_t end = rest.find('.');
    const std::string name(rest.substr(0, end));
    result = item_of(result, TemplateValue(name));
    if (end == std::string_view::npos) {
      return result;
    }
    rest.remove_prefix(end + 1);
  }
}

TemplateValue sorted_value(const std::string& name, const TemplateValue& value,
                           const TemplateArguments& arguments, TemplateBudget& budget) {
  if (name == "sort") {
    return sorted(value, arguments, budget);
  }
  if (name == "unique") {
    return unique_items(value, arguments, budget);
  }
  if (name == "dictsort") {
    arguments.check(name, 0, {});
    budget.spend_bytes(value.weight() * 4);
    return sorted_pairs(value);
  }
  return least_or_most(name, value, arguments, budget);
}

}  // namespace ddx::data::detail
