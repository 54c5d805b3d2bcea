/// \file
/// The settings of a published model.

#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::models {

/// How a configuration is read.
struct ModelConfigurationOptions {
  /// The most bytes that the file may have, and that its values may take in memory.
  std::uint64_t max_bytes = std::uint64_t{64} << 20;
};

/// The `config.json` of a model: a JSON object of settings by name, as transformers writes it. Keys
/// that are not asked for are ignored. A value that is asked for is of the kind that is asked for,
/// or an error; null counts as absent. A value; copies share the settings.
///
/// Integers are those of 64 bits with a sign; a number with a point or an exponent is none. Reals
/// are rounded to the nearest double. `NaN` and `Infinity`, which Python writes, are no JSON.
///
/// Example:
///   const models::ModelConfiguration configuration("Qwen3-0.6B");
///   const auto heads = configuration.integer("num_attention_heads");
///   const auto key_heads = configuration.integer("num_key_value_heads", heads);
///   configuration.require("attention_bias", false);
class ModelConfiguration {
 public:
  /// Reads a file, or the `config.json` of a folder.
  ///
  /// Throws:  EnvironmentError where the file cannot be read, is no JSON object, has a key twice,
  ///          nests deeper than 32 levels, holds a number beyond the range of double, or takes
  ///          more memory than the limit. Names the file and the byte or the key.
  explicit ModelConfiguration(const std::filesystem::path& path,
                              const ModelConfigurationOptions& options = {});

  /// The file that was read.
  [[nodiscard]] const std::filesystem::path& file() const noexcept;

  /// Whether there is a value for the key that is not null.
  [[nodiscard]] bool has(std::string_view key) const;

  /// Whether there is a null for the key, where that and an absent key mean different things.
  [[nodiscard]] bool is_null(std::string_view key) const;

  /// Whether there is a text for the key, where values of several kinds mean something.
  [[nodiscard]] bool is_text(std::string_view key) const;

  /// The keys that have a value, sorted.
  [[nodiscard]] std::vector<std::string> keys() const;

  /// The value of a key.
  ///
  /// Throws:  EnvironmentError where there is none, or it is of another kind. Names the file, the
  ///          key, the value and the expected kind.
  [[nodiscard]] std::int64_t integer(std::string_view key) const;
  [[nodiscard]] double real(std::string_view key) const;
  [[nodiscard]] bool boolean(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key) const;
  [[nodiscard]] std::vector<double> reals(std::string_view key) const;
  [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;

  /// The settings of an object within this one; errors name its keys as "rope_scaling.factor".
  ///
  /// Throws:  EnvironmentError as above.
  [[nodiscard]] ModelConfiguration object(std::string_view key) const;

  /// The value of a key, or another where there is none.
  ///
  /// Throws:  EnvironmentError where it is of another kind, as above.
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t otherwise) const {
    return has(key) ? integer(key) : otherwise;
  }
  [[nodiscard]] double real(std::string_view key, double otherwise) const {
    return has(key) ? real(key) : otherwise;
  }
  [[nodiscard]] bool boolean(std::string_view key, bool otherwise) const {
    return has(key) ? boolean(key) : otherwise;
  }
  [[nodiscard]] std::string text(std::string_view key, std::string otherwise) const {
    return has(key) ? text(key) : std::move(otherwise);
  }
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view key,
                                                   std::vector<std::int64_t> otherwise) const {
    return has(key) ? integers(key) : std::move(otherwise);
  }
  [[nodiscard]] std::vector<double> reals(std::string_view key,
                                          std::vector<double> otherwise) const {
    return has(key) ? reals(key) : std::move(otherwise);
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view key,
                                               std::vector<std::string> otherwise) const {
    return has(key) ? texts(key) : std::move(otherwise);
  }

  /// Refuses the value of a key for another reason than its kind; `supported` lists what is.
  ///
  /// Throws:  EnvironmentError always. Names the file, the key and its value.
  [[noreturn]] void refuse(std::string_view key, std::string_view supported) const;

  /// Refuses a model that needs what is not supported: a setting that changes the arithmetic must
  /// have this value, or be absent. So `expected` is the value that an absent key means.
  ///
  /// Throws:  EnvironmentError where there is another value, or one of another kind. Names the
  ///          file, the key, its value and the supported one.
  template <class Value>
  void require(std::string_view key, const Value& expected) const {
    if constexpr (std::same_as<Value, bool>) {
      require_boolean(key, expected);
    } else if constexpr (std::integral<Value>) {
      require_integer(key, static_cast<std::int64_t>(expected));
    } else if constexpr (std::floating_point<Value>) {
      require_real(key, static_cast<double>(expected));
    } else {
      require_text(key, expected);
    }
  }

 private:
  struct State;
  explicit ModelConfiguration(std::shared_ptr<const State> state);

  void require_boolean(std::string_view key, bool expected) const;
  void require_integer(std::string_view key, std::int64_t expected) const;
  void require_real(std::string_view key, double expected) const;
  void require_text(std::string_view key, std::string_view expected) const;

  std::shared_ptr<const State> state_;
};

}  // namespace ddx::models
