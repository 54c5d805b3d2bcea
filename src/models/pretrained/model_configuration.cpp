#include "ddx/models/pretrained/model_configuration.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"

#include "io/detail/bounded_json.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::models {
namespace {

using Json = nlohmann::json;

constexpr auto configuration_operation = "ModelConfiguration";

/// A value for a message: control characters escaped, not too long.
std::string shown(const Json& value) {
  constexpr std::size_t longest = 100;
  auto text = value.is_structured() && value.size() > longest
                  ? std::string(value.is_array() ? "a long list" : "a large object")
                  : value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > longest) {
    text.resize(longest);
    text += "...";
  }
  return text;
}

bool is_integer(const Json& value) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() ||
          value.get<std::uint64_t>() <=
              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

struct ModelConfiguration::State {
  std::filesystem::path file;
  std::shared_ptr<const Json> root;  // Has the settings.
  const Json* settings = nullptr;    // An object.
  std::string prefix = {};           // Of their keys in messages: "rope_scaling.".

  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(configuration_operation, file.string() + ": " + facts);
  }

  [[nodiscard]] std::string named(std::string_view key) const { return prefix + std::string(key); }

  /// The value of a key, or null.
  [[nodiscard]] const Json* find(std::string_view key) const {
    const auto found = settings->find(std::string(key));
    return found == settings->end() || found->is_null() ? nullptr : &*found;
  }

  /// The value of a key, which must be of a kind.
  template <class IsOfKind>
  [[nodiscard]] const Json& value(std::string_view key, const char* kind,
                                  const IsOfKind& is_of_kind) const {
    const auto* const found = find(key);
    if (found == nullptr) {
      fail("has no " + named(key) + ", " + kind + " is expected");
    }
    if (!is_of_kind(*found)) {
      fail(named(key) + " is " + shown(*found) + ", " + kind + " is expected");
    }
    return *found;
  }

  template <class Element, class IsOfKind>
  [[nodiscard]] std::vector<Element> list(std::string_view key, const char* kind,
                                          const IsOfKind& is_of_kind) const {
    const auto& values = value(key, kind, [&](const Json& found) {
      bool is_list = found.is_array();
      for (std::size_t i = 0; is_list && i < found.size(); ++i) {
        is_list = is_of_kind(found[i]);
      }
      return is_list;
    });
    std::vector<Element> elements;
    elements.reserve(values.size());
    for (const auto& element : values) {
      elements.push_back(element.template get<Element>());
    }
    return elements;
  }

  [[noreturn]] void refuse_value(std::string_view key, const Json& expected) const {
    fail(named(key) + " is " + shown(*find(key)) + ", only " + shown(expected) + " is supported");
  }
};

ModelConfiguration::ModelConfiguration(const std::filesystem::path& path,
                                       const ModelConfigurationOptions& options) try {
  std::error_code error;
  auto file = std::filesystem::is_directory(path, error) ? path / "config.json" : path;
  const auto bytes = read_file(file, configuration_operation, options.max_bytes);
  State state{.file = std::move(file), .root = nullptr};
  auto root = io::detail::parse_bounded_json(bytes,
                                             {.max_bytes = options.max_bytes,
                                              .option = "ModelConfigurationOptions::max_bytes",
                                              .has_unique_names = true},
                                             [&](const std::string& facts) { state.fail(facts); });
  if (!root.is_object()) {
    state.fail("is no JSON object");
  }
  state.root = std::make_shared<const Json>(std::move(root));
  state.settings = state.root.get();
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

std::int64_t ModelConfiguration::integer(std::string_view key) const {
  return state_->value(key, "an integer", is_integer).get<std::int64_t>();
}

double ModelConfiguration::real(std::string_view key) const {
  return state_->value(key, "a number", [](const Json& value) { return value.is_number(); })
      .get<double>();
}

bool ModelConfiguration::boolean(std::string_view key) const {
  return state_->value(key, "true or false", [](const Json& value) { return value.is_boolean(); })
      .get<bool>();
}

std::string ModelConfiguration::text(std::string_view key) const {
  return state_->value(key, "a text", [](const Json& value) { return value.is_string(); })
      .get<std::string>();
}

std::vector<std::int64_t> ModelConfiguration::integers(std::string_view key) const {
  return state_->list<std::int64_t>(key, "a list of integers", is_integer);
}

std::vector<double> ModelConfiguration::reals(std::string_view key) const {
  return state_->list<double>(key, "a list of numbers",
                              [](const Json& value) { return value.is_number(); });
}

std::vector<std::string> ModelConfiguration::texts(std::string_view key) const {
  return state_->list<std::string>(key, "a list of texts",
                                   [](const Json& value) { return value.is_string(); });
}

ModelConfiguration ModelConfiguration::object(std::string_view key) const {
  const auto& settings =
      state_->value(key, "an object", [](const Json& value) { return value.is_object(); });
  auto state = *state_;
  state.settings = &settings;
  state.prefix = state_->named(key) + ".";
  return ModelConfiguration(std::make_shared<const State>(std::move(state)));
}

void ModelConfiguration::require_boolean(std::string_view key, bool expected) const {
  if (boolean(key, expected) != expected) {
    state_->refuse_value(key, expected);
  }
}

void ModelConfiguration::require_integer(std::string_view key, std::int64_t expected) const {
  if (integer(key, expected) != expected) {
    state_->refuse_value(key, expected);
  }
}

void ModelConfiguration::require_real(std::string_view key, double expected) const {
  if (real(key, expected) != expected) {
    state_->refuse_value(key, expected);
  }
}

void ModelConfiguration::require_text(std::string_view key, std::string_view expected) const {
  if (has(key) && text(key) != expected) {
    state_->refuse_value(key, expected);
  }
}

}  // namespace ddx::models
