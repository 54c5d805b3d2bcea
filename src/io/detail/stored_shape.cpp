#include "io/detail/stored_shape.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/refusal.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ddx::io::detail {
namespace {

std::string text_of(std::span<const std::uint64_t> extents) {
  std::string text = "[";
  for (std::size_t i = 0; i < extents.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(extents[i]);
  }
  return text + "]";
}

}  // namespace

Shape stored_shape(std::span<const std::uint64_t> extents, std::size_t element_bytes,
                   std::uint64_t total_bytes, const Refusal& refuse) {
  if (extents.size() > Shape::max_rank) {
    refuse(std::to_string(extents.size()) + " axes, at most " + std::to_string(Shape::max_rank) +
           " are supported");
  }
  std::array<Shape::Extent, Shape::max_rank> values{};
  // The product of the extents other than 0 stays below this, so that nothing overflows.
  constexpr std::uint64_t limit = std::uint64_t{1} << 56;
  std::uint64_t product = 1;
  bool empty = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    empty = empty || extents[i] == 0;
    const auto factor = std::max<std::uint64_t>(extents[i], 1);
    if (factor > limit / product) {
      refuse("shape " + text_of(extents) + " is too large");
    }
    product *= factor;
    values[i] = static_cast<Shape::Extent>(extents[i]);
  }
  const auto needed = empty ? 0 : product * element_bytes;
  if (needed != total_bytes) {
    refuse("an array of shape " + text_of(extents) + " and elements of " +
           std::to_string(element_bytes) + " bytes takes " + std::to_string(needed) +
           " bytes, there are " + std::to_string(total_bytes));
  }
  return Shape(std::span<const Shape::Extent>(values.data(), extents.size()));
}

void check_truth_values(const StoredTensor& array, const Refusal& refuse) {
  if (array.dtype == DType::boolean &&
      std::any_of(array.bytes.begin(), array.bytes.end(), [](auto byte) { return byte > 1; })) {
    refuse("a truth value is neither 0 nor 1");
  }
}

void check_byte_count(const StoredTensor& array, const std::string& operation,
                      const std::string& name) {
  if (!array.obstacle.empty()) {
    throw UsageError(operation, array.obstacle);
  }
  const auto expected = static_cast<std::size_t>(array.shape.count()) * info(array.dtype).bytes;
  if (array.bytes.size() != expected) {
    throw UsageError(operation, name + " of dtype " + std::string(to_string(array.dtype)) +
                                    " and shape " + to_string(array.shape) + " takes " +
                                    std::to_string(expected) + " bytes, it has " +
                                    std::to_string(array.bytes.size()));
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 100;
  std::string result(text.substr(0, longest));
  std::replace_if(result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > longest ? result + "..." : result;
}

}  // namespace ddx::io::detail
