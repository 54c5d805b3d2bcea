#include "ddx/data/sets/coco.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"

#include "io/detail/bounded_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

using Json = nlohmann::json;

constexpr auto coco_operation = "read_coco";
constexpr std::uint64_t largest_content = std::uint64_t{1} << 32;
/// The most points of a picture.
constexpr std::int64_t most_points = std::int64_t{1} << 40;

constexpr auto coco_option = "CocoReadOptions::max_bytes";

/// The values of a text. They take 5 to 12 times the text of COCO's own files.
Json parsed_annotations(const std::vector<std::uint8_t>& bytes, const std::string& file,
                        const CocoReadOptions& options) {
  constexpr std::uint64_t least = std::uint64_t{64} << 20;
  constexpr std::uint64_t ratio = 20;
  const auto most = std::max({least, ratio * bytes.size(), options.max_bytes.value_or(0)});
  return io::detail::parse_bounded_json(
      bytes, {.max_bytes = most, .option = coco_option}, [&](const std::string& facts) {
        throw EnvironmentError(coco_operation, file + ": " + facts);
      });
}

/// One entry of a list in the file, and how to complain of it.
class Entry {
 public:
  Entry(const std::string& file, std::string name, const Json& value)
      : file_(file), name_(std::move(name)), value_(value) {
    if (!value_.is_object()) {
      fail("is not an object");
    }
  }

  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(coco_operation, file_ + ": " + name_ + " " + facts);
  }

  [[nodiscard]] const Json& field(const char* key) const {
    const auto found = value_.find(key);
    if (found == value_.end()) {
      fail(std::string("has no \"") + key + "\"");
    }
    return *found;
  }

  [[nodiscard]] std::int64_t integer(const char* key) const {
    const auto& value = field(key);
    if (!value.is_number_integer() ||
        (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0)) {
      fail(std::string("has a \"") + key + "\" that is no integer");
    }
    return value.get<std::int64_t>();
  }

  [[nodiscard]] std::string text(const char* key) const {
    const auto& value = field(key);
    if (!value.is_string()) {
      fail(std::string("has a \"") + key + "\" that is no text");
    }
    return value.get<std::string>();
  }

  [[nodiscard]] double number(const char* key) const { return number(field(key), key); }
  [[nodiscard]] double number(const Json& value, const char* key) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      fail(std::string("has a \"") + key + "\" that is no number");
    }
    return value.get<double>();
  }

  [[nodiscard]] std::vector<double> numbers(const Json& list, const char* key) const {
    if (!list.is_array()) {
      fail(std::string("has a \"") + key + "\" that is no list of numbers");
    }
    std::vector<double> values;
    for (const auto& value : list) {
      values.push_back(number(value, key));
    }
    return values;
  }

  [[nodiscard]] bool has(const char* key) const { return value_.contains(key); }
  [[nodiscard]] Entry inner(const char* key) const {
    return {file_, name_ + ": its \"" + key + "\"", field(key)};
  }

 private:
  const std::string& file_;
  std::string name_;
  const Json& value_;
};

CocoPolygons polygons(const Entry& entry, const Json& list) {
  CocoPolygons result;
  for (const auto& polygon : list) {
    auto corners = entry.numbers(polygon, "segmentation");
    if (corners.size() % 2 != 0) {
      entry.fail("has an outline of " + std::to_string(corners.size()) + " numbers");
    }
    result.push_back(std::move(corners));
  }
  return result;
}

/// Whether runs are as many points as the picture has.
bool fill(const CocoRuns& runs) {
  if (runs.height < 0 || runs.width < 0 ||
      (runs.width != 0 && runs.height > most_points / runs.width)) {
    return false;
  }
  auto left = runs.height * runs.width;
  for (const auto length : runs.lengths) {
    if (length < 0 || length > left) {
      return false;
    }
    left -= length;
  }
  return left == 0;
}

CocoRuns runs(const Entry& entry) {
  const auto size = entry.numbers(entry.field("size"), "size");
  const auto& counts = entry.field("counts");
  const auto integers = [](const Json& list) {
    return list.is_array() && std::all_of(list.begin(), list.end(), [](const Json& value) {
             return value.is_number_unsigned() && value.get<std::uint64_t>() >> 40 == 0;
           });
  };
  if (size.size() != 2 || !integers(entry.field("size")) || !integers(counts)) {
    entry.fail("is not {size: [height, width], counts: [lengths of runs]}");
  }
  CocoRuns result{.height = static_cast<std::int64_t>(size[0]),
                  .width = static_cast<std::int64_t>(size[1]),
                  .lengths = counts.get<std::vector<std::int64_t>>()};
  if (!fill(result)) {
    entry.fail("has runs that do not fill its " + std::to_string(result.height) + " by " +
               std::to_string(result.width) + " points");
  }
  return result;
}

