#include "ddx/data/sets/coco.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"

#include "io/detail/bounded_json.h"
#include "io/detail/json_value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ddx::data {
namespace {

using Json = io::detail::JsonValue;

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
    if (value_.object() == nullptr) {
      fail("is not an object");
    }
  }

  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(coco_operation, file_ + ": " + name_ + " " + facts);
  }

  [[nodiscard]] const Json& field(const char* key) const {
    const auto found = value_.object()->find(key);
    if (found == value_.object()->end()) {
      fail(std::string("has no \"") + key + "\"");
    }
    return found->second;
  }

  [[nodiscard]] std::int64_t integer(const char* key) const {
    const auto value = field(key).integer();
    if (!value) {
      fail(std::string("has a \"") + key + "\" that is no integer");
    }
    return *value;
  }

  [[nodiscard]] std::string text(const char* key) const {
    const auto* const value = field(key).text();
    if (value == nullptr) {
      fail(std::string("has a \"") + key + "\" that is no text");
    }
    return *value;
  }

  [[nodiscard]] double number(const char* key) const { return number(field(key), key); }
  [[nodiscard]] double number(const Json& value, const char* key) const {
    const auto number = value.number();
    if (!number || !std::isfinite(*number)) {
      fail(std::string("has a \"") + key + "\" that is no number");
    }
    return *number;
  }

  [[nodiscard]] std::vector<double> numbers(const Json& list, const char* key) const {
    if (list.list() == nullptr) {
      fail(std::string("has a \"") + key + "\" that is no list of numbers");
    }
    std::vector<double> values;
    for (const auto& value : *list.list()) {
      values.push_back(number(value, key));
    }
    return values;
  }

  [[nodiscard]] bool has(const char* key) const { return value_.object()->contains(key); }
  [[nodiscard]] Entry inner(const char* key) const {
    return {file_, name_ + ": its \"" + key + "\"", field(key)};
  }

 private:
  const std::string& file_;
  std::string name_;
  const Json& value_;
};

CocoPolygons polygons(const Entry& entry, const io::detail::JsonList& list) {
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
  const auto integers = [](const Json& value) {
    const auto* const list = value.list();
    return list != nullptr && std::all_of(list->begin(), list->end(), [](const Json& element) {
             const auto number = element.integer();
             return number && *number >= 0 && *number < most_points;
           });
  };
  if (size.size() != 2 || !integers(entry.field("size")) || !integers(counts)) {
    entry.fail("is not {size: [height, width], counts: [lengths of runs]}");
  }
  std::vector<std::int64_t> lengths;
  for (const auto& count : *counts.list()) {
    lengths.push_back(*count.integer());
  }
  CocoRuns result{.height = static_cast<std::int64_t>(size[0]),
                  .width = static_cast<std::int64_t>(size[1]),
                  .lengths = std::move(lengths)};
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
  if (const auto* const list = outline.list()) {
    result.outline = polygons(entry, *list);
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
  const auto* const list = whole.field(key).list();
  if (list == nullptr) {
    whole.fail(std::string("has \"") + key + "\" that are no list");
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Entry entry(file, std::string(key) + "[" + std::to_string(i) + "]", (*list)[i]);
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
