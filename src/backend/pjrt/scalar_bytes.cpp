#include "backend/pjrt/scalar_bytes.h"

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/literal.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <variant>

namespace ddx::backend::pjrt {
namespace {

template <class T>
T number(const ops::Literal& literal) {
  if constexpr (ComplexScalar<T>) {
    using Part = decltype(T().real());
    return T(static_cast<Part>(literal.real), static_cast<Part>(literal.imaginary));
  } else if constexpr (FloatingScalar<T>) {
    return static_cast<T>(static_cast<float>(literal.real));
  } else if constexpr (std::is_same_v<T, bool>) {
    return literal.integer != 0;
  } else {
    return static_cast<T>(literal.integer);
  }
}
template <>
double number<double>(const ops::Literal& literal) {
  return literal.real;
}

}  // namespace

std::array<std::byte, 16> bytes_of(const ir::ScalarValue& value, const ir::Type& type) {
  std::array<std::byte, 16> bytes{};
  if (const auto* const key = std::get_if<RandomKey>(&value)) {
    const auto state = key->state();
    std::array<std::uint32_t, 4> words{};
    for (std::size_t i = 0; i < 4; ++i) {
      words[i] = static_cast<std::uint32_t>(state[i / 2] >> (i % 2 == 0 ? 0 : 32));
    }
    static_assert(sizeof words == sizeof bytes);
    std::memcpy(bytes.data(), words.data(), sizeof words);
  } else {
    visit(type.dtype, [&](auto zero) {
      const auto element = number<decltype(zero)>(std::get<ops::Literal>(value));
      static_assert(sizeof element <= sizeof bytes);
      std::memcpy(bytes.data(), &element, sizeof element);
    });
  }
  return bytes;
}

}  // namespace ddx::backend::pjrt
