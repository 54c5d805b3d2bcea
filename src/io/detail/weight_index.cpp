#include "io/detail/weight_index.h"

#include "ddx/core/error.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"
#include "io/detail/safetensors_bytes.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

/// Whether a path stays in its folder, and is the only way to write it.
bool stays_inside(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) {
    return false;
  }
  while (true) {
    const auto end = path.find('/');
    const auto part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..") {
      return false;
    }
    if (end == std::string_view::npos) {
      return true;
    }
    path.remove_prefix(end + 1);
  }
}

/// Takes the events of a JSON parser, and keeps the files of arrays.
class IndexEvents {
 public:
  explicit IndexEvents(const Refusal& refuse) : refuse_(refuse) {}

  bool null() { return value(); }
  bool boolean(bool) { return value(); }
  bool number_integer(std::int64_t) { return value(); }
  bool number_unsigned(std::uint64_t) { return value(); }
  bool number_float(double, const std::string&) { return value(); }
  bool binary(std::vector<std::uint8_t>&) { return value(); }

  bool string(std::string& text) {
    if (depth_ != 2 || !is_in_map_) {
      return value();
    }
    if (!stays_inside(text)) {
      fail(name_, "its file " + json_quoted(text) + " is no path within the folder of the index");
    }
    if (!files_.emplace(name_, text).second) {
      fail(name_, "named twice");
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (depth_ == 2 && is_in_map_) {
      value();
    }
    if (depth_ == 1 && name_ == map_name) {
      if (has_map_) {
        fail("has two fields weight_map");
      }
      has_map_ = true;
      is_in_map_ = true;
    }
    ++depth_;
    return true;
  }

  bool end_object() {
    --depth_;
    is_in_map_ = is_in_map_ && depth_ > 1;
    return true;
  }

  bool start_array(std::size_t) {
    value();
    ++depth_;
    return true;
  }

  bool end_array() {
    --depth_;
    return true;
  }

  bool key(std::string& name) {
    if (depth_ == 1 || (depth_ == 2 && is_in_map_)) {
      name_ = name;
    }
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::json::exception& error) {
    if (dynamic_cast<const nlohmann::json::out_of_range*>(&error) != nullptr) {
      fail("holds a number that is too large");
    }
    fail("byte " + std::to_string(std::max<std::size_t>(byte, 1) - 1) + ": not JSON");
  }

  WeightMap files() && {
    if (!has_map_) {
      fail("has no weight_map");
    }
    return std::move(files_);
  }

 private:
  static constexpr std::string_view map_name = "weight_map";

  [[noreturn]] void fail(const std::string& facts) const {
    refuse_(facts);
    throw InternalError("WeightFiles", "a refusal returned");
  }
  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    fail("array " + json_quoted(name) + ": " + facts);
  }

  /// A value that is neither the map nor the name of a file.
  bool value() const {
    if (depth_ == 0) {
      fail("is no JSON object");
    }
    if (depth_ == 1 && name_ == map_name) {
      fail("weight_map is not an object");
    }
    if (depth_ == 2 && is_in_map_) {
      fail(name_, "its file is not a string");
    }
    return true;
  }

  const Refusal& refuse_;
  WeightMap files_;
  std::size_t depth_ = 0;  // Of lists and objects.
  bool has_map_ = false;
  bool is_in_map_ = false;
  std::string name_;  // The last key of the index, or of its map.
};

}  // namespace

WeightMap parse_weight_index(std::span<const std::uint8_t> text, const Refusal& refuse) {
  // For the parser a zero byte ends the text, whatever follows it.
  if (const auto zero = std::find(text.begin(), text.end(), 0); zero != text.end()) {
    refuse("byte " + std::to_string(zero - text.begin()) + ": not JSON");
  }
  IndexEvents events(refuse);
  nlohmann::json::sax_parse(text.begin(), text.end(), &events);
  return std::move(events).files();
}

std::string weight_index_text(const WeightMap& files, std::uint64_t total_bytes,
                              const std::string& operation) {
  std::string text = "{\n  \"metadata\": {\n    \"total_size\": " + std::to_string(total_bytes) +
                     "\n  },\n  \"weight_map\": {";
  const char* separator = "\n";
  for (const auto& [name, file] : files) {
    text += separator + ("    " + json_text(name, operation) + ": ") + json_text(file, operation);
    separator = ",\n";
  }
  return text + "\n  }\n}\n";
}

}  // namespace ddx::io::detail
