#include "backend/pjrt/scalar_bytes.h"

#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/literal.h"
#include "ddx/stablehlo/emitter.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

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

/// Writes a scalar as its place has it: a number, or the words of a key.
void write(const ir::ScalarValue& value, DType dtype, std::byte* to) {
  if (const auto* const key = std::get_if<RandomKey>(&value)) {
    const auto state = key->state();
    std::array<std::uint32_t, 4> words{};
    for (std::size_t i = 0; i < 4; ++i) {
      words[i] = static_cast<std::uint32_t>(state[i / 2] >> (i % 2 == 0 ? 0 : 32));
    }
    std::memcpy(to, words.data(), sizeof words);
  } else {
    visit(dtype, [&](auto zero) {
      const auto element = number<decltype(zero)>(std::get<ops::Literal>(value));
      std::memcpy(to, &element, sizeof element);
    });
  }
}

}  // namespace

std::vector<std::byte> bytes_of(const stablehlo::ScalarArray& array,
                                std::span<const ir::ScalarValue> values) {
  std::vector<std::byte> bytes(ir::bytes_of(array.type));
  for (const stablehlo::ScalarPlace& place : array.scalars) {
    const auto first = static_cast<std::size_t>(place.first) * info(array.type.dtype).bytes;
    write(values[ir::Graph::index(place.scalar)], array.type.dtype, bytes.data() + first);
  }
  return bytes;
}

}  // namespace ddx::backend::pjrt
