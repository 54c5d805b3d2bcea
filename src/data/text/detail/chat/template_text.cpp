// Values as texts: str(), repr() and JSON.

#include "ddx/data/text/utf8.h"

#include "data/text/detail/chat/template_functions.h"
#include "data/text/detail/chat/template_value.h"
#include "data/text/detail/unicode.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// As Python's repr() of a float: the shortest digits that give it back, with an exponent where
/// that is below -4 or above 15.
std::string real_text(double value) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific)
                       .ptr;
  const std::string scientific(buffer.data(), end);
  const auto e = scientific.find('e');
  if (e == std::string::npos) {
    return scientific;  // inf, nan.
  }
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  if (exponent < -4 || exponent > 15) {
    return scientific;
  }
  const auto fixed =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed)
          .ptr;
  std::string text(buffer.data(), fixed);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

/// Whether Python's repr() shows a character as it is.
bool is_printable(char32_t point) {
  const auto category = general_category(point);
  return point == U' ' || (category < GeneralCategory::Zs);
}

std::string quoted_text(const std::string& text) {
  const char quote =
      text.find('\'') != std::string::npos && text.find('"') == std::string::npos ? '"' : '\'';
  std::string result(1, quote);
  for (const char32_t point : code_points(text)) {
    std::array<char, 16> escape{};
    if (point == static_cast<unsigned char>(quote) || point == U'\\') {
      result += '\\';
      result += static_cast<char>(point);
    } else if (point == U'\n' || point == U'\r' || point == U'\t') {
      result += point == U'\n' ? "\\n" : point == U'\r' ? "\\r" : "\\t";
    } else if (is_printable(point)) {
      append_utf8(result, point);
    } else {
      std::snprintf(escape.data(), escape.size(),
                    point < 0x100     ? "\\x%02x"
                    : point < 0x10000 ? "\\u%04x"
                                      : "\\U%08x",
                    static_cast<unsigned>(point));
      result += escape.data();
    }
  }
  return result + quote;
}

std::string shown_list(const TemplateList& list) {
  const bool is_tuple = list.form == TemplateListForm::Tuple;
  std::string result = is_tuple ? "(" : "[";
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    result += (i > 0 ? ", " : "") + template_representation(list.items[i]);
  }
  result += is_tuple && list.items.size() == 1 ? "," : "";
  return result + (is_tuple ? ")" : "]");
}

std::string shown_object(const TemplateObject& object) {
  std::string result = "{";
  for (const auto& [key, value] : object.fields) {
    result +=
        (result.size() > 1 ? ", " : "") + quoted_text(key) + ": " + template_representation(value);
  }
  return result + "}";
}

/// Writes JSON as Python does.
class JsonWriter {
 public:
  JsonWriter(std::int64_t indent, bool ensures_ascii)
      : indent_(indent), ensures_ascii_(ensures_ascii) {}

  void write(const TemplateValue& value) {
    switch (value.kind()) {
      case TemplateKind::None:
        text_ += "null";
        break;
      case TemplateKind::Boolean:
        text_ += value.boolean() ? "true" : "false";
        break;
      case TemplateKind::Integer:
        text_ += std::to_string(value.integer());
        break;
      case TemplateKind::Real:
        write(value.real());
        break;
      case TemplateKind::Text:
        write(value.text());
        break;
      case TemplateKind::List:
        require_plain(value);
        write(value.list());
        break;
      case TemplateKind::Object:
        write(value.object());
        break;
      case TemplateKind::Undefined:
      case TemplateKind::Namespace:
      case TemplateKind::Macro:
      case TemplateKind::Function:
        throw std::invalid_argument(value.description() + " has no form in JSON");
    }
  }

  [[nodiscard]] std::string taken() && { return std::move(text_); }

