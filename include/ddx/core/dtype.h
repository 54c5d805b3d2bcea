/// \file
/// The element types as run-time values, and the map from C++ types to them.

#pragma once

#include "ddx/core/float16.h"

#include <array>
#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string_view>

namespace ddx {

/// The element type of a tensor. The rows are in ddx/core/dtypes.def.
enum class DType : std::uint8_t {
#define DDX_DTYPE(name, type, kind, text, hlo) name,
#include "ddx/core/dtypes.def"
};

/// What arithmetic an element type has.
enum class DTypeKind : std::uint8_t { Float, Signed, Unsigned, Boolean, Complex };

/// One row of the table of element types.
struct DTypeInfo {
  DType dtype;
  DTypeKind kind;
  std::size_t bytes;
  std::string_view text;       ///< As in error messages, e.g. "f32".
  std::string_view stablehlo;  ///< As in StableHLO text, e.g. "ui8".
};

/// Every element type, in the order of the enumerators.
inline constexpr auto dtype_table = std::to_array<DTypeInfo>({
#define DDX_DTYPE(name, type, kind, text, hlo) \
  {DType::name, DTypeKind::kind, sizeof(type), text, hlo},
#include "ddx/core/dtypes.def"
});

/// The number of element types.
inline constexpr std::size_t dtype_count = dtype_table.size();

/// The row of an element type.
[[nodiscard]] constexpr const DTypeInfo& info(DType dtype) noexcept {
  return dtype_table[static_cast<std::size_t>(dtype)];
}

/// The name of an element type, e.g. "f32".
[[nodiscard]] constexpr std::string_view to_string(DType dtype) noexcept {
  return info(dtype).text;
}
/// Writes what to_string gives.
std::ostream& operator<<(std::ostream& stream, DType dtype);

namespace detail {

template <class Scalar>
struct DTypeOf;  // Left undefined for C++ types that are no element types.

#define DDX_DTYPE(name, type, kind, text, hlo)  \
  template <>                                   \
  struct DTypeOf<type> {                        \
    static constexpr DType value = DType::name; \
  };
#include "ddx/core/dtypes.def"

}  // namespace detail

/// A C++ type that tensors may have as elements.
template <class T>
concept TensorScalar = requires { detail::DTypeOf<T>::value; };

/// A real element type with derivatives.
template <class T>
concept FloatingScalar =
    TensorScalar<T> && info(detail::DTypeOf<T>::value).kind == DTypeKind::Float;

/// An element type of two parts: std::complex<float> or std::complex<double>.
template <class T>
concept ComplexScalar =
    TensorScalar<T> && info(detail::DTypeOf<T>::value).kind == DTypeKind::Complex;

/// An element type with derivatives. The gradient of a real result by z = x + iy is dL/dx + i dL/dy
/// (docs/design/002-tensors.md).
template <class T>
concept DifferentiableScalar = FloatingScalar<T> || ComplexScalar<T>;

/// An element type of indices and labels. Values beyond 32 bits are errors where they choose.
template <class T>
concept IndexScalar = std::same_as<T, std::int32_t> || std::same_as<T, std::int64_t>;

/// The DType of a C++ element type, e.g. `dtype_of<float> == DType::f32`.
template <TensorScalar T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

/// Whether an element type has a real and an imaginary part.
[[nodiscard]] constexpr bool is_complex(DType dtype) noexcept {
  return info(dtype).kind == DTypeKind::Complex;
}

/// The element type of the parts of a complex one; of others, the type itself.
[[nodiscard]] constexpr DType part_dtype(DType dtype) noexcept {
  return dtype == DType::c64 ? DType::f32 : dtype == DType::c128 ? DType::f64 : dtype;
}

/// The complex element type with parts of a real one: f32 or f64.
[[nodiscard]] constexpr DType complex_dtype(DType part) noexcept {
  return part == DType::f32 ? DType::c64 : DType::c128;
}

/// The element type of sums, statistics and optimiser state of 16-bit floating elements, f32; of
/// others, the type itself.
[[nodiscard]] constexpr DType wide_dtype(DType dtype) noexcept {
  return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype;
}

namespace detail {

template <TensorScalar T>
struct WideOf {
  using Type = T;
};
template <>
struct WideOf<Half> {
  using Type = float;
};
template <>
struct WideOf<BFloat16> {
  using Type = float;
};

template <TensorScalar T>
struct SumOf {
  using Type = T;
};
template <TensorScalar T>
  requires(info(DTypeOf<T>::value).kind == DTypeKind::Signed ||
           info(DTypeOf<T>::value).kind == DTypeKind::Boolean)
struct SumOf<T> {
  using Type = std::int64_t;
};
template <TensorScalar T>
  requires(info(DTypeOf<T>::value).kind == DTypeKind::Unsigned)
struct SumOf<T> {
  using Type = std::uint64_t;
};

}  // namespace detail

/// wide_dtype of a C++ element type: `WideScalar<Half>` is float.
template <TensorScalar T>
using WideScalar = typename detail::WideOf<T>::Type;

/// A floating element type of 16 bits.
template <class T>
concept NarrowScalar = FloatingScalar<T> && !std::same_as<T, WideScalar<T>>;

/// An element type of integers or truth values.
template <class T>
concept DiscreteScalar = TensorScalar<T> && !DifferentiableScalar<T>;

/// The element type of sums and products of elements: 64 bits for integers and truth values, as in
/// NumPy; others themselves.
template <TensorScalar T>
using SumScalar = typename detail::SumOf<T>::Type;

/// Calls `f` with a value-initialised object of the C++ type of `dtype` and returns what it
/// returns.
template <class F>
constexpr decltype(auto) visit(DType dtype, F&& f) {
  switch (dtype) {
#define DDX_DTYPE(name, type, kind, text, hlo) \
  case DType::name:                            \
    return f(type{});
#include "ddx/core/dtypes.def"
  }
  __builtin_unreachable();
}

}  // namespace ddx
