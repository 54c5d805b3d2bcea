#include "ddx/models/pretrained/model_configuration.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"

#include "io/detail/bounded_json.h"
#include "io/detail/json_value.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

using io::detail::JsonObject;
using io::detail::JsonValue;

constexpr auto configuration_operation = "ModelConfiguration";

/// What `work` returns; memory that runs out in it is an error of the library.
template <class Work>
auto with_memory(const Work& work) {
  return ddx::detail::with_memory_for(configuration_operation, work);
}

/// A value for a message.
std::string in_message(const JsonValue& value) {
  constexpr std::size_t longest = 100;
  return value.shown(longest);
}

/// What a value is of each kind, none where it is of another.
std::optional<std::int64_t> integer_of(const JsonValue& value) {
  return value.integer();
}
std::optional<double> real_of(const JsonValue& value) {
  return value.number();
}
std::optional<bool> boolean_of(const JsonValue& value) {
  const auto* const truth = value.boolean();
  return truth != nullptr ? std::optional<bool>(*truth) : std::nullopt;
}
std::optional<std::string> text_of(const JsonValue& value) {
  const auto* const text = value.text();
  return text != nullptr ? std::optional<std::string>(*text) : std::nullopt;
}

}  // namespace

struct ModelConfiguration::State {
  std::filesystem::path file;
  std::shared_ptr<const JsonValue> root;  // Has the settings.
  const JsonObject* settings = nullptr;
  std::string prefix = {};  // Of their keys in messages: "rope_scaling.".

  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(configuration_operation, file.string() + ": " + facts);
  }

  [[nodiscard]] std::string named(std::string_view key) const { return prefix + std::string(key); }

  /// The value of a key; null where there is none, and for a JSON null.
  [[nodiscard]] const JsonValue* find(std::string_view key) const {
    const auto found = settings->find(key);
    return found == settings->end() || found->second.is_null() ? nullptr : &found->second;
  }

  [[nodiscard]] const JsonValue& at(std::string_view key, const char* kind) const {
    const auto* const found = find(key);
    if (found == nullptr) {
      fail("has no " + named(key) + ", " + kind + " is expected");
    }
    return *found;
  }

  [[noreturn]] void refuse_kind(std::string_view key, const char* kind) const {
    fail(named(key) + " is " + in_message(*find(key)) + ", " + kind + " is expected");
  }

  template <class Element>
  [[nodiscard]] Element value(std::string_view key, const char* kind,
                              std::optional<Element> (*element_of)(const JsonValue&)) const {
    auto element = element_of(at(key, kind));
    if (!element) {
      refuse_kind(key, kind);
    }
    return *std::move(element);
  }

  template <class Element>
  [[nodiscard]] std::vector<Element> values(
      std::string_view key, const char* kind,
      std::optional<Element> (*element_of)(const JsonValue&)) const {
    const auto* const list = at(key, kind).list();
    if (list == nullptr) {
      refuse_kind(key, kind);
    }
    std::vector<Element> elements;
    elements.reserve(list->size());
    for (const auto& found : *list) {
      auto element = element_of(found);
      if (!element) {
        refuse_kind(key, kind);
      }
      elements.push_back(*std::move(element));
    }
    return elements;
  }

  [[noreturn]] void refuse_value(std::string_view key, const JsonValue& expected) const {
    fail(named(key) + " is " + in_message(*find(key)) + ", only " + in_message(expected) +
         " is supported");
  }
};

ModelConfiguration::ModelConfiguration(const std::filesystem::path& path,
                                       const ModelConfigurationOptions& options) try {
  std::error_code error;
  auto file = std::filesystem::is_directory(path, error) ? path / "config.json" : path;
  const auto bytes = read_file(file, configuration_operation, options.max_bytes);
  State state{.file = std::move(file), .root = nullptr};
  state.root = std::make_shared<const JsonValue>(
      io::detail::parse_bounded_json(bytes,
                                     {.max_bytes = options.max_bytes,
                                      .option = "ModelConfigurationOptions::max_bytes",
                                      .has_unique_names = true},
                                     [&](const std::string& facts) { state.fail(facts); }));
  state.settings = state.root->object();
  if (state.settings == nullptr) {
    state.fail("is no JSON object");
  }
  state_ = std::make_shared<const State>(std::move(state));
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(configuration_operation);
}

ModelConfiguration::ModelConfiguration(std::shared_ptr<const State> state)
    : state_(std::move(state)) {}

const std::filesystem::path& ModelConfiguration::file() const noexcept {
  return state_->file;
}

bool ModelConfiguration::has(std::string_view key) const {
  return state_->find(key) != nullptr;
}

bool ModelConfiguration::is_null(std::string_view key) const {
  const auto found = state_->settings->find(key);
  return found != state_->settings->end() && found->second.is_null();
}

bool ModelConfiguration::is_text(std::string_view key) const {
  const auto* const value = state_->find(key);
  return value != nullptr && value->text() != nullptr;
}

std::vector<std::string> ModelConfiguration::keys() const {
  return with_memory([&] {
    std::vector<std::string> result;
    for (const auto& [key, value] : *state_->settings) {
      if (!value.is_null()) {
        result.push_back(key);
      }
    }
    return result;
  });
}

std::int64_t ModelConfiguration::integer(std::string_view key) const {
  return state_->value(key, "an integer", integer_of);
}

double ModelConfiguration::real(std::string_view key) const {
  return state_->value(key, "a number", real_of);
}

bool ModelConfiguration::boolean(std::string_view key) const {
  return state_->value(key, "true or false", boolean_of);
}

std::string ModelConfiguration::text(std::string_view key) const {
  return with_memory([&] { return state_->value(key, "a text", text_of); });
}

std::vector<std::int64_t> ModelConfiguration::integers(std::string_view key) const {
  return with_memory([&] { return state_->values(key, "a list of integers", integer_of); });
}

std::vector<double> ModelConfiguration::reals(std::string_view key) const {
  return with_memory([&] { return state_->values(key, "a list of numbers", real_of); });
}

std::vector<std::string> ModelConfiguration::texts(std::string_view key) const {
  return with_memory([&] { return state_->values(key, "a list of texts", text_of); });
}

ModelConfiguration ModelConfiguration::object(std::string_view key) const {
  return with_memory([&] {
    constexpr auto kind = "an object";
    auto state = *state_;
    state.settings = state_->at(key, kind).object();
    if (state.settings == nullptr) {
      state_->refuse_kind(key, kind);
    }
    state.prefix = state_->named(key) + ".";
    return ModelConfiguration(std::make_shared<const State>(std::move(state)));
  });
}

void ModelConfiguration::refuse(std::string_view key, std::string_view supported) const {
  const auto* const value = state_->find(key);
  state_->fail(state_->named(key) + " is " + (value == nullptr ? "absent" : in_message(*value)) +
               ", supported: " + std::string(supported));
}

void ModelConfiguration::require_boolean(std::string_view key, bool expected) const {
  if (boolean(key, expected) != expected) {
    state_->refuse_value(key, JsonValue(expected));
  }
}

void ModelConfiguration::require_integer(std::string_view key, std::int64_t expected) const {
  if (integer(key, expected) != expected) {
    state_->refuse_value(key, JsonValue(expected));
  }
}

void ModelConfiguration::require_real(std::string_view key, double expected) const {
  if (real(key, expected) != expected) {
    state_->refuse_value(key, JsonValue(expected));
  }
}

void ModelConfiguration::require_text(std::string_view key, std::string_view expected) const {
  if (has(key) && text(key) != expected) {
    state_->refuse_value(key, JsonValue(std::string(expected)));
  }
}

}  // namespace ddx::models
