/// \file
/// The settings of a model in the metadata of a GGUF file.

#pragma once

#include "ddx/io/gguf_view.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace ddx::models::detail {

/// The metadata of an architecture: keys are without its name, "attention.head_count" for
/// "llama.attention.head_count". A value that is asked for is of the kind that is asked for, or an
/// error. What is never asked for is refused at the end: most of it changes the arithmetic. Borrows
/// the file.
class GgufSettings {
 public:
  /// Throws:  EnvironmentError where `general.architecture` is absent or no text.
  explicit GgufSettings(const io::GgufView& file);

  /// "llama".
  [[nodiscard]] const std::string& architecture() const noexcept { return architecture_; }
  [[nodiscard]] const io::GgufView& file() const noexcept { return file_; }

  /// Whether there is a value for the key. Does not count as asked for it.
  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }

  /// The value of a key.
  ///
  /// Throws:  EnvironmentError where it is absent, or of another kind. Names the file, the key, the
  ///          value and the expected kind.
  [[nodiscard]] std::int64_t integer(std::string_view key);
  [[nodiscard]] double real(std::string_view key);
  [[nodiscard]] std::string text(std::string_view key);

  /// The value of a key, or another where it is absent.
  ///
  /// Throws:  EnvironmentError where it is of another kind, as above.
  [[nodiscard]] std::int64_t integer(std::string_view key, std::int64_t otherwise);
  [[nodiscard]] double real(std::string_view key, double otherwise);
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise);

  /// Accepts one value of a key, or that it is absent.
  ///
  /// Throws:  EnvironmentError where there is another value.
  void require_integer(std::string_view key, std::int64_t expected);
  void require_real(std::string_view key, double expected);
  void require_boolean(std::string_view key, bool expected);

  /// Accepts any value of a key that changes nothing here.
  void pass_over(std::string_view key) { asked_.insert(named(key)); }

  /// Refuses the value of a key; `supported` lists what is supported.
  ///
  /// Throws:  EnvironmentError always.
  [[noreturn]] void refuse(std::string_view key, const std::string& supported) const;

  /// Refuses the architecture; `supported` lists what is supported.
  ///
  /// Throws:  EnvironmentError always.
  [[noreturn]] void refuse_architecture(const std::string& supported) const;

  /// Refuses a key of the architecture that was not asked for.
  ///
  /// Throws:  EnvironmentError that names the first, and its value.
  void refuse_the_rest() const;

  /// Refuses the file for another reason.
  ///
  /// Throws:  EnvironmentError always.
  [[noreturn]] void fail(const std::string& facts) const;

 private:
  [[nodiscard]] std::string named(std::string_view key) const;
  [[nodiscard]] const io::GgufValue* find(std::string_view key) const;
  const io::GgufValue& asked(std::string_view key, const char* kind);
  [[noreturn]] void refuse_kind(std::string_view key, const char* kind) const;

  const io::GgufView& file_;
  std::string architecture_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace ddx::models::detail