 private:
  void write(double value) {
    text_ += std::isnan(value)   ? "NaN"
             : std::isinf(value) ? value > 0 ? "Infinity" : "-Infinity"
                                 : real_text(value);
  }
  void write(const std::string& text) {
    text_ += nlohmann::json(text).dump(-1, ' ', ensures_ascii_);
  }
  void write(const TemplateList& list) {
    begin('[');
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      next(i);
      write(list.items[i]);
    }
    end(']', list.items.empty());
  }
  void write(const TemplateObject& object) {
    begin('{');
    for (std::size_t i = 0; i < object.fields.size(); ++i) {
      next(i);
      write(object.fields[i].first);
      text_ += ": ";
      write(object.fields[i].second);
    }
    end('}', object.fields.empty());
  }
  void begin(char bracket) {
    text_ += bracket;
    ++depth_;
  }
  void next(std::size_t i) {
    text_ += i == 0 ? "" : indent_ < 0 ? ", " : ",";
    new_line();
  }
  void end(char bracket, bool is_empty) {
    --depth_;
    if (!is_empty) {
      new_line();
    }
    text_ += bracket;
  }
  void new_line() {
    if (indent_ >= 0) {
      text_ += '\n' + std::string(static_cast<std::size_t>(indent_ * depth_), ' ');
    }
  }

  std::int64_t indent_;
  bool ensures_ascii_;
  std::int64_t depth_ = 0;
  std::string text_;
};

/// Takes the events of a JSON parser.
class ValueBuilder {
 public:
  bool null() { return add(TemplateValue()); }
  bool boolean(bool value) { return add(TemplateValue(value)); }
  bool number_integer(std::int64_t value) { return add(TemplateValue(value)); }
  bool number_unsigned(std::uint64_t value) {
    return std::in_range<std::int64_t>(value)
               ? add(TemplateValue(static_cast<std::int64_t>(value)))
               : throw std::invalid_argument("holds an integer that is too large");
  }
  bool number_float(double value, const std::string&) { return add(TemplateValue(value)); }
  bool binary(nlohmann::json::binary_t&) { return false; }  // JSON as text has none.
  bool string(std::string& value) { return add(TemplateValue(std::move(value))); }
  bool start_object(std::size_t) { return open(false); }
  bool start_array(std::size_t) { return open(true); }
  bool key(std::string& name) {
    open_.back().key = std::move(name);
    return true;
  }
  bool end_object() {
    auto object = std::move(open_.back().object);
    open_.pop_back();
    return add(TemplateValue::object(std::move(object)));
  }
  bool end_array() {
    auto items = std::move(open_.back().items);
    open_.pop_back();
    return add(TemplateValue::list(std::move(items)));
  }
  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception&) {
    throw std::invalid_argument("byte " + std::to_string(byte) + ": not JSON");
  }

  [[nodiscard]] TemplateValue value() const { return root_; }

 private:
  struct Open {
    bool is_list = false;
    std::string key;
    std::vector<TemplateValue> items;
    TemplateObject object;
  };

  bool open(bool is_list) {
    if (open_.size() >= 99) {
      throw std::invalid_argument("its values nest deeper than 99");
    }
    open_.push_back({.is_list = is_list, .key = {}, .items = {}, .object = {}});
    return true;
  }
  bool add(TemplateValue value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_list) {
      open_.back().items.push_back(std::move(value));
    } else {
      open_.back().object.set(open_.back().key, std::move(value));
    }
    return true;
  }

  std::vector<Open> open_;
  TemplateValue root_;
};

}  // namespace

std::string template_text(const TemplateValue& value) {
  switch (value.kind()) {
    case TemplateKind::Undefined:
      return "";
    case TemplateKind::None:
      return "None";
    case TemplateKind::Boolean:
      return value.boolean() ? "True" : "False";
    case TemplateKind::Integer:
      return std::to_string(value.integer());
    case TemplateKind::Real:
      return real_text(value.real());
    case TemplateKind::Text:
      return value.text();
    case TemplateKind::List:
      require_plain(value);
      return shown_list(value.list());
    case TemplateKind::Object:
      return shown_object(value.object());
    case TemplateKind::Namespace:
    case TemplateKind::Macro:
    case TemplateKind::Function:
      throw std::invalid_argument(value.description() + " cannot be printed");
  }
  return "";
}

std::string template_representation(const TemplateValue& value) {
  if (value.is(TemplateKind::Undefined)) {
    return "Undefined";
  }
  if (value.is_safe()) {
    return "Markup(" + quoted_text(value.text()) + ")";
  }
  return value.is(TemplateKind::Text) ? quoted_text(value.text()) : template_text(value);
}

std::string template_json(const TemplateValue& value, std::int64_t indent, bool ensures_ascii) {
  JsonWriter writer(indent, ensures_ascii);
  writer.write(value);
  return std::move(writer).taken();
}

TemplateValue template_value_of_json(std::string_view text) {
  ValueBuilder builder;
  nlohmann::json::sax_parse(text, &builder);
  return builder.value();
}

}  // namespace ddx::data::detail
