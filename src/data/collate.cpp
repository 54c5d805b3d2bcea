#include "ddx/data/collate.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::data::detail {

Shape common_shape(const char* operation, std::span<const Shape> shapes, bool may_differ) {
  if (shapes.empty()) {
    throw UsageError(operation, "no samples: the shape of a batch of none is not known");
  }
  const auto first = shapes[0].extents();
  std::vector<Shape::Extent> greatest(first.begin(), first.end());
  for (std::size_t i = 1; i < shapes.size(); ++i) {
    if (may_differ ? shapes[i].rank() != shapes[0].rank() : shapes[i] != shapes[0]) {
      throw UsageError(operation, "sample " + std::to_string(i) + " has shape " +
                                      to_string(shapes[i]) + ", sample 0 has shape " +
                                      to_string(shapes[0]));
    }
    for (std::size_t axis = 0; axis < greatest.size(); ++axis) {
      greatest[axis] = std::max(greatest[axis], shapes[i][axis]);
    }
  }
  return Shape(greatest, operation);
}

std::vector<std::size_t> places_in(const Shape& part, const Shape& whole, bool at_end) {
  std::vector<std::size_t> places = {0};
  for (std::size_t axis = 0; axis < part.rank(); ++axis) {
    const auto start = at_end ? whole[axis] - part[axis] : 0;
    std::vector<std::size_t> inner;
    for (const auto place : places) {
      for (Shape::Extent i = 0; i < part[axis]; ++i) {
        inner.push_back(place * static_cast<std::size_t>(whole[axis]) +
                        static_cast<std::size_t>(start + i));
      }
    }
    places = std::move(inner);
  }
  return places;
}

Shape with_rows(std::int64_t rows, const Shape& shape) {
  std::vector<Shape::Extent> extents = {rows};
  extents.insert(extents.end(), shape.extents().begin(), shape.extents().end());
  return Shape(extents, "collate");
}

}  // namespace ddx::data::detail
