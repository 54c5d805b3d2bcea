// Filters, and what they share with methods.

#include "ddx/data/text/utf8.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"
#include "data/text/detail/unicode.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::array<std::string_view, 32> filters{
    "abs",        "capitalize", "count",  "d",          "default", "dictsort", "first",  "float",
    "int",        "items",      "join",   "last",       "length",  "list",     "lower",  "map",
    "max",        "min",        "reject", "rejectattr", "replace", "reverse",  "safe",   "select",
    "selectattr", "sort",       "string", "title",      "tojson",  "trim",     "unique", "upper"};

void require_ascii(std::string_view text) {
  if (std::ranges::any_of(text, [](char c) { return (c & 0x80) != 0; })) {
    throw std::invalid_argument("upper and lower case of letters beyond ASCII are not supported");
  }
}

std::string text_of(const TemplateValue& value, TemplateBudget& budget) {
  budget.spend_bytes(2 * value.weight());
  return template_text(value);
}

std::int64_t length_of(const TemplateValue& value, TemplateBudget& budget) {
  switch (value.kind()) {
    case TemplateKind::Undefined:
      return 0;
    case TemplateKind::Text:
      budget.spend_bytes(value.text().size());
      return std::ssize(code_points(value.text()));
    case TemplateKind::List:
      if (value.list().form == TemplateListForm::Generator) {
        require_plain(value);
      }
      return std::ssize(value.list().items);
    case TemplateKind::Object:
      return std::ssize(value.object().fields);
    case TemplateKind::None:
    case TemplateKind::Boolean:
    case TemplateKind::Integer:
    case TemplateKind::Real:
    case TemplateKind::Namespace:
    case TemplateKind::Macro:
    case TemplateKind::Function:
      break;
  }
  throw std::invalid_argument(value.description() + " has no length");
}

std::string joined(const TemplateValue& value, const TemplateArguments& arguments,
                   TemplateBudget& budget) {
  const TemplateValue* const between = arguments.find(0, "d");
  const TemplateValue* const attribute = arguments.find(1, "attribute");
  std::string result;
  bool is_first = true;
  for (const auto& item : items_of(value, budget)) {
    const auto part = attribute == nullptr ? item : item_of(item, *attribute);
    result += is_first || between == nullptr ? "" : text_of(*between, budget);
    result += text_of(part, budget);
    is_first = false;
  }
  return result;
}

/// Those of what is true: none has no items, but can be filtered.
std::vector<TemplateValue> items_if_true(const TemplateValue& value, TemplateBudget& budget) {
  return value.is_true() ? items_of(value, budget) : std::vector<TemplateValue>();
}

TemplateArguments without_first(const TemplateArguments& arguments, std::size_t count) {
  TemplateArguments rest = arguments;
  rest.values.erase(rest.values.begin(), rest.values.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                   count, rest.values.size())));
  return rest;
}

const std::string& name_of_argument(const TemplateArguments& arguments, std::size_t place,
                                    const std::string& filter) {
  if (arguments.values.size() <= place || !arguments.values[place].is(TemplateKind::Text)) {
    throw std::invalid_argument("the filter '" + filter + "' takes a name");
  }
  return arguments.values[place].text();
}

TemplateValue mapped(const TemplateValue& value, const TemplateArguments& arguments,
                     TemplateBudget& budget) {
  const TemplateValue* const attribute = arguments.find(99, "attribute");
  const TemplateValue* const otherwise = arguments.find(99, "default");
  std::vector<TemplateValue> result;
  for (const auto& item : items_if_true(value, budget)) {
    budget.spend_steps(1);
    if (attribute != nullptr) {
      auto part = attribute_along(item, *attribute);
      result.push_back(part.is(TemplateKind::Undefined) && otherwise != nullptr ? *otherwise
                                                                                : part);
      continue;
    }
    const auto& name = name_of_argument(arguments, 0, "map");
    if (!is_template_filter(name)) {
      throw std::invalid_argument("the filter '" + name + "' is not supported");
    }
    result.push_back(filtered_value(name, item, without_first(arguments, 1), budget));
  }
  return TemplateValue::list(std::move(result), TemplateListForm::Generator);
}

