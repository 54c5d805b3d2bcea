// Attributes, items, methods and tests of values.

#include "ddx/data/text/utf8.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"
#include "data/text/detail/unicode.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

constexpr std::array<std::string_view, 15> text_methods{
    "strip",      "lstrip", "rstrip",       "startswith",   "endswith",
    "split",      "upper",  "lower",        "title",        "replace",
    "capitalize", "find",   "removeprefix", "removesuffix", "count"};
constexpr std::array<std::string_view, 4> object_methods{"items", "keys", "values", "get"};
/// What Python's values have besides: not undefined there, so it is an error here.
constexpr std::array<std::string_view, 49> other_methods{
    "casefold",     "center",     "encode",     "expandtabs",  "format",     "format_map",
    "index",        "isalnum",    "isalpha",    "isascii",     "isdecimal",  "isdigit",
    "isidentifier", "islower",    "isnumeric",  "isprintable", "isspace",    "istitle",
    "isupper",      "join",       "ljust",      "maketrans",   "partition",  "rfind",
    "rindex",       "rjust",      "rpartition", "rsplit",      "splitlines", "swapcase",
    "translate",    "zfill",      "append",     "clear",       "copy",       "extend",
    "insert",       "pop",        "remove",     "reverse",     "sort",       "fromkeys",
    "popitem",      "setdefault", "update",     "is_integer",  "bit_length", "as_integer_ratio",
    "conjugate"};

