#include "backend/pjrt/named_value.h"

#include "ddx/backend/pjrt.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

constexpr std::size_t named_value_bytes =
    offsetof(NamedValue, value_size) + sizeof(NamedValue::value_size);
static_assert(named_value_bytes == 56 && sizeof(NamedValue) == 56);

void set_value(NamedValue& raw, const std::string& value) {
  raw.type = NamedValueType::String;
  raw.string = value.data();
  raw.value_size = value.size();
}
void set_value(NamedValue& raw, std::int64_t value) {
  raw.type = NamedValueType::Int64;
  raw.int64 = value;
}
void set_value(NamedValue& raw, const std::vector<std::int64_t>& value) {
  raw.type = NamedValueType::Int64List;
  raw.int64_list = value.data();
  raw.value_size = value.size();
}
void set_value(NamedValue& raw, float value) {
  raw.type = NamedValueType::Float;
  raw.number = value;
}
void set_value(NamedValue& raw, bool value) {
  raw.type = NamedValueType::Bool;
  raw.boolean = value;
}

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(const std::vector<std::int64_t>& value) {
  std::string text = "[";
  for (const std::int64_t number : value) {
    text += (text.size() == 1 ? "" : ", ") + std::to_string(number);
  }
  return text + "]";
}
std::string text_of(bool value) {
  return value ? "true" : "false";
}
std::string text_of(std::int64_t value) {
  return std::to_string(value);
}
std::string text_of(float value) {
  return std::to_string(value);
}

}  // namespace

std::string to_string(const Named& named) {
  return named.name + "=" +
         std::visit([](const auto& value) { return text_of(value); }, named.value);
}

std::vector<Named> named(std::span<const PjrtOption> options) {
  std::vector<Named> all;
  for (const PjrtOption& option : options) {
    all.push_back({option.name, option.value});
  }
  return all;
}

std::vector<NamedValue> to_raw(std::span<const Named> named) {
  std::vector<NamedValue> raw;
  raw.reserve(named.size());
  for (const Named& one : named) {
    NamedValue value{.head = {.size = named_value_bytes},
                     .name = one.name.data(),
                     .name_size = one.name.size(),
                     .string = nullptr,
                     .value_size = 1};
    std::visit([&](const auto& given) { set_value(value, given); }, one.value);
    raw.push_back(value);
  }
  return raw;
}

std::vector<Named> from_raw(const NamedValue* values, std::size_t count) {
  std::vector<Named> named;
  // The plugin's structs may be longer than ours: they tell how far the next one is.
  const auto* place = reinterpret_cast<const std::byte*>(values);
  for (std::size_t i = 0; i < count; ++i) {
    const auto& raw = *reinterpret_cast<const NamedValue*>(place);
    place += raw.head.size > named_value_bytes ? raw.head.size : named_value_bytes;
    const std::string name(raw.name, raw.name_size);
    switch (raw.type) {
      case NamedValueType::String:
        named.push_back({name, std::string(raw.string, raw.value_size)});
        break;
      case NamedValueType::Int64:
        named.push_back({name, raw.int64});
        break;
      case NamedValueType::Int64List:
        named.push_back(
            {name, std::vector<std::int64_t>(raw.int64_list, raw.int64_list + raw.value_size)});
        break;
      case NamedValueType::Float:
        named.push_back({name, raw.number});
        break;
      case NamedValueType::Bool:
        named.push_back({name, raw.boolean});
        break;
    }
  }
  return named;
}

}  // namespace ddx::backend::pjrt
