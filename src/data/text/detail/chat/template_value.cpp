#include "data/text/detail/chat/template_value.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr int deepest_value = 100;

int depth_with(const TemplateValue& value, int depth) {
  if (value.is(TemplateKind::Namespace) || value.is(TemplateKind::Macro) ||
      value.is(TemplateKind::Function)) {
    throw std::length_error(value.description() + " within another value");
  }
  const int result = std::max(depth, value.depth() + 1);
  if (result > deepest_value) {
    throw std::length_error("values nest deeper than " + std::to_string(deepest_value));
  }
  return result;
}

/// Values may share parts, so that walking through them costs more than the memory that they take.
std::size_t weight_with(const TemplateValue& value, std::size_t weight) {
  constexpr std::size_t largest_weight = std::size_t{1} << 26;
  const std::size_t result = weight + value.weight();
  if (result > largest_weight) {
    throw std::length_error("a value is too large");
  }
  return result;
}

bool equal_objects(const TemplateObject& left, const TemplateObject& right) {
  return left.fields.size() == right.fields.size() &&
         std::ranges::all_of(left.fields, [&](const auto& field) {
           const TemplateValue* const other = right.find(field.first);
           return other != nullptr && *other == field.second;
         });
}

}  // namespace

const TemplateValue* TemplateObject::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(
      fields, key, [](const auto& field) -> std::string_view { return field.first; });
  return found == fields.end() ? nullptr : &found->second;
}

void TemplateObject::set(std::string_view key, TemplateValue value) {
  depth = depth_with(value, depth);
  weight = weight_with(value, weight + key.size());
  const auto found = std::ranges::find(
      fields, key, [](const auto& field) -> std::string_view { return field.first; });
  if (found == fields.end()) {
    fields.emplace_back(key, std::move(value));
  } else {
    found->second = std::move(value);
  }
}

TemplateValue TemplateValue::safe_text(std::string text) {
  TemplateValue result(std::move(text));
  result.is_safe_ = true;
  return result;
}

TemplateValue TemplateValue::list(std::vector<TemplateValue> items, TemplateListForm form) {
  int depth = 1;
  std::size_t weight = 1;
  for (const auto& item : items) {
    depth = depth_with(item, depth);
    weight = weight_with(item, weight);
  }
  TemplateValue result;
  result.content_ = std::make_shared<const TemplateList>(
      TemplateList{.items = std::move(items), .form = form, .depth = depth, .weight = weight});
  return result;
}

TemplateValue TemplateValue::object(TemplateObject object) {
  TemplateValue result;
  result.content_ = std::make_shared<const TemplateObject>(std::move(object));
  return result;
}

bool TemplateValue::is_true() const noexcept {
  switch (kind()) {
    case TemplateKind::Undefined:
    case TemplateKind::None:
      return false;
    case TemplateKind::Boolean:
      return boolean();
    case TemplateKind::Integer:
      return integer() != 0;
    case TemplateKind::Real:
      return real() != 0;
    case TemplateKind::Text:
      return !text().empty();
    case TemplateKind::List:
      return list().form == TemplateListForm::Generator || !list().items.empty();
    case TemplateKind::Object:
      return !object().fields.empty();
    case TemplateKind::Namespace:
    case TemplateKind::Macro:
    case TemplateKind::Function:
      return true;
  }
  return true;
}

int TemplateValue::depth() const noexcept {
  return is(TemplateKind::List) ? list().depth : is(TemplateKind::Object) ? object().depth : 0;
}

std::size_t TemplateValue::weight() const noexcept {
  return is(TemplateKind::List)     ? list().weight
         : is(TemplateKind::Object) ? object().weight
         : is(TemplateKind::Text)   ? text().size() + 1
                                    : 1;
}

std::string TemplateValue::description() const {
  switch (kind()) {
    case TemplateKind::Undefined:
      return "'" + undefined_name() + "', which is undefined";
    case TemplateKind::None:
      return "none";
    case TemplateKind::Boolean:
      return "a truth value";
    case TemplateKind::Integer:
      return "an integer";
    case TemplateKind::Real:
      return "a number";
    case TemplateKind::Text:
      return "a text";
    case TemplateKind::List:
      return list().form == TemplateListForm::Generator ? "a generator"
             : list().form == TemplateListForm::Range   ? "a range"
             : list().form == TemplateListForm::View    ? "a view of an object"
                                                        : "a list";
    case TemplateKind::Object:
      return "an object";
    case TemplateKind::Namespace:
      return "a namespace";
    case TemplateKind::Macro:
      return "a macro";
    case TemplateKind::Function:
      return "a function";
  }
  return "a value";
}

bool operator==(const TemplateValue& left, const TemplateValue& right) {
  if (left.is_whole() && right.is_whole()) {
    return left.whole() == right.whole();
  }
  if (left.is_number() && right.is_number()) {
    return left.number() == right.number();
  }
  if (left.kind() != right.kind()) {
    return false;
  }
  switch (left.kind()) {
    case TemplateKind::Text:
      return left.text() == right.text();
    case TemplateKind::List:
      return &left.list() == &right.list() || (left.list().form == right.list().form &&
                                               left.list().form <= TemplateListForm::Range &&
                                               left.list().items == right.list().items);
    case TemplateKind::Object:
      return equal_objects(left.object(), right.object());
    case TemplateKind::Namespace:
      return &left.name_space() == &right.name_space();
    case TemplateKind::Macro:
      return left.macro().definition == right.macro().definition;
    case TemplateKind::Function:
      return left.function().name == right.function().name;
    case TemplateKind::Undefined:
    case TemplateKind::None:
    case TemplateKind::Boolean:
    case TemplateKind::Integer:
    case TemplateKind::Real:
      return true;  // Both undefined, or both none: numbers are above.
  }
  return false;
}

}  // namespace ddx::data::detail
