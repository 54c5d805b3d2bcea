/// \file
/// Random integers and orders. Equal keys give equal numbers on every device.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/host_vector.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/recorded_keys.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <vector>

namespace ddx {

namespace detail {
/// `count` integers in [0, width), by their places.
std::vector<std::uint64_t> integers_below(RandomKey key, std::size_t count, std::uint64_t width);
[[noreturn]] void throw_no_integer(std::int64_t low, std::int64_t high, const Shape& shape,
                                   const std::source_location& where);
}  // namespace detail

/// Integers in [low, high), each with exactly the same probability.
///
/// Throws:  UsageError where the bounds do not ascend.
template <TensorScalar Scalar>
  requires(std::integral<Scalar> && !std::same_as<Scalar, bool>)
[[nodiscard]] Tensor<Scalar> random_integers(
    RandomKey key, const Shape& shape, Scalar low, std::type_identity_t<Scalar> high,
    Device device = {}, std::source_location where = std::source_location::current()) {
  if (!(low < high)) {
    detail::throw_no_integer(static_cast<std::int64_t>(low), static_cast<std::int64_t>(high), shape,
                             where);
  }
  const auto draw = [=](const RandomKey& own) {
    const auto first = static_cast<std::uint64_t>(low);
    auto values = host_vector_with_room<Scalar>("random_integers", shape.count());
    for (const std::uint64_t offset :
         detail::integers_below(own, static_cast<std::size_t>(shape.count()),
                                static_cast<std::uint64_t>(high) - first)) {
      values.push_back(static_cast<Scalar>(first + offset));
    }
    return Tensor<Scalar>(shape, values, device).array();
  };
  return Tensor<Scalar>(detail::drawn(key, device, draw));
}

/// The numbers 0, 1, ... count - 1 in random order, each order with the same probability.
///
/// Throws:  UsageError where `count` is negative or more than indices of 32 bits count.
/// Source:  R. Durstenfeld, "Algorithm 235: random permutation", 1964.
[[nodiscard]] Tensor<std::int32_t> random_permutation(
    RandomKey key, std::int64_t count, Device device = {},
    std::source_location where = std::source_location::current());

}  // namespace ddx
