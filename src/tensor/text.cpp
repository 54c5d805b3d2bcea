#include "ddx/tensor/text.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <type_traits>

namespace ddx::detail {
namespace {

constexpr std::int64_t summarize_from = 1000;  // elements
constexpr std::int64_t edge = 3;               // elements shown at either end of a summarised axis

template <class T>
std::string text_of(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (ComplexScalar<T>) {
    const std::string imaginary = text_of(value.imag());
    return text_of(value.real()) + (imaginary.front() == '-' ? "" : "+") + imaginary + "j";
  } else if constexpr (!std::is_arithmetic_v<T>) {
    return ddx::to_string(value);
  } else {
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return {digits.data(), end};
  }
}

/// Appends the elements from axis `axis` on, beginning at `data`.
template <class T>
void append(std::string& text, const T* data, const Shape& shape, const Strides& strides,
            std::size_t axis, bool summarize) {
  if (axis == shape.rank()) {
    text += text_of(*data);
    return;
  }
  text += "[";
  for (std::int64_t i = 0; i < shape[axis]; ++i) {
    if (i > 0) {
      text += ", ";
    }
    if (summarize && i == edge && shape[axis] > 2 * edge) {
      text += "..., ";
      i = shape[axis] - edge;
    }
    append(text, data + i * strides[axis], shape, strides, axis + 1, summarize);
  }
  text += "]";
}

/// Whether only the ends of long axes are printed: with many elements or, without any, with many
/// empty brackets.
bool is_summarised(const Shape& shape) noexcept {
  std::int64_t count = 1;
  for (std::size_t axis = 0; axis < shape.rank() && shape[axis] != 0; ++axis) {
    if (shape[axis] >= summarize_from || count * shape[axis] >= summarize_from) {
      return true;
    }
    count *= shape[axis];
  }
  return false;
}

}  // namespace

std::string to_string(const Array& array) {
  std::string text;
  visit(array.dtype(), [&](auto element) {
    append(text, static_cast<const decltype(element)*>(array.data()), array.shape(),
           dense_strides(array.shape()), 0, is_summarised(array.shape()));
  });
  return text;
}

std::ostream& write(std::ostream& stream, const Array& array) {
  const std::string text = to_string(array);
  return stream.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace ddx::detail
