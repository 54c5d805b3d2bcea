#include "io/detail/bounded_json.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

// What values take with glibc's malloc. A list may have room for twice as many values as it has.
constexpr std::uint64_t bytes_of_value = 2 * sizeof(JsonValue);
constexpr std::uint64_t bytes_of_container = 64;
constexpr std::uint64_t bytes_of_field = 96;
constexpr std::uint64_t bytes_of_string = 64;

/// Takes the events of a JSON parser, and builds the values.
class JsonBuilder {
 public:
  JsonBuilder(const JsonLimits& limits, const Refusal& refuse) : limits_(limits), refuse_(refuse) {}

  bool null() { return add(JsonValue(), 0) != nullptr; }
  bool boolean(bool value) { return add(JsonValue(value), 0) != nullptr; }
  bool number_integer(std::int64_t value) { return add(JsonValue(value), 0) != nullptr; }
  bool number_unsigned(std::uint64_t value) { return add(JsonValue(value), 0) != nullptr; }
  bool number_float(double value, const std::string&) {
    return add(JsonValue(value), 0) != nullptr;
  }
  bool binary(nlohmann::json::binary_t&) { return false; }  // JSON as text has none.

  bool string(std::string& value) {
    const auto bytes = bytes_of_string + value.size();
    return add(JsonValue(std::move(value)), bytes) != nullptr;
  }
  bool start_object(std::size_t) { return open(JsonValue(JsonObject())); }
  bool start_array(std::size_t) { return open(JsonValue(JsonList())); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    count(bytes_of_field + name.size());
    const auto [place, is_new] = open_.back()->object()->try_emplace(name);
    if (!is_new && limits_.has_unique_names) {
      refuse_(json_quoted(name) + " is named twice");
    }
    field_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& error) {
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr) {
      refuse_("holds a number that is too large");
    }
    refuse_("byte " + std::to_string(std::max<std::size_t>(byte, 1) - 1) + ": not JSON");
    return false;
  }

  [[nodiscard]] JsonValue value() && { return std::move(root_); }

 private:
  void count(std::uint64_t bytes) {
    total_ += bytes;
    if (total_ > limits_.max_bytes) {
      refuse_("its values take more than " + std::to_string(limits_.max_bytes) + " bytes; " +
              limits_.option + " raises the limit");
    }
  }

  /// Puts a value where the next belongs; where it is.
  JsonValue* add(JsonValue value, std::uint64_t bytes) {
    count(bytes_of_value + bytes);
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (auto* const list = open_.back()->list()) {
      list->push_back(std::move(value));
      return &list->back();
    }
    *field_ = std::move(value);
    return field_;
  }

  bool open(JsonValue container) {
    if (open_.size() == limits_.max_depth) {
      refuse_("nests deeper than " + std::to_string(limits_.max_depth) + " levels");
    }
    // Stays where it is: what contains it gets no other value before it is closed.
    open_.push_back(add(std::move(container), bytes_of_container));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  const JsonLimits& limits_;
  const Refusal& refuse_;
  JsonValue root_;
  std::vector<JsonValue*> open_;  // The lists and objects that have not ended, outermost first.
  JsonValue* field_ = nullptr;    // The value of the last name.
  std::uint64_t total_ = 0;
};

}  // namespace

JsonValue parse_bounded_json(std::span<const std::uint8_t> text, const JsonLimits& limits,
                             const Refusal& refuse) {
  JsonBuilder builder(limits, refuse);
  // For the parser a zero byte ends the text, whatever follows it.
  if (const auto zero = std::ranges::find(text, 0); zero != text.end()) {
    refuse("byte " + std::to_string(zero - text.begin()) + ": not JSON");
  }
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).value();
}

}  // namespace ddx::io::detail