CocoObject object(const Entry& entry) {
  const auto box = entry.numbers(entry.field("bbox"), "bbox");
  const auto crowd = entry.integer("iscrowd");
  if (box.size() != 4 || (crowd != 0 && crowd != 1)) {
    entry.fail("has a box of " + std::to_string(box.size()) + " numbers and \"iscrowd\" " +
               std::to_string(crowd) + ", expected 4 and 0 or 1");
  }
  CocoObject result{.id = entry.integer("id"),
                    .image = entry.integer("image_id"),
                    .category = entry.integer("category_id"),
                    .box = {.left = box[0], .top = box[1], .width = box[2], .height = box[3]},
                    .area = entry.number("area"),
                    .is_crowd = crowd == 1,
                    .outline = {}};
  const auto& outline = entry.field("segmentation");
  if (outline.is_array()) {
    result.outline = polygons(entry, outline);
  } else {
    result.outline = runs(entry.inner("segmentation"));
  }
  return result;
}

/// The entries of a list of the file, each by `read`; no id twice.
template <class Read>
auto entries(const std::string& file, const Json& content, const char* key,
             std::set<std::int64_t>& ids, const Read& read) {
  std::vector<decltype(read(std::declval<const Entry&>()))> result;
  const Entry whole(file, "the file", content);
  const auto& list = whole.field(key);
  if (!list.is_array()) {
    whole.fail(std::string("has \"") + key + "\" that are no list");
  }
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Entry entry(file, std::string(key) + "[" + std::to_string(i) + "]", list[i]);
    result.push_back(read(entry));
    if (!ids.insert(result.back().id).second) {
      entry.fail("has the id " + std::to_string(result.back().id) + " of one before it");
    }
  }
  return result;
}

}  // namespace

CocoAnnotations read_coco(const std::filesystem::path& file, const CocoReadOptions& options) try {
  const auto name = file.string();
  const auto bytes = detail::read_maybe_compressed(
      file, coco_operation,
      {.max_bytes = largest_content, .chosen = options.max_bytes, .option = coco_option});
  const auto content = parsed_annotations(bytes, name, options);
  CocoAnnotations result;
  std::set<std::int64_t> categories;
  std::set<std::int64_t> images;
  std::set<std::int64_t> objects;
  result.categories = entries(name, content, "categories", categories, [](const Entry& entry) {
    return CocoCategory{
        .id = entry.integer("id"),
        .name = entry.text("name"),
        .group = entry.has("supercategory") ? entry.text("supercategory") : std::string()};
  });
  result.images = entries(name, content, "images", images, [](const Entry& entry) {
    return CocoImage{.id = entry.integer("id"),
                     .file = entry.text("file_name"),
                     .width = entry.integer("width"),
                     .height = entry.integer("height")};
  });
  result.objects = entries(name, content, "annotations", objects, [&](const Entry& entry) {
    auto found = object(entry);
    if (!images.contains(found.image) || !categories.contains(found.category)) {
      entry.fail("names picture " + std::to_string(found.image) + " and category " +
                 std::to_string(found.category) + ", which are not both there");
    }
    return found;
  });
  return result;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_coco");
}

std::vector<std::uint8_t> coco_mask(const CocoRuns& runs) try {
  if (!fill(runs)) {
    throw UsageError("coco_mask", "the runs do not fill " + std::to_string(runs.height) + " by " +
                                      std::to_string(runs.width) + " points");
  }
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(runs.height * runs.width));
  std::int64_t place = 0;
  bool inside = false;
  for (const auto length : runs.lengths) {
    for (const auto end = place + length; place < end; ++place) {
      const auto row = place % runs.height;
      const auto column = place / runs.height;
      mask[static_cast<std::size_t>(row * runs.width + column)] = inside ? 1 : 0;
    }
    inside = !inside;
  }
  return mask;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("coco_mask");
}

}  // namespace ddx::data
