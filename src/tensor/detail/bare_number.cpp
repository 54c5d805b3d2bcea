#include "ddx/tensor/detail/bare_number.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"

#include <cstdint>
#include <limits>
#include <source_location>
#include <string>
#include <type_traits>

namespace ddx::detail {
namespace {

/// "-128 to 127".
std::string range_of(DType dtype) {
  return visit(dtype, [](auto element) -> std::string {
    using Element = decltype(element);
    if constexpr (std::is_integral_v<Element>) {
      return std::to_string(std::numeric_limits<Element>::min()) + " to " +
             std::to_string(std::numeric_limits<Element>::max());
    } else {
      return {};
    }
  });
}

template <class Integer>
[[noreturn]] void fail(Integer number, DType dtype, const std::source_location& where) {
  throw UsageError("number beside a tensor",
                   std::to_string(number) + " does not fit the element type " +
                       std::string(to_string(dtype)) + ", " + range_of(dtype) +
                       "; cast the tensor to a wider type",
                   where);
}

}  // namespace

void throw_does_not_fit(std::int64_t number, DType dtype, const std::source_location& where) {
  fail(number, dtype, where);
}

void throw_does_not_fit(std::uint64_t number, DType dtype, const std::source_location& where) {
  fail(number, dtype, where);
}

}  // namespace ddx::detail
