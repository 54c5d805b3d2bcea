#include "ddx/core/indices.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include <algorithm>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>

namespace ddx {

Indices::Indices(std::span<const std::int64_t> values) : size_(values.size()) {
  if (values.size() > Shape::max_rank) {
    throw UsageError("indices", std::to_string(values.size()) +
                                    " values exceed the largest rank, " +
                                    std::to_string(Shape::max_rank));
  }
  std::copy(values.begin(), values.end(), values_.begin());
}

std::string to_string(const Indices& indices) {
  std::string text = "[";
  for (const auto value : indices.values()) {
    if (text.size() > 1) {
      text += ", ";
    }
    text += std::to_string(value);
  }
  return text + "]";
}

std::ostream& operator<<(std::ostream& stream, const Indices& indices) {
  return stream << to_string(indices);
}

}  // namespace ddx
