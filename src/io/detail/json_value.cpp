#include "io/detail/json_value.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace ddx::io::detail {
namespace {

template <class T, class Variant>
auto* held(Variant& value) {
  auto* const owner = std::get_if<std::unique_ptr<T>>(&value);
  return owner != nullptr ? owner->get() : nullptr;
}

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(bool value) : value_(value) {}
JsonValue::JsonValue(std::int64_t value) : value_(value) {}
JsonValue::JsonValue(std::uint64_t value) : value_(value) {}
JsonValue::JsonValue(double value) : value_(value) {}
JsonValue::JsonValue(std::string value) : value_(std::make_unique<std::string>(std::move(value))) {}
JsonValue::JsonValue(JsonList value) : value_(std::make_unique<JsonList>(std::move(value))) {}
JsonValue::JsonValue(JsonObject value) : value_(std::make_unique<JsonObject>(std::move(value))) {}
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;

bool JsonValue::is_null() const noexcept {
  return std::holds_alternative<std::monostate>(value_);
}

const bool* JsonValue::boolean() const noexcept {
  return std::get_if<bool>(&value_);
}

const std::string* JsonValue::text() const noexcept {
  return held<std::string>(value_);
}

const JsonList* JsonValue::list() const noexcept {
  return held<JsonList>(value_);
}

const JsonObject* JsonValue::object() const noexcept {
  return held<JsonObject>(value_);
}

JsonList* JsonValue::list() noexcept {
  return held<JsonList>(value_);
}

JsonObject* JsonValue::object() noexcept {
  return held<JsonObject>(value_);
}

std::optional<std::int64_t> JsonValue::integer() const noexcept {
  if (const auto* const value = std::get_if<std::int64_t>(&value_)) {
    return *value;
  }
  const auto* const value = std::get_if<std::uint64_t>(&value_);
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value == nullptr || *value > largest) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(*value);
}

std::optional<double> JsonValue::number() const noexcept {
  if (const auto* const value = std::get_if<double>(&value_)) {
    return *value;
  }
  if (const auto* const value = std::get_if<std::int64_t>(&value_)) {
    return static_cast<double>(*value);
  }
  if (const auto* const value = std::get_if<std::uint64_t>(&value_)) {
    return static_cast<double>(*value);
  }
  return std::nullopt;
}

void JsonValue::append_to(std::string& text, std::size_t longest) const {
  if (text.size() > longest) {
    return;  // It is cut anyway.
  }
  if (const auto* const values = list()) {
    text += "[";
    for (std::size_t i = 0; i < values->size() && text.size() <= longest; ++i) {
      text += i == 0 ? "" : ",";
      (*values)[i].append_to(text, longest);
    }
    text += "]";
  } else if (const auto* const fields = object()) {
    text += "{";
    const char* separator = "";
    for (auto field = fields->begin(); field != fields->end() && text.size() <= longest; ++field) {
      text += separator + json_quoted(field->first) + ":";
      field->second.append_to(text, longest);
      separator = ",";
    }
    text += "}";
  } else if (const auto* const characters = this->text()) {
    text += json_quoted(*characters);
  } else if (const auto* const truth = boolean()) {
    text += *truth ? "true" : "false";
  } else if (const auto* const real = std::get_if<double>(&value_)) {
    text += nlohmann::json(*real).dump();
  } else if (const auto* const natural = std::get_if<std::uint64_t>(&value_)) {
    text += std::to_string(*natural);
  } else if (const auto* const whole = std::get_if<std::int64_t>(&value_)) {
    text += std::to_string(*whole);
  } else {
    text += "null";
  }
}

std::string JsonValue::shown(std::size_t longest) const {
  std::string text;
  append_to(text, longest);
  if (text.size() > longest) {
    text.resize(longest);
    text += "...";
  }
  return text;
}

std::string json_quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace ddx::io::detail