/// select, reject, selectattr and rejectattr.
TemplateValue selected(const std::string& filter, const TemplateValue& value,
                       const TemplateArguments& arguments, TemplateBudget& budget) {
  const bool keeps = filter.starts_with("select");
  const std::size_t names = filter.ends_with("attr") ? 1 : 0;
  std::vector<TemplateValue> result;
  for (const auto& item : items_if_true(value, budget)) {
    budget.spend_steps(1);
    if (names == 1) {
      (void)name_of_argument(arguments, 0, filter);
    }
    const auto part = names == 1 ? attribute_along(item, arguments.values[0]) : item;
    bool holds = part.is_true();
    if (arguments.values.size() > names) {
      const auto& test = name_of_argument(arguments, names, filter);
      if (!is_template_test(test)) {
        throw std::invalid_argument("the test '" + test + "' is not supported");
      }
      holds = tested_value(test, part, without_first(arguments, names + 1), budget);
    }
    if (holds == keeps) {
      result.push_back(item);
    }
  }
  return TemplateValue::list(std::move(result), TemplateListForm::Generator);
}

TemplateValue reversed(const TemplateValue& value, TemplateBudget& budget) {
  if (value.is_safe()) {
    require_plain(value);
  }
  auto items = items_of(value, budget);
  std::ranges::reverse(items);
  if (!value.is(TemplateKind::Text)) {
    // Python reverses what has no order of its own as a list.
    const bool is_list =
        value.is(TemplateKind::List) && value.list().form == TemplateListForm::Generator;
    return TemplateValue::list(std::move(items),
                               is_list ? TemplateListForm::List : TemplateListForm::Generator);
  }
  std::string text;
  for (const auto& item : items) {
    text += item.text();
  }
  return TemplateValue(std::move(text));
}

TemplateValue end_of(bool is_first, const TemplateValue& value, TemplateBudget& budget) {
  if (!is_first && value.is(TemplateKind::List) &&
      value.list().form == TemplateListForm::Generator) {
    require_plain(value);
  }
  const auto items = items_of(value, budget);
  if (items.empty()) {
    return TemplateValue(TemplateUndefined{.name = is_first ? "first" : "last"});
  }
  return is_first ? items.front() : items.back();
}

/// int and float: the default where the value is no such number.
TemplateValue as_number(bool is_whole, const TemplateValue& value,
                        const TemplateArguments& arguments) {
  const TemplateValue* const given = arguments.find(0, "default");
  const TemplateValue otherwise = given != nullptr ? *given
                                  : is_whole       ? TemplateValue(std::int64_t{0})
                                                   : TemplateValue(0.0);
  if (value.is_number()) {
    if (!is_whole) {
      return TemplateValue(value.number());
    }
    if (value.is_whole()) {
      return TemplateValue(value.whole());
    }
    return std::abs(value.real()) < 9e18 ? TemplateValue(static_cast<std::int64_t>(value.real()))
                                         : otherwise;
  }
  if (!value.is(TemplateKind::Text)) {
    return otherwise;
  }
  const std::string text = stripped(value.text(), nullptr, true, true);
  const bool has_sign = text.starts_with('+');
  const char* const begin = text.data() + (has_sign ? 1 : 0);
  const char* const end = text.data() + text.size();
  double real = 0;
  std::int64_t whole = 0;
  if (is_whole) {
    const auto read = std::from_chars(begin, end, whole);
    if (read.ec == std::errc() && read.ptr == end) {
      return TemplateValue(whole);
    }
  }
  const auto read = std::from_chars(begin, end, real);
  if (read.ec != std::errc() || read.ptr != end || (is_whole && !(std::abs(real) < 9e18))) {
    return otherwise;
  }
  return is_whole ? TemplateValue(static_cast<std::int64_t>(real)) : TemplateValue(real);
}

