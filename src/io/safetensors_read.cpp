#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/core/shape.h"
#include "ddx/io/safetensors.h"

#include "io/detail/safetensors_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t length_bytes = 8;
/// As in the format's own reader: a header above 100 MB is refused.
constexpr std::uint64_t largest_header = 100'000'000;

/// Where an array lies in the data that follows the header.
struct Range {
  std::uint64_t begin;
  std::uint64_t end;
  std::string name;
};

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : file_(file.string()), bytes_(read_file(file, "read_safetensors")) {}

  TensorFile read() {
    TensorFile content;
    std::vector<Range> ranges;
    const auto [header, data] = parse_header();
    for (const auto& [name, entry] : header.items()) {
      if (name == detail::metadata_name) {
        content.metadata = metadata(entry);
      } else {
        ranges.push_back(read_tensor(name, entry, data, content.tensors[name]));
      }
    }
    check_cover(std::move(ranges), data.size());
    return content;
  }

 private:
  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError("read_safetensors", file_ + ": " + facts);
  }

  [[noreturn]] void fail(const std::string& name, const std::string& facts) const {
    // Names come from the file: json writes them with control characters escaped.
    fail("array " + Json(name).dump(-1, ' ', true, Json::error_handler_t::replace) + ": " + facts);
  }

  std::pair<Json, std::span<const std::uint8_t>> parse_header() const {
    if (bytes_.size() < length_bytes) {
      fail("ends at byte " + std::to_string(bytes_.size()) + ", inside the length of its header");
    }
    std::uint64_t length = 0;
    for (std::size_t i = length_bytes; i-- > 0;) {
      length = length << 8 | bytes_[i];
    }
    if (length > largest_header) {
      fail("a header of " + std::to_string(length) + " bytes, at most " +
           std::to_string(largest_header) + " are accepted");
    }
    if (bytes_.size() - length_bytes < length) {
      fail("ends at byte " + std::to_string(bytes_.size()) + ", inside its header of " +
           std::to_string(length) + " bytes");
    }
    const auto text = std::span(bytes_).subspan(length_bytes, length);
    if (text.empty() || text[0] != '{') {
      fail("byte 8: the header does not begin with '{'");
    }
    auto header = parse(text);
    return {std::move(header), std::span(bytes_).subspan(length_bytes + length)};
  }

  Json parse(std::span<const std::uint8_t> text) const {
    // json keeps the last of equal names; two readers that differ in this would read two files.
    std::vector<std::set<std::string>> names;
    std::string repeated;
    const auto watch = [&](int, Json::parse_event_t event, Json& value) {
      if (event == Json::parse_event_t::object_start) {
        names.emplace_back();
      } else if (event == Json::parse_event_t::object_end) {
        names.pop_back();
      } else if (event == Json::parse_event_t::key) {
        const auto name = value.get<std::string>();
        if (!names.back().insert(name).second) {
          repeated = name;
        }
      }
      return true;
    };
    try {
      auto header = Json::parse(text.begin(), text.end(), watch);
      if (!repeated.empty()) {
        fail(repeated, "named twice");
      }
      return header;
    } catch (const Json::parse_error& error) {
      fail("byte " + std::to_string(length_bytes + std::max<std::size_t>(error.byte, 1) - 1) +
           ": the header is not JSON");
    } catch (const Json::out_of_range&) {
      fail("the header holds a number that is too large");
    }
  }

  std::map<std::string, std::string> metadata(const Json& entry) const {
    std::map<std::string, std::string> remarks;
    if (!entry.is_object()) {
      fail("__metadata__ is not an object");
    }
    for (const auto& [name, value] : entry.items()) {
      if (!value.is_string()) {
        fail("__metadata__ holds a value that is not a string");
      }
      remarks[name] = value.get<std::string>();
    }
    return remarks;
  }

  Range read_tensor(const std::string& name, const Json& entry, std::span<const std::uint8_t> data,
                    StoredTensor& into) const {
    if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") ||
        !entry.contains("shape") || !entry.contains("data_offsets")) {
      fail(name, "its entry is not {dtype, shape, data_offsets}");
    }
    if (!entry["dtype"].is_string()) {
      fail(name, "its dtype is not a string");
    }
    const auto dtype = detail::dtype_named(entry["dtype"].get<std::string>());
    if (!dtype) {
      fail(name, "dtype " + entry["dtype"].dump(-1, ' ', true) + " is not supported");
    }
    into.dtype = *dtype;
    const auto extents = integers(name, entry["shape"], "shape");
    const auto offsets = integers(name, entry["data_offsets"], "data_offsets");
    if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size()) {
      fail(name, "data_offsets " + entry["data_offsets"].dump() + " do not lie in the " +
                     std::to_string(data.size()) + " bytes of data");
    }
    const std::uint64_t begin = offsets[0];
    const std::uint64_t end = offsets[1];
    if (byte_count(extents, info(*dtype).bytes, end - begin + 1) != end - begin) {
      fail(name, "dtype " + entry["dtype"].get<std::string>() + " and shape " +
                     entry["shape"].dump() + " do not take the " + std::to_string(end - begin) +
                     " bytes of data_offsets");
    }
    into.shape = shape(name, extents);
    into.bytes.assign(data.begin() + static_cast<std::ptrdiff_t>(begin),
                      data.begin() + static_cast<std::ptrdiff_t>(end));
    if (*dtype == DType::boolean &&
        std::any_of(into.bytes.begin(), into.bytes.end(), [](auto byte) { return byte > 1; })) {
      fail(name, "a BOOL is neither 0 nor 1");
    }
    return {begin, end, name};
  }

  std::vector<std::uint64_t> integers(const std::string& name, const Json& list,
                                      const std::string& what) const {
    if (!list.is_array() || !std::all_of(list.begin(), list.end(), [](const Json& value) {
          return value.is_number_unsigned();
        })) {
      fail(name, "its " + what + " is not a list of integers");
    }
    return list.get<std::vector<std::uint64_t>>();
  }

  /// The bytes that an array takes; `too_many` where they are that many or more.
  static std::uint64_t byte_count(const std::vector<std::uint64_t>& extents, std::uint64_t size,
                                  std::uint64_t too_many) {
    if (std::find(extents.begin(), extents.end(), 0) != extents.end()) {
      return 0;
    }
    for (const auto extent : extents) {
      if (extent > too_many / size) {
        return too_many;
      }
      size *= extent;
    }
    return size;
  }

  Shape shape(const std::string& name, const std::vector<std::uint64_t>& extents) const {
    if (extents.size() > Shape::max_rank) {
      fail(name, "rank " + std::to_string(extents.size()) + ", at most " +
                     std::to_string(Shape::max_rank) + " is supported");
    }
    std::vector<Shape::Extent> values;
    std::uint64_t product = 1;
    for (const auto extent : extents) {
      // Can fail only beside an extent of 0: elsewhere the bytes bound the product.
      if (extent > (std::uint64_t{1} << 62) / product) {
        fail(name, "an extent of " + std::to_string(extent) + " is too large");
      }
      product *= std::max<std::uint64_t>(extent, 1);
      values.push_back(static_cast<Shape::Extent>(extent));
    }
    return Shape(std::span<const Shape::Extent>(values));
  }

  void check_cover(std::vector<Range> ranges, std::uint64_t size) const {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
      return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::uint64_t covered = 0;
    for (const auto& range : ranges) {
      if (range.begin != covered) {
        fail(range.name, "begins at byte " + std::to_string(range.begin) +
                             " of the data, the array before it ends at byte " +
                             std::to_string(covered));
      }
      covered = range.end;
    }
    if (covered != size) {
      fail("the arrays end at byte " + std::to_string(covered) + " of the data, the file has " +
           std::to_string(size));
    }
  }

  std::string file_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace

TensorFile read_safetensors(const std::filesystem::path& file) {
  return Reader(file).read();
}

}  // namespace ddx::io
