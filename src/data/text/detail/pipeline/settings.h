/// \file
/// The objects of a tokenizer.json, and what is wrong with them.

#pragma once

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// An object of the file. Borrows the file's values and the refusal, which throws.
///
/// Null counts as absent. A value of another kind than the one asked for is refused, by the path of
/// its key: "model.vocab". Keys that are not asked for are ignored, as by the format's own reader.
class Settings {
 public:
  /// Refuses a value that is no object. `path` is empty for the whole file.
  Settings(const io::detail::JsonValue& value, std::string path, const io::detail::Refusal& refuse);

  /// The value of a key; null where there is none.
  [[nodiscard]] const io::detail::JsonValue* find(std::string_view key) const;
  /// The value of a key. Refuses to be without one.
  [[nodiscard]] const io::detail::JsonValue& at(std::string_view key) const;

  [[nodiscard]] std::string text(std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view key, const std::string& otherwise) const;
  [[nodiscard]] bool boolean(std::string_view key, bool otherwise) const;
  /// An integer in [least, 2^31).
  [[nodiscard]] std::int32_t integer(std::string_view key, std::int32_t least) const;
  /// A text of one character.
  [[nodiscard]] std::string character(std::string_view key) const;

  /// The object of a key.
  [[nodiscard]] Settings object(std::string_view key) const;
  /// The object of a key, if there is one.
  [[nodiscard]] std::optional<Settings> optional_object(std::string_view key) const;
  /// The objects of a list.
  [[nodiscard]] std::vector<Settings> objects(std::string_view key) const;

  /// The path of a key.
  [[nodiscard]] std::string named(std::string_view key) const;

  /// Refuses the file: "PATH.KEY: FACTS".
  [[noreturn]] void fail(std::string_view key, const std::string& facts) const;
  /// Refuses a value of another kind.
  [[noreturn]] void fail_kind(std::string_view key, const std::string& expected) const;
  /// Refuses what is not supported: names the key and the value.
  [[noreturn]] void fail_unsupported(std::string_view key) const;

 private:
  const io::detail::JsonObject* fields_;
  std::string path_;
  const io::detail::Refusal* refuse_;
};

}  // namespace ddx::data::detail
