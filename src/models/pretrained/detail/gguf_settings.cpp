#include "models/pretrained/detail/gguf_settings.h"

#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"

#include "io/detail/json_value.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace ddx::models::detail {
namespace {

/// A value for a message: of a long text the beginning, of a list how long it is.
std::string shown(const io::GgufValue& value) {
  constexpr std::size_t longest = 100;
  std::ostringstream text;
  std::visit(
      [&]<class Value>(const Value& held) {
        if constexpr (std::is_same_v<Value, bool>) {
          text << (held ? "true" : "false");
        } else if constexpr (std::is_same_v<Value, std::string>) {
          text << io::detail::json_quoted(held.substr(0, longest))
               << (held.size() > longest ? "..." : "");
        } else if constexpr (std::is_same_v<Value, std::vector<io::GgufValue>>) {
          text << "a list of " << held.size() << " values";
        } else {
          text << held;
        }
      },
      value.value);
  return text.str();
}

}  // namespace

GgufSettings::GgufSettings(const io::GgufView& file) : file_(file) {
  constexpr const char* key = "general.architecture";
  const auto found = file.metadata().find(key);
  if (found == file.metadata().end()) {
    fail(std::string("has no ") + key + ", a text is expected");
  }
  const auto* const text = std::get_if<std::string>(&found->second.value);
  if (text == nullptr) {
    fail(std::string(key) + " is " + shown(found->second) + ", a text is expected");
  }
  architecture_ = *text;
  const auto parts = file.metadata().find("split.count");
  if (parts != file.metadata().end() && parts->second != io::GgufValue{std::int64_t{1}} &&
      parts->second != io::GgufValue{std::int64_t{0}}) {
    fail("split.count is " + shown(parts->second) + ", supported: 1, whole models");
  }
}

std::int64_t GgufSettings::integer(std::string_view key) {
  constexpr const char* kind = "an integer of at most 2^63 - 1";
  const auto* const held = std::get_if<std::int64_t>(&asked(key, kind).value);
  if (held == nullptr) {
    refuse_kind(key, kind);
  }
  return *held;
}

double GgufSettings::real(std::string_view key) {
  constexpr const char* kind = "a number with a fraction";
  const auto* const held = std::get_if<double>(&asked(key, kind).value);
  if (held == nullptr) {
    refuse_kind(key, kind);
  }
  return *held;
}

std::string GgufSettings::text(std::string_view key) {
  constexpr const char* kind = "a text";
  const auto* const held = std::get_if<std::string>(&asked(key, kind).value);
  if (held == nullptr) {
    refuse_kind(key, kind);
  }
  return *held;
}

std::int64_t GgufSettings::integer(std::string_view key, std::int64_t otherwise) {
  return has(key) ? integer(key) : otherwise;
}

double GgufSettings::real(std::string_view key, double otherwise) {
  return has(key) ? real(key) : otherwise;
}

std::string GgufSettings::text(std::string_view key, const std::string& otherwise) {
  return has(key) ? text(key) : otherwise;
}

void GgufSettings::require_integer(std::string_view key, std::int64_t expected) {
  if (integer(key, expected) != expected) {
    refuse(key, std::to_string(expected));
  }
}

void GgufSettings::require_real(std::string_view key, double expected) {
  if (real(key, expected) != expected) {
    refuse(key, shown({expected}));
  }
}

void GgufSettings::require_boolean(std::string_view key, bool expected) {
  if (!has(key)) {
    return;
  }
  constexpr const char* kind = "true or false";
  const auto* const held = std::get_if<bool>(&asked(key, kind).value);
  if (held == nullptr) {
    refuse_kind(key, kind);
  }
  if (*held != expected) {
    refuse(key, expected ? "true" : "false");
  }
}

void GgufSettings::refuse(std::string_view key, const std::string& supported) const {
  const auto* const found = find(key);
  fail(named(key) + " is " + (found == nullptr ? "absent" : shown(*found)) +
       ", supported: " + supported);
}

void GgufSettings::refuse_architecture(const std::string& supported) const {
  fail("general.architecture is " + shown({architecture_}) + ", supported: " + supported);
}

void GgufSettings::refuse_the_rest() const {
  const std::string prefix = named("");
  for (const auto& [name, value] : file_.metadata()) {
    if (name.starts_with(prefix) && !asked_.contains(name)) {
      fail(io::detail::json_quoted(name) + " is " + shown(value) +
           ", a setting that is not supported");
    }
  }
}

void GgufSettings::fail(const std::string& facts) const {
  throw EnvironmentError("load_pretrained", file_.file().string() + ": " + facts);
}

std::string GgufSettings::named(std::string_view key) const {
  return architecture_ + "." + std::string(key);
}

const io::GgufValue* GgufSettings::find(std::string_view key) const {
  const auto found = file_.metadata().find(named(key));
  return found == file_.metadata().end() ? nullptr : &found->second;
}

const io::GgufValue& GgufSettings::asked(std::string_view key, const char* kind) {
  asked_.insert(named(key));
  const auto* const found = find(key);
  if (found == nullptr) {
    fail("has no " + named(key) + ", " + kind + " is expected");
  }
  return *found;
}

void GgufSettings::refuse_kind(std::string_view key, const char* kind) const {
  fail(named(key) + " is " + shown(*find(key)) + ", " + kind + " is expected");
}

}  // namespace ddx::models::detail
