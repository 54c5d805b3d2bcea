#include "io/detail/safetensors_header.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include "io/detail/json_value.h"
#include "io/detail/refusal.h"
#include "io/detail/safetensors_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {
namespace {

using Json = nlohmann::json;

/// Takes the events of a JSON parser, and refuses the first that does not fit.
class HeaderEvents {
 public:
  HeaderEvents(std::size_t start, const Refusal& refuse) : start_(start), refuse_(refuse) {}

  bool null() { refuse_value(); }
  bool boolean(bool) { refuse_value(); }
  bool number_integer(std::int64_t) { refuse_value(); }
  bool number_float(double, const std::string&) { refuse_value(); }
  bool binary(std::vector<std::uint8_t>&) { refuse_value(); }

  bool number_unsigned(std::uint64_t number) {
    if (place_ != Place::List) {
      refuse_value();
    }
    // The shape has one more than is accepted, and the offsets one more than there must be.
    if (list_->size() <= Shape::max_rank) {
      list_->push_back(number);
    }
    ++count_;
    return true;
  }

  bool string(std::string& text) {
    if (place_ == Place::Remarks) {
      header_.metadata[field_] = text;
    } else if (place_ == Place::Fields && field_ == "dtype") {
      entry_->dtype = text;
    } else {
      refuse_value();
    }
    return true;
  }

  bool start_object(std::size_t) {
    if (place_ == Place::Outside) {
      place_ = Place::Names;
    } else if (place_ != Place::Names) {
      refuse_value();
    } else if (name_ == metadata_name) {
      place_ = Place::Remarks;
    } else {
      place_ = Place::Fields;
      has_ = {};
      entry_ = &header_.entries[name_];
    }
    return true;
  }

  bool end_object() {
    if (place_ == Place::Fields && !(has_.dtype && has_.shape && has_.offsets)) {
      fail(name_, no_entry);
    }
    place_ = place_ == Place::Names ? Place::Outside : Place::Names;
    return true;
  }

  bool start_array(std::size_t) {
    if (place_ != Place::Fields || field_ == "dtype") {
      refuse_value();
    }
    place_ = Place::List;
    list_ = field_ == "shape" ? &entry_->shape : &entry_->offsets;
    count_ = 0;
    return true;
  }

  bool end_array() {
    place_ = Place::Fields;
    if (list_ == &entry_->shape && count_ > Shape::max_rank) {
      fail(name_, "rank " + std::to_string(count_) + ", at most " +
                      std::to_string(Shape::max_rank) + " is supported");
    }
    return true;
  }

  bool key(std::string& key) {
    bool is_new = true;
    if (place_ == Place::Names) {
      is_new = key == metadata_name ? !has_metadata_ : !header_.entries.contains(key);
      has_metadata_ = has_metadata_ || key == metadata_name;
      name_ = key;
    } else if (place_ == Place::Remarks) {
      is_new = !header_.metadata.contains(key);
      field_ = key;
    } else {
      bool& has = key == "dtype"          ? has_.dtype
                  : key == "shape"        ? has_.shape
                  : key == "data_offsets" ? has_.offsets
                                          : has_.other;
      is_new = !has;
      has = true;
      field_ = key;
      if (has_.other) {
        fail(name_, no_entry);
      }
    }
    // Readers would differ in which of equal names they keep.
    if (!is_new) {
      fail(key, "named twice");
    }
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) {
    if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr) {
      fail("the header holds a number that is too large");
    }
    fail("byte " + std::to_string(start_ + std::max<std::size_t>(byte, 1) - 1) +
         ": the header is not JSON");
  }

  [[nodiscard]] SafetensorsHeader header() && { return std::move(header_); }

 private:
  enum class Place { Outside, Names, Remarks, Fields, List };

  static constexpr const char* no_entry = "its entry is not {dtype, shape, data_offsets}";

  struct Has {
    bool dtype = false;
    bool shape = false;
    bool offsets = false;
    bool other = false;
  };

  [[noreturn]] void fail(const std::string& facts) const {
    refuse_(facts);
    throw InternalError("read_safetensors", "a refusal returned");
  }
  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    fail("array " + json_quoted(name) + ": " + facts);
  }

  /// Refuses a value of a kind that its place does not take.
  [[noreturn]] void refuse_value() const {
    switch (place_) {
      case Place::Outside:
        fail("the header is no JSON object");
      case Place::Names:
        if (name_ == metadata_name) {
          fail("__metadata__ is not an object");
        }
        fail(name_, no_entry);
      case Place::Remarks:
        fail("__metadata__ holds a value that is not a string");
      case Place::Fields:
      case Place::List:
        break;
    }
    fail(name_,
         "its " + field_ + (field_ == "dtype" ? " is not a string" : " is not a list of integers"));
  }

  std::size_t start_;
  const Refusal& refuse_;
  SafetensorsHeader header_;
  Place place_ = Place::Outside;
  std::string name_;   // The last key among the arrays,
  std::string field_;  // and the last within one of them or among the remarks.
  bool has_metadata_ = false;
  Has has_;
  SafetensorsEntry* entry_ = nullptr;
  std::vector<std::uint64_t>* list_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace

SafetensorsHeader parse_safetensors_header(std::span<const std::uint8_t> text, std::size_t start,
                                           const Refusal& refuse) {
  HeaderEvents events(start, refuse);
  Json::sax_parse(text.begin(), text.end(), &events);
  return std::move(events).header();
}

std::string list_text(std::span<const std::uint64_t> numbers) {
  std::string text = "[";
  for (const auto number : numbers) {
    text += (text.size() == 1 ? "" : ",") + std::to_string(number);
  }
  return text + "]";
}

}  // namespace ddx::io::detail