std::string capitalized(std::string text) {
  text = in_lower_case(std::move(text));
  return in_upper_case(text.substr(0, 1)) + (text.empty() ? "" : text.substr(1));
}

/// Each word with a capital, as Jinja's filter has it.
std::string titled(std::string text) {
  text = in_lower_case(std::move(text));
  bool begins = true;
  for (char& c : text) {
    if (begins) {
      c = in_upper_case(std::string(1, c))[0];
    }
    begins = std::string_view("-({[< \t\n\r\f\v").find(c) != std::string_view::npos;
  }
  return text;
}

TemplateValue json_of(const TemplateValue& value, const TemplateArguments& arguments,
                      TemplateBudget& budget) {
  for (const auto& [name, given] : arguments.named) {
    if (name != "indent" && name != "ensure_ascii") {
      throw std::invalid_argument("the argument '" + name + "' of tojson is not supported");
    }
  }
  const TemplateValue* const indent = arguments.find(99, "indent");
  if (!arguments.values.empty() ||
      (indent != nullptr && !indent->is(TemplateKind::None) &&
       (!indent->is_whole() || indent->whole() < 0 || indent->whole() > 64))) {
    throw std::invalid_argument("tojson takes an indent from 0 to 64");
  }
  const std::int64_t count =
      indent == nullptr || indent->is(TemplateKind::None) ? -1 : indent->whole();
  budget.spend_bytes(value.weight() * static_cast<std::size_t>(
                                          6 + std::max<std::int64_t>(count * value.depth(), 0)));
  return TemplateValue(template_json(value, count, arguments.is_set(99, "ensure_ascii")));
}

TemplateValue with_default(const TemplateValue& value, const TemplateArguments& arguments) {
  const TemplateValue* const otherwise = arguments.find(0, "default_value");
  const TemplateValue* const for_false = arguments.find(1, "boolean");
  const bool is_absent = value.is(TemplateKind::Undefined) ||
                         (for_false != nullptr && for_false->is_true() && !value.is_true());
  if (!is_absent) {
    return value;
  }
  return otherwise != nullptr ? *otherwise : TemplateValue(std::string());
}

/// Filters of texts, of values as str() shows them.
TemplateValue filtered_text(const std::string& name, std::string text,
                            const TemplateArguments& arguments, TemplateBudget& budget) {
  if (name == "upper") {
    return TemplateValue(in_upper_case(std::move(text)));
  }
  if (name == "lower") {
    return TemplateValue(in_lower_case(std::move(text)));
  }
  if (name == "capitalize") {
    return TemplateValue(capitalized(std::move(text)));
  }
  if (name == "title") {
    return TemplateValue(titled(std::move(text)));
  }
  if (name == "trim") {
    return TemplateValue(stripped(text, arguments.find(0, "chars"), true, true));
  }
  if (name == "replace") {
    return method_result("replace", TemplateValue(std::move(text)), arguments, budget);
  }
  return TemplateValue(std::move(text));  // string
}

/// Filters of numbers and texts.
TemplateValue filtered_scalar(const std::string& name, const TemplateValue& value,
                              const TemplateArguments& arguments, TemplateBudget& budget) {
  if (name == "int" || name == "float") {
    return as_number(name == "int", value, arguments);
  }
  if (name == "abs") {
    const auto zero = TemplateValue(std::int64_t{0});
    const bool is_negative = compared("<", value, zero, budget);
    return binary_result(is_negative ? "-" : "+", zero, value, budget);
  }
  if (name == "safe" || (name == "string" && value.is_safe())) {
    return TemplateValue::safe_text(text_of(value, budget));
  }
  require_plain(value);
  return filtered_text(name, text_of(value, budget), arguments, budget);
}

}  // namespace

const TemplateValue* TemplateArguments::find(std::size_t place, std::string_view name) const {
  if (place < values.size()) {
    return &values[place];
  }
  const auto found = std::ranges::find(
      named, name, [](const auto& each) -> std::string_view { return each.first; });
  return found == named.end() ? nullptr : &found->second;
}

