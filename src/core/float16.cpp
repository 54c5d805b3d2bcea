#include "ddx/core/float16.h"

#include <array>
#include <charconv>
#include <limits>
#include <string>

namespace ddx {
namespace {

/// The shortest decimal that rounds to the value, as the double next to it prints.
template <class T>
std::string shortest(T value) {
  const auto exact = static_cast<double>(value);
  std::array<char, 32> digits{};
  char* const end = digits.data() + digits.size();
  double decimal = exact;
  for (int count = 0; count < std::numeric_limits<T>::max_digits10; ++count) {
    const auto text =
        std::to_chars(digits.data(), end, exact, std::chars_format::scientific, count);
    (void)std::from_chars(digits.data(), text.ptr, decimal);
    if (T(decimal) == value) {
      break;
    }
  }
  return {digits.data(), std::to_chars(digits.data(), end, decimal).ptr};
}

}  // namespace

std::string to_string(Half value) {
  return shortest(value);
}

std::string to_string(BFloat16 value) {
  return shortest(value);
}

}  // namespace ddx
