#include "io/detail/bundle_index.h"

#include "ddx/core/shape.h"

#include "io/detail/tensorflow_types.h"
#include "io/detail/wire_reader.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {
namespace {

// The numbers of tensor_bundle.proto, versions.proto and tensor_shape.proto.
struct HeaderField {
  static constexpr std::uint64_t shards = 1;
  static constexpr std::uint64_t endianness = 2;
  static constexpr std::uint64_t version = 3;
};
struct VersionField {
  static constexpr std::uint64_t min_consumer = 2;
};
struct RecordField {
  static constexpr std::uint64_t type = 1;
  static constexpr std::uint64_t shape = 2;
  static constexpr std::uint64_t shard = 3;
  static constexpr std::uint64_t offset = 4;
  static constexpr std::uint64_t size = 5;
  static constexpr std::uint64_t checksum = 6;
  static constexpr std::uint64_t slices = 7;
};
struct ShapeField {
  static constexpr std::uint64_t axis = 2;
  static constexpr std::uint64_t unknown_rank = 3;
};
struct AxisField {
  static constexpr std::uint64_t extent = 1;
};

void read_shape(WireReader reader, BundleRecord& record) {
  while (const auto field = reader.next()) {
    if (field->number == ShapeField::axis) {
      std::uint64_t extent = 0;  // What protocol buffers leave out is 0.
      auto axis = reader.message(*field);
      while (const auto inner = axis.next()) {
        if (inner->number == AxisField::extent) {
          extent = axis.number(*inner);
        }
      }
      record.extents.push_back(extent);
    } else if (field->number == ShapeField::unknown_rank && reader.number(*field) != 0) {
      record.entry.obstacle = "its number of axes is not known";
    }
  }
}

/// Why ddx has no shape of these extents; empty where it has.
std::string obstacle_in(const std::vector<std::uint64_t>& extents) {
  if (extents.size() > Shape::max_rank) {
    return "it has " + std::to_string(extents.size()) + " axes, at most " +
           std::to_string(Shape::max_rank) + " are supported";
  }
  constexpr std::uint64_t limit = std::uint64_t{1} << 56;
  std::uint64_t product = 1;
  for (const auto extent : extents) {
    if (extent >> 63 != 0) {
      return "an extent is not known";
    }
    if (extent > limit / product) {
      return "an extent is too large";
    }
    product *= std::max<std::uint64_t>(extent, 1);
  }
  return "";
}

/// Notes why the entry cannot be read, and its shape where it has one.
void judge(BundleRecord& record) {
  auto& entry = record.entry;
  if (entry.obstacle.empty()) {
    entry.obstacle = obstacle_in(record.extents);
  }
  if (entry.obstacle.empty()) {
    const std::vector<Shape::Extent> extents(record.extents.begin(), record.extents.end());
    entry.shape = Shape(std::span<const Shape::Extent>(extents));
    if (!entry.dtype) {
      entry.obstacle = "ddx has no type " + entry.type;
    }
  }
}

}  // namespace

BundleHeader read_bundle_header(WireReader reader) {
  BundleHeader header;
  while (const auto field = reader.next()) {
    if (field->number == HeaderField::shards) {
      header.shards = reader.number(*field);
    } else if (field->number == HeaderField::endianness) {
      header.big_endian = reader.number(*field) != 0;
    } else if (field->number == HeaderField::version) {
      auto version = reader.message(*field);
      while (const auto inner = version.next()) {
        if (inner->number == VersionField::min_consumer) {
          header.min_consumer = version.number(*inner);
        }
      }
    }
  }
  return header;
}

BundleRecord read_bundle_record(WireReader reader) {
  BundleRecord record;
  std::uint64_t type = 0;
  while (const auto field = reader.next()) {
    switch (field->number) {
      case RecordField::type:
        type = reader.number(*field);
        break;
      case RecordField::shape:
        read_shape(reader.message(*field), record);
        break;
      case RecordField::shard:
        record.shard = reader.number(*field);
        break;
      case RecordField::offset:
        record.offset = reader.number(*field);
        break;
      case RecordField::size:
        record.size = reader.number(*field);
        break;
      case RecordField::checksum:
        record.checksum = static_cast<std::uint32_t>(reader.number(*field));
        break;
      case RecordField::slices:
        record.entry.obstacle = "it is stored in slices";
        break;
      default:  // Fields of later versions, which readers pass by.
        break;
    }
  }
  record.entry.type = tensorflow_name(type);
  record.entry.dtype = dtype_of_tensorflow(type);
  judge(record);
  return record;
}

}  // namespace ddx::io::detail