bool TemplateArguments::is_set(std::size_t place, std::string_view name) const {
  const TemplateValue* const given = find(place, name);
  return given != nullptr && given->is_true();
}

void TemplateArguments::check(const std::string& function, std::size_t most,
                              const std::vector<std::string_view>& names) const {
  if (values.size() > most) {
    throw std::invalid_argument("'" + function + "' takes at most " + std::to_string(most) +
                                " arguments, " + std::to_string(values.size()) + " are given");
  }
  for (const auto& [name, value] : named) {
    if (std::ranges::find(names, name) == names.end()) {
      throw std::invalid_argument("'" + function + "' has no argument '" + name + "'");
    }
  }
}

bool is_template_filter(std::string_view name) {
  return std::ranges::find(filters, name) != filters.end();
}

std::string in_upper_case(std::string text) {
  require_ascii(text);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

std::string in_lower_case(std::string text) {
  require_ascii(text);
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

std::string stripped(std::string_view text, const TemplateValue* characters, bool left,
                     bool right) {
  const bool has_set = characters != nullptr && !characters->is(TemplateKind::None);
  if (has_set && !characters->is(TemplateKind::Text)) {
    throw std::invalid_argument("a strip of " + characters->description());
  }
  const auto points = code_points(text);
  const auto set = has_set ? code_points(characters->text()) : std::u32string();
  const auto is_stripped = [&](char32_t point) {
    // Python's white space has four separators that Unicode's has not.
    return has_set ? set.find(point) != std::u32string::npos
                   : is_white_space(point) || (point >= 0x1C && point <= 0x1F);
  };
  std::size_t begin = 0;
  std::size_t end = points.size();
  while (left && begin < end && is_stripped(points[begin])) {
    ++begin;
  }
  while (right && end > begin && is_stripped(points[end - 1])) {
    --end;
  }
  return to_utf8(std::u32string_view(points).substr(begin, end - begin));
}

TemplateValue filtered_value(const std::string& name, const TemplateValue& value,
                             const TemplateArguments& arguments, TemplateBudget& budget) {
  if (name == "tojson") {
    return json_of(value, arguments, budget);
  }
  if (name == "map") {
    return mapped(value, arguments, budget);
  }
  if (name.starts_with("select") || name.starts_with("reject")) {
    return selected(name, value, arguments, budget);
  }
  if (name == "sort" || name == "min" || name == "max" || name == "unique" || name == "dictsort") {
    return sorted_value(name, value, arguments, budget);
  }
  const bool takes_two = name == "join" || name == "default" || name == "d" || name == "replace";
  const bool takes_none = name == "length" || name == "count" || name == "first" ||
                          name == "last" || name == "list" || name == "reverse" ||
                          name == "items" || name == "dictsort" || name == "abs";
  arguments.check(name,
                  takes_two    ? 2
                  : takes_none ? 0
                               : 1,
                  {"d", "attribute", "default_value", "boolean", "default", "chars"});
  if (name == "length" || name == "count") {
    return TemplateValue(length_of(value, budget));
  }
  if (name == "join") {
    return TemplateValue(joined(value, arguments, budget));
  }
  if (name == "default" || name == "d") {
    return with_default(value, arguments);
  }
  if (name == "first" || name == "last") {
    return end_of(name == "first", value, budget);
  }
  if (name == "list") {
    return TemplateValue::list(items_of(value, budget));
  }
  if (name == "reverse") {
    return reversed(value, budget);
  }
  if (name == "items") {
    const auto items = value.is(TemplateKind::Undefined)
                           ? TemplateValue::list({})
                           : method_result("items", value, arguments, budget);
    return TemplateValue::list(items.list().items, TemplateListForm::Generator);
  }
  return filtered_scalar(name, value, arguments, budget);
}

}  // namespace ddx::data::detail
