#include "ddx/data/text/utf8.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"

#include <algorithm>
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

[[noreturn]] void fail_operator(const std::string& name, const TemplateValue& left,
                                const TemplateValue& right) {
  throw std::invalid_argument("'" + name + "' of " + left.description() + " and " +
                              right.description());
}

[[noreturn]] void fail_overflow() {
  throw std::invalid_argument("an integer has more than 64 bits");
}

/// The text with HTML's special characters replaced, unless it is marked as safe.
std::string escaped(const TemplateValue& value) {
  if (value.is_safe()) {
    return value.text();
  }
  std::string result;
  for (const char c : value.text()) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '\'':
        result += "&#39;";
        break;
      case '"':
        result += "&#34;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::int64_t whole_result(char name, std::int64_t left, std::int64_t right) {
  std::int64_t result = 0;
  const bool overflows = name == '+'   ? __builtin_add_overflow(left, right, &result)
                         : name == '-' ? __builtin_sub_overflow(left, right, &result)
                                       : __builtin_mul_overflow(left, right, &result);
  if (overflows) {
    fail_overflow();
  }
  return result;
}

/// left // right or left % right, rounded down as in Python.
std::int64_t whole_quotient(bool is_remainder, std::int64_t left, std::int64_t right) {
  if (right == 0) {
    throw std::invalid_argument("a division by zero");
  }
  if (right == -1) {
    return is_remainder ? 0 : whole_result('-', 0, left);
  }
  const std::int64_t remainder = left % right;
  const bool is_down = remainder != 0 && (remainder < 0) != (right < 0);
  if (is_remainder) {
    return is_down ? remainder + right : remainder;
  }
  return left / right - (is_down ? 1 : 0);
}

TemplateValue real_result(const std::string& name, double left, double right) {
  if (name == "+" || name == "-" || name == "*") {
    return TemplateValue(name == "+" ? left + right : name == "-" ? left - right : left * right);
  }
  if (right == 0) {
    throw std::invalid_argument("a division by zero");
  }
  if (name == "/") {
    return TemplateValue(left / right);
  }
  if (name == "//") {
    return TemplateValue(std::floor(left / right));
  }
  const double remainder = std::fmod(left, right);
  return TemplateValue(remainder != 0 && (remainder < 0) != (right < 0) ? remainder + right
                                                                        : remainder);
}

TemplateValue repeated(const TemplateValue& value, std::int64_t count, TemplateBudget& budget) {
  require_plain(value);
  const auto times = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
  const bool is_text = value.is(TemplateKind::Text);
  const std::size_t size = is_text ? value.text().size() : value.list().items.size();
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(size * (is_text ? 1 : sizeof(TemplateValue)), times, &bytes)) {
    throw std::length_error("a repeated value is too large");
  }
  budget.spend_bytes(bytes);
  if (is_text) {
    std::string result;
    for (std::size_t i = 0; i < (size == 0 ? 0 : times); ++i) {
      result += value.text();
    }
    return TemplateValue(std::move(result));
  }
  std::vector<TemplateValue> items;
  for (std::size_t i = 0; i < (size == 0 ? 0 : times); ++i) {
    items.insert(items.end(), value.list().items.begin(), value.list().items.end());
  }
  return TemplateValue::list(std::move(items), value.list().form);
}

/// Fails where a generator is read again: in Python it would be empty.
void read_generator(const TemplateValue& value) {
  const auto& list = value.list();
  if (list.form == TemplateListForm::Generator && std::exchange(list.is_read, true)) {
    throw std::invalid_argument("a generator is read twice; the filter 'list' makes a list of it");
  }
}

