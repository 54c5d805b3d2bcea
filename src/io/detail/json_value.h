/// \file
/// Values of JSON.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ddx::io::detail {

class JsonValue;

using JsonList = std::vector<JsonValue>;
using JsonObject = std::map<std::string, JsonValue, std::less<>>;

/// A value of 16 bytes, beside what a text, a list or an object holds. Unlike that of nlohmann's
/// json, its destructor takes no memory, which would end the process where there is none; it
/// recurses as deep as the value nests.
class JsonValue {
 public:
  JsonValue();  ///< Null.
  explicit JsonValue(bool value);
  explicit JsonValue(std::int64_t value);
  explicit JsonValue(std::uint64_t value);
  explicit JsonValue(double value);
  explicit JsonValue(std::string value);
  explicit JsonValue(JsonList value);
  explicit JsonValue(JsonObject value);
  ~JsonValue();
  JsonValue(JsonValue&& other) noexcept;
  JsonValue& operator=(JsonValue&& other) noexcept;

  [[nodiscard]] bool is_null() const noexcept;

  /// The value where it is of this kind, else null.
  [[nodiscard]] const bool* boolean() const noexcept;
  [[nodiscard]] const std::string* text() const noexcept;
  [[nodiscard]] const JsonList* list() const noexcept;
  [[nodiscard]] const JsonObject* object() const noexcept;
  [[nodiscard]] JsonList* list() noexcept;
  [[nodiscard]] JsonObject* object() noexcept;

  /// The number where it was written without point and exponent, and has 64 bits with a sign.
  [[nodiscard]] std::optional<std::int64_t> integer() const noexcept;
  /// The number, rounded to the nearest double.
  [[nodiscard]] std::optional<double> number() const noexcept;

  /// The value as JSON, with control characters escaped; of more than `longest` characters the
  /// first ones and "...".
  [[nodiscard]] std::string shown(std::size_t longest) const;

 private:
  void append_to(std::string& text, std::size_t longest) const;

  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double,
               std::unique_ptr<std::string>, std::unique_ptr<JsonList>, std::unique_ptr<JsonObject>>
      value_;
};

/// A text as JSON: in quotes, with escapes for what is not printable ASCII.
[[nodiscard]] std::string json_quoted(const std::string& text);

}  // namespace ddx::io::detail