template <class Names>
bool has_name(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

TemplateValue undefined(std::string name) {
  return TemplateValue(TemplateUndefined{.name = std::move(name)});
}

TemplateValue method(const TemplateValue& self, const std::string& name) {
  return TemplateValue(
      TemplateFunction{.name = name, .self = std::make_shared<const TemplateValue>(self)});
}

const std::string& text_argument(const TemplateArguments& arguments, std::size_t place,
                                 const std::string& method) {
  const TemplateValue* const value = arguments.find(place, "");
  if (value == nullptr || !value->is(TemplateKind::Text)) {
    throw std::invalid_argument("'" + method + "' takes a text");
  }
  return value->text();
}

/// Whether one of the given texts begins or ends the text.
bool has_end(const std::string& name, const std::string& text, const TemplateArguments& arguments) {
  const TemplateValue* const given = arguments.find(0, "");
  if (given == nullptr || (!given->is(TemplateKind::Text) && !given->is(TemplateKind::List))) {
    throw std::invalid_argument("'" + name + "' takes a text or texts");
  }
  const auto options =
      given->is(TemplateKind::Text) ? std::vector<TemplateValue>{*given} : given->list().items;
  return std::ranges::any_of(options, [&](const TemplateValue& each) {
    if (!each.is(TemplateKind::Text)) {
      throw std::invalid_argument("'" + name + "' takes texts");
    }
    return name == "startswith" ? text.starts_with(each.text()) : text.ends_with(each.text());
  });
}

std::int64_t most_parts(const TemplateArguments& arguments, std::size_t place,
                        std::string_view name) {
  const TemplateValue* const given = arguments.find(place, name);
  if (given == nullptr) {
    return std::numeric_limits<std::int64_t>::max();
  }
  if (!given->is_whole()) {
    throw std::invalid_argument("a count is " + given->description());
  }
  return given->whole() < 0 ? std::numeric_limits<std::int64_t>::max() : given->whole();
}

/// Without a separator: words between white space.
std::vector<TemplateValue> words_of(const std::string& text, std::int64_t most) {
  std::vector<TemplateValue> words;
  std::string rest = stripped(text, nullptr, true, false);
  while (!rest.empty()) {
    if (std::ssize(words) >= most) {
      words.push_back(TemplateValue(std::move(rest)));
      return words;
    }
    std::size_t end = 0;
    while (end < rest.size()) {
      const auto character = utf8_character_at(rest, end);
      if (is_white_space(character.code_point)) {
        break;
      }
      end += character.bytes;
    }
    words.push_back(TemplateValue(rest.substr(0, end)));
    rest = stripped(std::string_view(rest).substr(end), nullptr, true, false);
  }
  return words;
}

TemplateValue split_text(const std::string& text, const TemplateArguments& arguments,
                         TemplateBudget& budget) {
  arguments.check("split", 2, {"sep", "maxsplit"});
  const TemplateValue* const separator = arguments.find(0, "sep");
  const std::int64_t most = most_parts(arguments, 1, "maxsplit");
  if (separator == nullptr || separator->is(TemplateKind::None)) {
    // Each word copies what is behind it.
    budget.spend_bytes(text.size() * 4);
    budget.spend_steps(text.size() / 64 * (text.size() / 64));
    return TemplateValue::list(words_of(text, most));
  }
  if (!separator->is(TemplateKind::Text) || separator->text().empty()) {
    throw std::invalid_argument("'split' takes a text that is not empty");
  }
  const std::string& between = separator->text();
  std::vector<TemplateValue> parts;
  std::size_t begin = 0;
  for (std::size_t end = 0; std::ssize(parts) < most; begin = end + between.size()) {
    end = text.find(between, begin);
    if (end == std::string::npos) {
      break;
    }
    parts.push_back(TemplateValue(text.substr(begin, end - begin)));
  }
  parts.push_back(TemplateValue(text.substr(begin)));
  budget.spend_bytes(text.size() + parts.size() * 64);
  return TemplateValue::list(std::move(parts));
}

TemplateValue replaced(const std::string& text, const TemplateArguments& arguments,
                       TemplateBudget& budget) {
  arguments.check("replace", 3, {});
  const std::string& from = text_argument(arguments, 0, "replace");
  const std::string& to = text_argument(arguments, 1, "replace");
  if (from.empty()) {
    throw std::invalid_argument("'replace' of an empty text is not supported");
  }
  std::int64_t left = most_parts(arguments, 2, "");
  std::string result;
  std::size_t begin = 0;
  for (; left > 0; --left) {
    const std::size_t found = text.find(from, begin);
    if (found == std::string::npos) {
      break;
    }
    budget.spend_bytes(to.size() + 1);
    result.append(text, begin, found - begin).append(to);
    begin = found + from.size();
  }
  budget.spend_bytes(text.size());
  return TemplateValue(result.append(text, begin));
}

/// How often a text is in another, or where first: in characters; -1: nowhere.
std::int64_t found_text(const std::string& name, const std::string& text, const std::string& part) {
  if (part.empty()) {
    throw std::invalid_argument("'" + name + "' of an empty text is not supported");
  }
  std::int64_t count = 0;
  std::size_t at = text.find(part);
  if (name == "find") {
    return at == std::string::npos ? -1 : std::ssize(code_points(text.substr(0, at)));
  }
  for (; at != std::string::npos; at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

TemplateValue text_method(const std::string& name, const std::string& text,
                          const TemplateArguments& arguments, TemplateBudget& budget) {
  budget.spend_bytes(text.size());
  if (name == "split") {
    return split_text(text, arguments, budget);
  }
  if (name == "replace") {
    return replaced(text, arguments, budget);
  }
  const bool changes_case = name == "upper" || name == "lower" || name == "capitalize";
  arguments.check(name, changes_case || name == "title" ? 0 : 1, {});
  if (name.ends_with("strip")) {
    budget.spend_bytes(text.size() * 4);
    return TemplateValue(
        stripped(text, arguments.find(0, ""), !name.starts_with('r'), !name.starts_with('l')));
  }
  if (name == "startswith" || name == "endswith") {
    return TemplateValue(has_end(name, text, arguments));
  }
  if (name == "removeprefix" || name == "removesuffix") {
    const std::string& end = text_argument(arguments, 0, name);
    const bool is_prefix = name == "removeprefix";
    const bool has_it = is_prefix ? text.starts_with(end) : text.ends_with(end);
    return TemplateValue(!has_it     ? text
                         : is_prefix ? text.substr(end.size())
                                     : text.substr(0, text.size() - end.size()));
  }
  if (name == "find" || name == "count") {
    return TemplateValue(found_text(name, text, text_argument(arguments, 0, name)));
  }
  if (changes_case) {
    return filtered_value(name, TemplateValue(text), {}, budget);
  }
  throw std::invalid_argument("the method '" + name + "' is not supported");
}

TemplateValue object_method(const std::string& name, const TemplateObject& object,
                            const TemplateArguments& arguments, TemplateBudget& budget) {
  budget.spend_bytes(object.fields.size() * 64);
  if (name == "get") {
    arguments.check(name, 2, {});
    const std::string& key = text_argument(arguments, 0, name);
    const TemplateValue* const field = object.find(key);
    const TemplateValue* const otherwise = arguments.find(1, "");
    return field != nullptr ? *field : otherwise != nullptr ? *otherwise : TemplateValue();
  }
  arguments.check(name, 0, {});
  std::vector<TemplateValue> result;
  for (const auto& [key, field] : object.fields) {
    result.push_back(name == "keys"     ? TemplateValue(key)
                     : name == "values" ? field
                                        : TemplateValue::list({TemplateValue(key), field},
                                                              TemplateListForm::Tuple));
  }
  return TemplateValue::list(std::move(result), TemplateListForm::View);
}

}  // namespace

TemplateValue attribute_of(const TemplateValue& value, const std::string& name) {
  if (value.is(TemplateKind::Undefined)) {
    throw std::invalid_argument("'" + value.undefined_name() + "' is undefined");
  }
  if (name.starts_with("__")) {
    throw std::invalid_argument("the attribute '" + name + "' is not supported");
  }
  const bool is_object = value.is(TemplateKind::Object);
  if (value.is(TemplateKind::Namespace)) {
    const TemplateValue* const field = value.name_space().fields.find(name);
    return field != nullptr ? *field : undefined(name);
  }
  if ((is_object && !value.object().is_loop && has_name(object_methods, name)) ||
      (value.is(TemplateKind::Text) && has_name(text_methods, name))) {
    return method(value, name);
  }
  if (const TemplateValue* const field = is_object ? value.object().find(name) : nullptr) {
    return *field;
  }
  const bool can_be_called = value.is(TemplateKind::Macro) || value.is(TemplateKind::Function);
  if (can_be_called || (is_object && value.object().is_loop)) {
    throw std::invalid_argument("the attribute '" + name + "' of " +
                                (can_be_called ? value.description() : "a loop") +
                                " is not supported");
  }
  if (!value.is(TemplateKind::None) && has_name(other_methods, name)) {
    throw std::invalid_argument("the method '" + name + "' of " + value.description() +
                                " is not supported");
  }
  return undefined(name);
}

TemplateValue item_of(const TemplateValue& value, const TemplateValue& key) {
  if (value.is(TemplateKind::Undefined)) {
    throw std::invalid_argument("'" + value.undefined_name() + "' is undefined");
  }
  if (value.is(TemplateKind::List) && key.is_whole()) {
    require_numbered(value);
    const auto& items = value.list().items;
    const std::int64_t place = key.whole() + (key.whole() < 0 ? std::ssize(items) : 0);
    return place >= 0 && place < std::ssize(items) ? items[static_cast<std::size_t>(place)]
                                                   : undefined(template_text(key));
  }
  if (value.is(TemplateKind::Text) && key.is_whole()) {
    require_plain(value);
    const auto points = code_points(value.text());
    const std::int64_t place = key.whole() + (key.whole() < 0 ? std::ssize(points) : 0);
    return place >= 0 && place < std::ssize(points)
               ? TemplateValue(to_utf8(std::u32string(1, points[static_cast<std::size_t>(place)])))
               : undefined(template_text(key));
  }
  if (!key.is(TemplateKind::Text)) {
    return undefined(key.description());
  }
  const TemplateValue* const field =
      value.is(TemplateKind::Object) ? value.object().find(key.text()) : nullptr;
  return field != nullptr ? *field : attribute_of(value, key.text());
}

TemplateValue method_result(const std::string& name, const TemplateValue& self,
                            const TemplateArguments& arguments, TemplateBudget& budget) {
  if (self.is(TemplateKind::Text)) {
    require_plain(self);
    return text_method(name, self.text(), arguments, budget);
  }
  if (self.is(TemplateKind::Object)) {
    return object_method(name, self.object(), arguments, budget);
  }
  throw std::invalid_argument("'" + name + "' of " + self.description());
}

}  // namespace ddx::data::detail