bool is_in(const TemplateValue& left, const TemplateValue& right, TemplateBudget& budget) {
  switch (right.kind()) {
    case TemplateKind::Text:
      if (!left.is(TemplateKind::Text)) {
        fail_operator("in", left, right);
      }
      budget.spend_steps(right.text().size() / 16);
      return right.text().find(left.text()) != std::string::npos;
    case TemplateKind::List:
      budget.spend_steps(right.weight());
      read_generator(right);
      return std::ranges::find(right.list().items, left) != right.list().items.end();
    case TemplateKind::Object:
      budget.spend_steps(right.object().fields.size() / 4);
      return left.is(TemplateKind::Text) && right.object().find(left.text()) != nullptr;
    case TemplateKind::Undefined:
      return false;
    case TemplateKind::None:
    case TemplateKind::Boolean:
    case TemplateKind::Integer:
    case TemplateKind::Real:
    case TemplateKind::Namespace:
    case TemplateKind::Macro:
    case TemplateKind::Function:
      break;
  }
  fail_operator("in", left, right);
}

/// Below, at or above 0, as left is below, equal to or above right.
int order(const std::string& name, const TemplateValue& left, const TemplateValue& right) {
  if (left.is_whole() && right.is_whole()) {
    return left.whole() < right.whole() ? -1 : left.whole() > right.whole() ? 1 : 0;
  }
  if (left.is_number() && right.is_number()) {
    return left.number() < right.number() ? -1 : left.number() > right.number() ? 1 : 0;
  }
  if (left.is(TemplateKind::Text) && right.is(TemplateKind::Text)) {
    return left.text().compare(right.text());  // The order of UTF-8 is that of code points.
  }
  fail_operator(name, left, right);
}

/// How many elements a slice begins behind, within [low, high].
std::int64_t bound(const TemplateValue& value, std::int64_t count, std::int64_t low,
                   std::int64_t high, std::int64_t otherwise) {
  if (value.is(TemplateKind::None)) {
    return otherwise;
  }
  if (!value.is_whole()) {
    throw std::invalid_argument("a slice by " + value.description());
  }
  const std::int64_t place =
      value.whole() < 0 ? std::max(value.whole(), -count - 1) + count : value.whole();
  return std::clamp(place, low, high);
}

}  // namespace

void require_plain(const TemplateValue& value) {
  if (value.is_safe()) {
    throw std::invalid_argument("a part of what the filter 'safe' returned is not supported");
  }
  if (value.is(TemplateKind::List) && value.list().form > TemplateListForm::Tuple) {
    throw std::invalid_argument(value.description() + " is no list; the filter 'list' makes one");
  }
}

void require_numbered(const TemplateValue& value) {
  if (!value.is(TemplateKind::List) || value.list().form != TemplateListForm::Range) {
    require_plain(value);
  }
}

TemplateValue binary_result(const std::string& name, const TemplateValue& left,
                            const TemplateValue& right, TemplateBudget& budget) {
  if (left.is_whole() && right.is_whole() && name != "/") {
    const bool divides = name == "//" || name == "%";
    return TemplateValue(divides ? whole_quotient(name == "%", left.whole(), right.whole())
                                 : whole_result(name[0], left.whole(), right.whole()));
  }
  if (left.is_number() && right.is_number()) {
    return real_result(name, left.number(), right.number());
  }
  if (name == "+" && left.is(TemplateKind::Text) && right.is(TemplateKind::Text)) {
    budget.spend_bytes(left.text().size() + right.text().size());
    if (left.is_safe() || right.is_safe()) {
      budget.spend_bytes(4 * (left.text().size() + right.text().size()));
      return TemplateValue::safe_text(escaped(left) + escaped(right));
    }
    return TemplateValue(left.text() + right.text());
  }
  if (name == "+" && left.is(TemplateKind::List) && right.is(TemplateKind::List) &&
      left.list().form == right.list().form) {
    require_plain(left);
    auto items = left.list().items;
    budget.spend_bytes((items.size() + right.list().items.size()) * sizeof(TemplateValue));
    items.insert(items.end(), right.list().items.begin(), right.list().items.end());
    return TemplateValue::list(std::move(items), left.list().form);
  }
  const auto is_sequence = [](const TemplateValue& value) {
    return value.is(TemplateKind::Text) || value.is(TemplateKind::List);
  };
  if (name == "*" && is_sequence(left) && right.is_whole()) {
    return repeated(left, right.whole(), budget);
  }
  if (name == "*" && left.is_whole() && is_sequence(right)) {
    return repeated(right, left.whole(), budget);
  }
  fail_operator(name, left, right);
}

