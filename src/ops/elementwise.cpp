#include "ddx/ops/elementwise.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/complex_functions.h"
#include "ops/detail/dispatch_dtype.h"
#include "ops/detail/functions.h"
#include "ops/detail/integer_functions.h"
#include "ops/detail/numbers.h"
#include "ops/detail/strided_loop.h"
#include "ops/detail/transcendental_functions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace ddx::ops {
namespace {

/// What an element is computed in.
template <class T>
using Wide = std::conditional_t<FloatingScalar<T>, double,
                                std::conditional_t<ComplexScalar<T>, detail::ComplexDouble, T>>;

/// The operation as a function of numbers.
template <Op op, class T>
using FunctionOf =
    std::conditional_t<ComplexScalar<T>, detail::ComplexFunction<op>, detail::Function<op>>;

/// Unary and Predicate: Out is T or bool.
template <Op op, class T, class Out>
void unary(const Call& call) noexcept {
  const auto* x = call.input(0).data<T>();
  auto* y = call.output().mutable_data<Out>();
  const auto count = call.output().shape().count();
  for (Shape::Extent i = 0; i < count; ++i) {
    y[i] = static_cast<Out>(FunctionOf<op, T>::apply(static_cast<Wide<T>>(x[i])));
  }
}

/// Binary and Comparison: Out is T or bool.
template <Op op, class T, class Out>
void binary(const Call& call) noexcept {
  const auto* a = call.input(0).data<T>();
  const auto* b = call.input(1).data<T>();
  auto* y = call.output().mutable_data<Out>();
  const Shape& shape = call.output().shape();
  const std::array strides = {broadcast_strides(call.input(0).shape(), shape),
                              broadcast_strides(call.input(1).shape(), shape),
                              dense_strides(shape)};
  detail::for_each_offset(shape, strides, [&](const auto& at) {
    y[at[2]] = static_cast<Out>(
        FunctionOf<op, T>::apply(static_cast<Wide<T>>(a[at[0]]), static_cast<Wide<T>>(b[at[1]])));
  });
}

template <class T>
void add_scaled(const Call& call) noexcept {
  const auto* a = call.input(0).data<T>();
  const auto* b = call.input(1).data<T>();
  auto* y = call.output().mutable_data<T>();
  const Shape& shape = call.output().shape();
  const double scale = call.attributes<ScaleAttributes>().scale;
  const std::array strides = {broadcast_strides(call.input(0).shape(), shape),
                              broadcast_strides(call.input(1).shape(), shape),
                              dense_strides(shape)};
  detail::for_each_offset(shape, strides, [&](const auto& at) {
    y[at[2]] =
        static_cast<T>(static_cast<double>(a[at[0]]) + scale * static_cast<double>(b[at[1]]));
  });
}

/// W is a word as large as an element.
template <class W>
void select(const Call& call) noexcept {
  const auto* condition = call.input(0).data<bool>();
  const auto* a = call.input(1).data<W>();
  const auto* b = call.input(2).data<W>();
  auto* y = call.output().mutable_data<W>();
  const Shape& shape = call.output().shape();
  const std::array strides = {broadcast_strides(call.input(0).shape(), shape),
                              broadcast_strides(call.input(1).shape(), shape),
                              broadcast_strides(call.input(2).shape(), shape),
                              dense_strides(shape)};
  detail::for_each_offset(
      shape, strides, [&](const auto& at) { y[at[3]] = condition[at[0]] ? a[at[1]] : b[at[2]]; });
}

/// What holds every element of T: casts go through it, block by block, so that there are loops for
/// each type and not for each pair of them.
template <class T>
using Widest =
    std::conditional_t<FloatingScalar<T> || ComplexScalar<T>, Wide<T>,
                       std::conditional_t<std::is_unsigned_v<T>, std::uint64_t, std::int64_t>>;

template <class From>
[[gnu::noinline]] void widen(const From* x, Shape::Extent count, Widest<From>* wide) noexcept {
  for (Shape::Extent i = 0; i < count; ++i) {
    wide[i] = static_cast<Widest<From>>(x[i]);
  }
}

template <class Wide, class To>
[[gnu::noinline]] void narrow(const Wide* wide, Shape::Extent count, To* y) noexcept {
  for (Shape::Extent i = 0; i < count; ++i) {
    y[i] = detail::converted<To>(wide[i]);
  }
}

template <class From>
void cast(const Call& call) noexcept {
  constexpr Shape::Extent block = 256;
  const auto count = call.output().shape().count();
  const auto* x = call.input(0).data<From>();
  std::array<Widest<From>, block> wide;
  visit(call.output().dtype(), [&](auto element) {
    for (Shape::Extent first = 0; first < count; first += block) {
      const auto width = std::min(block, count - first);
      widen(x + first, width, wide.data());
      narrow(wide.data(), width, call.output().mutable_data<decltype(element)>() + first);
    }
  });
}

/// The kernel of one row; null where the row is of another family or excludes the element type.
template <Op op, class T>
constexpr Kernel kernel_of() {
  constexpr Family family = info(op).family;
  if constexpr (!contains(info(op).dtypes, dtype_of<T>)) {
    return nullptr;
  } else if constexpr (family == Family::Unary) {
    return &unary<op, T, T>;
  } else if constexpr (family == Family::Predicate) {
    return &unary<op, T, bool>;
  } else if constexpr (family == Family::Binary) {
    return &binary<op, T, T>;
  } else if constexpr (family == Family::Comparison) {
    return &binary<op, T, bool>;
  } else if constexpr (family == Family::ScaledSum) {
    return &add_scaled<T>;
  } else if constexpr (family == Family::Cast) {
    return &cast<T>;
  } else {
    return nullptr;
  }
}

template <class T, std::size_t... i>
constexpr std::array<Kernel, op_count> kernels_of(std::index_sequence<i...>) {
  return {kernel_of<static_cast<Op>(i), T>()...};
}

}  // namespace

Kernel elementwise_reference(Op op, DType dtype) noexcept {
  if (op == Op::select) {
    return detail::dispatch_size(dtype, [](auto word) { return &select<decltype(word)>; });
  }
  return detail::dispatch_any(dtype, [op](auto element) {
    static constexpr auto kernels =
        kernels_of<decltype(element)>(std::make_index_sequence<op_count>{});
    return kernels[static_cast<std::size_t>(op)];
  });
}

}  // namespace ddx::ops
