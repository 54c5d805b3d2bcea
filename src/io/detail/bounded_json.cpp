#include "io/detail/bounded_json.h"

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

using Json = nlohmann::json;

// What values take with nlohmann's json 3.11 and glibc's malloc. A list may have room for twice as
// many values as it has.
constexpr std::uint64_t bytes_of_value = 2 * sizeof(Json);
constexpr std::uint64_t bytes_of_container = 48;
constexpr std::uint64_t bytes_of_field = 96;
constexpr std::uint64_t bytes_of_string = 32;

/// Takes the events of a JSON parser, and builds the values.
class JsonBuilder {
 public:
  JsonBuilder(const JsonLimits& limits, const Refusal& refuse) : limits_(limits), refuse_(refuse) {}

  bool null() { return add(nullptr, 0) != nullptr; }
  bool boolean(bool value) { return add(value, 0) != nullptr; }
  bool number_integer(std::int64_t value) { return add(value, 0) != nullptr; }
  bool number_unsigned(std::uint64_t value) { return add(value, 0) != nullptr; }
  bool number_float(double value, const std::string&) { return add(value, 0) != nullptr; }
  bool binary(Json::binary_t&) { return false; }  // JSON as text has none.

  bool string(std::string& value) {
    const auto bytes = bytes_of_string + value.size();
    return add(std::move(value), bytes) != nullptr;
  }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    count(bytes_of_field + name.size());
    auto& object = open_.back()->get_ref<Json::object_t&>();
    const auto [place, is_new] = object.try_emplace(name);
    if (!is_new && limits_.has_unique_names) {
      refuse_(Json(name).dump(-1, ' ', true, Json::error_handler_t::replace) + " is named twice");
    }
    field_ = &place->second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) {
      refuse_("holds a number that is too large");
    }
    refuse_("byte " + std::to_string(std::max<std::size_t>(byte, 1) - 1) + ": not JSON");
    return false;
  }

  [[nodiscard]] Json value() && { return std::move(root_); }

 private:
  void count(std::uint64_t bytes) {
    total_ += bytes;
    if (total_ > limits_.max_bytes) {
      refuse_("its values take more than " + std::to_string(limits_.max_bytes) + " bytes; " +
              limits_.option + " raises the limit");
    }
  }

  /// Puts a value where the next belongs; where it is.
  Json* add(Json value, std::uint64_t bytes) {
    count(bytes_of_value + bytes);
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    if (open_.back()->is_array()) {
      auto& list = open_.back()->get_ref<Json::array_t&>();
      list.push_back(std::move(value));
      return &list.back();
    }
    *field_ = std::move(value);
    return field_;
  }

  bool open(Json container) {
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
  Json root_;
  std::vector<Json*> open_;  // The lists and objects that have not ended, outermost first.
  Json* field_ = nullptr;    // The value of the last name.
  std::uint64_t total_ = 0;
};

}  // namespace

Json parse_bounded_json(std::span<const std::uint8_t> text, const JsonLimits& limits,
                        const Refusal& refuse) {
  JsonBuilder builder(limits, refuse);
  // For the parser a zero byte ends the text, whatever follows it.
  if (const auto zero = std::ranges::find(text, 0); zero != text.end()) {
    refuse("byte " + std::to_string(zero - text.begin()) + ": not JSON");
  }
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder).value();
}

}  // namespace ddx::io::detail
