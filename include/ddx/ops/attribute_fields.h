/// \file
/// The attributes of any operation as one type, and their fields one by one: what hashing,
/// comparing, printing and reading them is made from.

#pragma once

#include "ddx/core/random_key.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <variant>

namespace ddx::ops {

/// The attributes of one operation.
using Attributes =
    std::variant<NoAttributes, FullAttributes, RandomUniformAttributes, RandomNormalAttributes,
                 RandomBernoulliAttributes, ScaleAttributes, PermutationAttributes, SliceAttributes,
                 PadAttributes, AxisAttributes, AxesAttributes, SortAttributes, ReductionAttributes,
                 CumulativeAttributes, FourierAttributes, MatmulAttributes, TriangleAttributes,
                 WindowAttributes, EpsilonAttributes, AttentionAttributes, QuantizedAttributes>;

/// Whether a field decides what is computed, or is a number that the computation is given and that
/// may be another one the next time.
enum class FieldRole : std::uint8_t { Static, RunTime };

/// The most run-time fields that one operation has.
inline constexpr std::size_t max_run_time_fields = 3;

/// Calls visitor(name, field, role) for every field, in the order of declaration.
template <class A, class Visitor>
constexpr void visit_fields(A& a, Visitor&& visitor) {
  using Bare = std::remove_const_t<A>;
  constexpr FieldRole fixed = FieldRole::Static;
  constexpr FieldRole given = FieldRole::RunTime;
  if constexpr (std::is_same_v<Bare, FullAttributes>) {
    visitor("value", a.value, given);
  } else if constexpr (std::is_same_v<Bare, RandomUniformAttributes>) {
    visitor("key", a.key, given);
    visitor("low", a.low, given);
    visitor("high", a.high, given);
  } else if constexpr (std::is_same_v<Bare, RandomNormalAttributes>) {
    visitor("key", a.key, given);
    visitor("mean", a.mean, given);
    visitor("deviation", a.deviation, given);
  } else if constexpr (std::is_same_v<Bare, RandomBernoulliAttributes>) {
    visitor("key", a.key, given);
    visitor("probability", a.probability, given);
  } else if constexpr (std::is_same_v<Bare, ScaleAttributes>) {
    visitor("scale", a.scale, given);
  } else if constexpr (std::is_same_v<Bare, PermutationAttributes>) {
    visitor("order", a.order, fixed);
  } else if constexpr (std::is_same_v<Bare, SliceAttributes>) {
    visitor("start", a.start, fixed);
    visitor("step", a.step, fixed);
  } else if constexpr (std::is_same_v<Bare, PadAttributes>) {
    visitor("low", a.low, fixed);
    visitor("step", a.step, fixed);
    visitor("value", a.value, given);
  } else if constexpr (std::is_same_v<Bare, AxisAttributes>) {
    visitor("axis", a.axis, fixed);
  } else if constexpr (std::is_same_v<Bare, AxesAttributes>) {
    visitor("axes", a.axes, fixed);
  } else if constexpr (std::is_same_v<Bare, SortAttributes>) {
    visitor("descending", a.descending, fixed);
  } else if constexpr (std::is_same_v<Bare, ReductionAttributes>) {
    visitor("axes", a.axes, fixed);
    visitor("keep_dims", a.keep_dims, fixed);
  } else if constexpr (std::is_same_v<Bare, CumulativeAttributes>) {
    visitor("axis", a.axis, fixed);
    visitor("reverse", a.reverse, fixed);
  } else if constexpr (std::is_same_v<Bare, FourierAttributes>) {
    visitor("axis", a.axis, fixed);
    visitor("inverse", a.inverse, fixed);
    visitor("scale", a.scale, fixed);
  } else if constexpr (std::is_same_v<Bare, MatmulAttributes>) {
    visitor("transpose_left", a.transpose_left, fixed);
    visitor("transpose_right", a.transpose_right, fixed);
  } else if constexpr (std::is_same_v<Bare, TriangleAttributes>) {
    visitor("lower", a.lower, fixed);
    visitor("transposed", a.transposed, fixed);
    visitor("unit_diagonal", a.unit_diagonal, fixed);
  } else if constexpr (std::is_same_v<Bare, WindowAttributes>) {
    visitor("axes", a.axes, fixed);
    visitor("size", a.size, fixed);
    visitor("strides", a.strides, fixed);
    visitor("dilations", a.dilations, fixed);
    visitor("low", a.low, fixed);
    visitor("high", a.high, fixed);
    visitor("groups", a.groups, fixed);
  } else if constexpr (std::is_same_v<Bare, QuantizedAttributes>) {
    visitor("bits", a.bits, fixed);
  } else if constexpr (std::is_same_v<Bare, EpsilonAttributes>) {
    visitor("epsilon", a.epsilon, fixed);
  } else if constexpr (std::is_same_v<Bare, AttentionAttributes>) {
    visitor("scale", a.scale, fixed);
    visitor("causal", a.causal, fixed);
  } else {
    static_assert(std::is_same_v<Bare, NoAttributes>, "the fields of this struct are not listed");
  }
}

/// The attributes of an operation as they are where nothing is said.
[[nodiscard]] Attributes default_attributes(Op op);

/// The struct itself, for a kernel.
[[nodiscard]] const void* struct_of(const Attributes& attributes) noexcept;

/// The attributes whose struct a kernel would be given.
[[nodiscard]] Attributes attributes_from(Op op, const void* kernel_attributes);

/// Whether two are of one struct and equal bit by bit: a NaN equals itself, 0 and -0 differ.
[[nodiscard]] bool identical(const Attributes& a, const Attributes& b) noexcept;

/// A number that is equal for identical attributes, in every process.
[[nodiscard]] std::uint64_t hash_of(const Attributes& attributes) noexcept;

/// The number of run-time fields.
[[nodiscard]] std::size_t run_time_field_count(const Attributes& attributes) noexcept;

}  // namespace ddx::ops
