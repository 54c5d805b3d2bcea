#include "ddx/io/stored_conversion.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/float16.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <type_traits>

namespace ddx::io {
namespace {

constexpr auto conversion = "converted";

bool is_floating(DType dtype) {
  return dtype == DType::f16 || dtype == DType::bf16 || dtype == DType::f32 || dtype == DType::f64;
}

template <class From, class To>
To convert_element(From x) {
  if constexpr (std::is_arithmetic_v<From> || std::is_arithmetic_v<To>) {
    return static_cast<To>(x);  // Rounds once where it is narrower.
  } else {
    return static_cast<To>(static_cast<float>(x));  // A float holds all numbers of 16 bits.
  }
}

template <class From, class To>
void convert_elements(std::span<const std::uint8_t> from, std::span<std::uint8_t> into) {
  const std::size_t count = from.size() / sizeof(From);
  for (std::size_t i = 0; i < count; ++i) {
    From x{};
    std::memcpy(&x, from.data() + i * sizeof(From), sizeof(From));
    const auto y = convert_element<From, To>(x);
    std::memcpy(into.data() + i * sizeof(To), &y, sizeof(To));
  }
}

/// Calls `f` with a number of the dtype, which is floating.
template <class F>
void visit_floating(DType dtype, const F& f) {
  if (dtype == DType::f16) {
    f(Half());
  } else if (dtype == DType::bf16) {
    f(BFloat16());
  } else if (dtype == DType::f32) {
    f(float());
  } else {
    f(double());
  }
}

/// Throws: UsageError where the array cannot be converted to this dtype.
void check_conversion(const StoredView& array, DType dtype) {
  if (!array.obstacle.empty()) {
    throw UsageError(conversion, array.obstacle);
  }
  const auto expected = static_cast<std::size_t>(array.shape.count()) * info(array.dtype).bytes;
  if (array.bytes.size() != expected) {
    throw UsageError(conversion, "an array of dtype " + std::string(to_string(array.dtype)) +
                                     " and shape " + to_string(array.shape) + " takes " +
                                     std::to_string(expected) + " bytes, it has " +
                                     std::to_string(array.bytes.size()));
  }
  if (dtype != array.dtype && (!is_floating(array.dtype) || !is_floating(dtype))) {
    throw UsageError(conversion, "from " + std::string(to_string(array.dtype)) + " to " +
                                     std::string(to_string(dtype)) +
                                     ": only f16, bf16, f32 and f64 are converted");
  }
}

/// Precondition: check_conversion, and room for all elements.
void convert(const StoredView& array, DType dtype, std::span<std::uint8_t> elements) {
  if (dtype == array.dtype) {
    std::ranges::copy(array.bytes, elements.begin());
    return;
  }
  visit_floating(array.dtype, [&](auto from) {
    visit_floating(dtype, [&](auto to) {
      convert_elements<decltype(from), decltype(to)>(array.bytes, elements);
    });
  });
}

}  // namespace

StoredTensor converted(const StoredView& array, DType dtype) try {
  check_conversion(array, dtype);
  StoredTensor result{.dtype = dtype, .shape = array.shape, .bytes = {}};
  result.bytes.resize(static_cast<std::size_t>(array.shape.count()) * info(dtype).bytes);
  convert(array, dtype, result.bytes);
  return result;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(conversion);
}

StoredTensor converted(const StoredTensor& array, DType dtype) {
  return converted(view_of(array), dtype);
}

void convert_into(const StoredView& array, DType dtype, std::span<std::uint8_t> elements) {
  check_conversion(array, dtype);
  const auto expected = static_cast<std::size_t>(array.shape.count()) * info(dtype).bytes;
  if (elements.size() != expected) {
    throw UsageError("convert_into", "the elements take " + std::to_string(expected) +
                                         " bytes, the memory has " +
                                         std::to_string(elements.size()));
  }
  convert(array, dtype, elements);
}

}  // namespace ddx::io