bool compared(const std::string& name, const TemplateValue& left, const TemplateValue& right,
              TemplateBudget& budget) {
  if (name == "in" || name == "not in") {
    return is_in(left, right, budget) == (name == "in");
  }
  if (name == "==" || name == "!=") {
    budget.spend_steps(std::min(left.weight(), right.weight()) / 16);
    return (left == right) == (name == "==");
  }
  const bool has_nan = (left.is(TemplateKind::Real) && std::isnan(left.real())) ||
                       (right.is(TemplateKind::Real) && std::isnan(right.real()));
  const int sign = order(name, left, right);
  return !has_nan && (name == "<"    ? sign < 0
                      : name == "<=" ? sign <= 0
                      : name == ">"  ? sign > 0
                                     : sign >= 0);
}

TemplateValue slice_of(const TemplateValue& value, const TemplateValue& start,
                       const TemplateValue& stop, const TemplateValue& step,
                       TemplateBudget& budget) {
  const bool is_text = value.is(TemplateKind::Text);
  if (!is_text && !value.is(TemplateKind::List)) {
    throw std::invalid_argument("a slice of " + value.description());
  }
  require_numbered(value);
  const auto points = is_text ? code_points(value.text()) : std::u32string();
  const auto count = is_text ? std::ssize(points) : std::ssize(value.list().items);
  budget.spend_bytes(is_text ? points.size() * sizeof(char32_t)
                             : static_cast<std::size_t>(count) * sizeof(TemplateValue));
  if (!step.is(TemplateKind::None) && (!step.is_whole() || step.whole() == 0)) {
    throw std::invalid_argument("a slice with the step " + template_representation(step));
  }
  const std::int64_t by = step.is(TemplateKind::None) ? 1 : step.whole();
  const std::int64_t low = by > 0 ? 0 : -1;
  const std::int64_t high = by > 0 ? count : count - 1;
  const std::int64_t first = bound(start, count, low, high, by > 0 ? 0 : count - 1);
  const std::int64_t last = bound(stop, count, low, high, by > 0 ? count : -1);
  std::u32string text;
  std::vector<TemplateValue> items;
  for (std::int64_t i = first; by > 0 ? i < last : i > last;) {
    if (is_text) {
      text += points[static_cast<std::size_t>(i)];
    } else {
      items.push_back(value.list().items[static_cast<std::size_t>(i)]);
    }
    if (__builtin_add_overflow(i, by, &i)) {
      break;
    }
  }
  return is_text ? TemplateValue(to_utf8(text))
                 : TemplateValue::list(std::move(items), value.list().form);
}

std::vector<TemplateValue> items_of(const TemplateValue& value, TemplateBudget& budget) {
  std::vector<TemplateValue> items;
  switch (value.kind()) {
    case TemplateKind::Undefined:
      return items;
    case TemplateKind::List:
      read_generator(value);
      items = value.list().items;
      break;
    case TemplateKind::Object:
      for (const auto& field : value.object().fields) {
        items.push_back(TemplateValue(field.first));
      }
      break;
    case TemplateKind::Text:
      budget.spend_bytes(value.text().size() * 2 * sizeof(TemplateValue));
      for (const char32_t point : code_points(value.text())) {
        items.push_back(TemplateValue(to_utf8(std::u32string(1, point))));
      }
      break;
    case TemplateKind::None:
    case TemplateKind::Boolean:
    case TemplateKind::Integer:
    case TemplateKind::Real:
    case TemplateKind::Namespace:
    case TemplateKind::Macro:
    case TemplateKind::Function:
      throw std::invalid_argument(value.description() + " has no items");
  }
  budget.spend_bytes(items.size() * sizeof(TemplateValue));
  return items;
}

}  // namespace ddx::data::detail
