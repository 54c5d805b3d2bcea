/// \file
/// The COCO annotations: objects in images, with their boxes and outlines.

#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ddx::data {

/// An image with annotations.
struct CocoImage {
  std::int64_t id = 0;
  std::string file;  ///< Its name in the image folder.
  std::int64_t width = 0;
  std::int64_t height = 0;

  friend bool operator==(const CocoImage&, const CocoImage&) = default;
};

/// A kind of object.
struct CocoCategory {
  std::int64_t id = 0;
  std::string name;
  std::string group;  ///< COCO's "supercategory"; may be empty.

  friend bool operator==(const CocoCategory&, const CocoCategory&) = default;
};

/// A rectangle in pixels, from its upper left corner.
struct CocoBox {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;

  friend bool operator==(const CocoBox&, const CocoBox&) = default;
};

/// The outlines of the parts of an object: x and y of each corner in turn.
using CocoPolygons = std::vector<std::vector<double>>;

/// The pixels of an object as run lengths, column by column, alternately outside and inside.
struct CocoRuns {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::vector<std::int64_t> lengths;

  friend bool operator==(const CocoRuns&, const CocoRuns&) = default;
};

/// One object, or a crowd of them, in an image.
struct CocoObject {
  std::int64_t id = 0;
  std::int64_t image = 0;     ///< The id of its image.
  std::int64_t category = 0;  ///< The id of its category.
  CocoBox box;
  double area = 0;  ///< In pixels.
  bool is_crowd = false;
  std::variant<CocoPolygons, CocoRuns> outline;

  friend bool operator==(const CocoObject&, const CocoObject&) = default;
};

/// The content of a file of annotations.
struct CocoAnnotations {
  std::vector<CocoCategory> categories;
  std::vector<CocoImage> images;
  std::vector<CocoObject> objects;
};

/// How a file of annotations is read.
struct CocoReadOptions {
  /// The most bytes of the text; else 4 GiB, and for a compressed file the larger of 64 MiB and 100
  /// times the file. While they are read, its values may take as much memory, and always 64 MiB and
  /// 20 times the text.
  std::optional<std::uint64_t> max_bytes = std::nullopt;
};

/// Reads a file of instances, such as `instances_val2017.json`, compressed with gzip or not.
///
/// Throws:  EnvironmentError if the file cannot be read, is not JSON, takes more memory than the
///          limit or nests deeper than 32 levels, where an entry lacks a field or has one of
///          another type, an id stands twice, an object names a picture or a category that is not
///          there, or runs do not fill the picture. Names the file and the entry.
/// Source:  T.-Y. Lin et al., "Microsoft COCO: common objects in context", ECCV 2014;
///          https://cocodataset.org/#format-data.
[[nodiscard]] CocoAnnotations read_coco(const std::filesystem::path& file,
                                        const CocoReadOptions& options = {});

/// The pixels inside of runs, row by row: 1 inside, 0 outside.
///
/// Throws:  UsageError if the runs do not fill the picture.
[[nodiscard]] std::vector<std::uint8_t> coco_mask(const CocoRuns& runs);

}  // namespace ddx::data
