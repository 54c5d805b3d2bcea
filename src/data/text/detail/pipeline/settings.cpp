#include "data/text/detail/pipeline/settings.h"

#include "ddx/core/error.h"
#include "ddx/data/text/utf8.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

using io::detail::JsonValue;

constexpr std::size_t longest_shown = 100;

}  // namespace

Settings::Settings(const JsonValue& value, std::string path, const io::detail::Refusal& refuse)
    : fields_(value.object()), path_(std::move(path)), refuse_(&refuse) {
  if (fields_ == nullptr) {
    refuse(path_.empty() ? "is no JSON object"
                         : path_ + " is " + value.shown(longest_shown) + ", an object is expected");
  }
}

const JsonValue* Settings::find(std::string_view key) const {
  const auto found = fields_->find(key);
  return found == fields_->end() || found->second.is_null() ? nullptr : &found->second;
}

const JsonValue& Settings::at(std::string_view key) const {
  const auto* const value = find(key);
  if (value == nullptr) {
    (*refuse_)("has no " + named(key));
    throw InternalError("read_tokenizer", "a refusal returned");
  }
  return *value;
}

std::string Settings::text(std::string_view key) const {
  const auto* const text = at(key).text();
  if (text == nullptr) {
    fail_kind(key, "a text");
  }
  return *text;
}

std::string Settings::text(std::string_view key, const std::string& otherwise) const {
  return find(key) == nullptr ? otherwise : text(key);
}

bool Settings::boolean(std::string_view key, bool otherwise) const {
  const auto* const value = find(key);
  if (value == nullptr) {
    return otherwise;
  }
  if (value->boolean() == nullptr) {
    fail_kind(key, "true or false");
  }
  return *value->boolean();
}

std::int32_t Settings::integer(std::string_view key, std::int32_t least) const {
  const auto value = at(key).integer();
  if (!value || *value < least || *value > std::numeric_limits<std::int32_t>::max()) {
    fail_kind(key, "an integer from " + std::to_string(least) + " to 2147483647");
  }
  return static_cast<std::int32_t>(*value);
}

std::string Settings::character(std::string_view key) const {
  auto found = text(key);
  if (found.empty() || utf8_character_at(found, 0).bytes != found.size()) {
    fail_kind(key, "one character");
  }
  return found;
}

Settings Settings::object(std::string_view key) const {
  return {at(key), named(key), *refuse_};
}

std::optional<Settings> Settings::optional_object(std::string_view key) const {
  return find(key) == nullptr ? std::nullopt : std::optional(object(key));
}

std::vector<Settings> Settings::objects(std::string_view key) const {
  const auto* const list = at(key).list();
  if (list == nullptr) {
    fail_kind(key, "a list");
  }
  std::vector<Settings> found;
  for (const auto& value : *list) {
    found.emplace_back(value, named(key) + "[" + std::to_string(found.size()) + "]", *refuse_);
  }
  return found;
}

std::string Settings::named(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void Settings::fail(std::string_view key, const std::string& facts) const {
  (*refuse_)(named(key) + ": " + facts);
  throw InternalError("read_tokenizer", "a refusal returned");
}

void Settings::fail_kind(std::string_view key, const std::string& expected) const {
  fail(key, at(key).shown(longest_shown) + " where " + expected + " is expected");
}

void Settings::fail_unsupported(std::string_view key) const {
  fail(key, at(key).shown(longest_shown) + " is not supported");
}

}  // namespace ddx::data::detail
