/// \file
/// Builds programs: values as C++ objects, operations as functions of them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/stablehlo/module.h"

#include "stablehlo/detail/ints.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::stablehlo::detail {

class Builder;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A value of the program under construction.
class Value {
 public:
  Value(Builder& builder, ValueId id, const ir::Type& type)
      : builder_(&builder), id_(id), type_(type) {}

  [[nodiscard]] Builder& builder() const noexcept { return *builder_; }
  [[nodiscard]] ValueId id() const noexcept { return id_; }
  [[nodiscard]] const ir::Type& type() const noexcept { return type_; }
  [[nodiscard]] const Shape& shape() const noexcept { return type_.shape; }
  [[nodiscard]] DType dtype() const noexcept { return type_.dtype; }
  [[nodiscard]] std::size_t rank() const noexcept { return type_.shape.rank(); }
  [[nodiscard]] std::int64_t extent(std::size_t axis) const noexcept { return type_.shape[axis]; }

 private:
  Builder* builder_;
  ValueId id_;
  ir::Type type_;
};

using Values = std::vector<Value>;

/// Computes the results of a region from its parameters.
using Body = std::function<Values(const Values& parameters)>;

/// Appends operations to a program. Each function requires operands that fit, as specified;
/// `verify` checks programs from outside.
class Builder {
 public:
  explicit Builder(Module& module);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// A parameter of the function.
  Value parameter(const ir::Type& type);
  /// Ends the function.
  void finish(const Values& results);

  /// One operation, as it is written.
  Values append(Code code, const Values& operands, const std::vector<ir::Type>& results,
                std::vector<std::pair<std::string, Attribute>> attributes = {},
                std::vector<Region> regions = {});
  Value append_one(Code code, const Values& operands, const ir::Type& result,
                   std::vector<std::pair<std::string, Attribute>> attributes = {},
                   std::vector<Region> regions = {});

  /// A region whose parameters have these types.
  Region region(const std::vector<ir::Type>& parameters, const Body& body);

  /// A constant of rank 0, created once in each region.
  Value constant(const ops::Literal& value, DType dtype);
  /// A number for any dtype; exact if the dtype can represent it.
  Value number(double value, DType dtype);
  /// An array of one number.
  Value filled(double value, const Shape& shape, DType dtype);
  Value zeros(const ir::Type& type) { return filled(0, type.shape, type.dtype); }
  /// The position along an axis, as numbers.
  Value iota(const Shape& shape, std::size_t axis, DType dtype = DType::i32);

 private:
  using ConstantKey = std::tuple<DType, std::uint64_t, std::int64_t, std::uint64_t>;

  ValueId define(const ir::Type& type);

  Module& module_;
  std::vector<Operation>* block_;
  std::map<ConstantKey, ValueId> constants_;  // Of the region under construction.
};

// Elementwise. Operands of different shapes broadcast.

[[nodiscard]] Value unary(Code code, const Value& x);
[[nodiscard]] inline Value logarithm(const Value& x) {
  return unary(Code::log_, x);
}
[[nodiscard]] Value binary(Code code, const Value& a, const Value& b);
[[nodiscard]] Value operator+(const Value& a, const Value& b);
[[nodiscard]] Value operator-(const Value& a, const Value& b);
[[nodiscard]] Value operator*(const Value& a, const Value& b);
[[nodiscard]] Value operator/(const Value& a, const Value& b);
[[nodiscard]] Value operator&(const Value& a, const Value& b);
[[nodiscard]] Value operator|(const Value& a, const Value& b);
[[nodiscard]] Value operator^(const Value& a, const Value& b);
[[nodiscard]] Value operator-(const Value& x);
[[nodiscard]] Value operator~(const Value& x);
[[nodiscard]] Value operator+(const Value& a, double b);
[[nodiscard]] Value operator-(const Value& a, double b);
[[nodiscard]] Value operator-(double a, const Value& b);
[[nodiscard]] Value operator*(const Value& a, double b);
[[nodiscard]] Value operator/(const Value& a, double b);
[[nodiscard]] Value operator/(double a, const Value& b);
[[nodiscard]] Value maximum(const Value& a, const Value& b);
[[nodiscard]] Value minimum(const Value& a, const Value& b);
[[nodiscard]] Value maximum(const Value& a, double b);
[[nodiscard]] Value minimum(const Value& a, double b);

/// `direction`: EQ, NE, GE, GT, LE, LT.
[[nodiscard]] Value compare(std::string_view direction, const Value& a, const Value& b);
[[nodiscard]] Value compare(std::string_view direction, const Value& a, double b);
[[nodiscard]] Value select(const Value& condition, const Value& a, const Value& b);
[[nodiscard]] Value select(const Value& condition, double a, const Value& b);
[[nodiscard]] Value select(const Value& condition, const Value& a, double b);
[[nodiscard]] Value is_nan(const Value& x);
[[nodiscard]] Value is_finite(const Value& x);
[[nodiscard]] Value absolute(const Value& x);
/// dy f, but 0 where the cotangent dy is 0.
[[nodiscard]] Value cotangent_times(const Value& dy, const Value& f);
[[nodiscard]] Value convert(const Value& x, DType dtype);
/// The same bits as another dtype of that size.
[[nodiscard]] Value bitcast(const Value& x, DType dtype);

// Moving elements.

/// As the specification's broadcast_in_dim: axis i of x is axis axes[i] of the result.
[[nodiscard]] Value broadcast_in_dim(const Value& x, const Shape& shape, const Ints& axes);
/// Broadcast like the front end: aligned at the last axis.
[[nodiscard]] Value stretched(const Value& x, const Shape& shape);
[[nodiscard]] Value reshape(const Value& x, const Shape& shape);
[[nodiscard]] Value transpose(const Value& x, const Ints& order);
[[nodiscard]] Value slice(const Value& x, const Ints& start, const Ints& limit,
                          const Ints& strides);
/// Elements [start, limit) along one axis.
[[nodiscard]] Value slice_axis(const Value& x, std::size_t axis, std::int64_t start,
                               std::int64_t limit);
[[nodiscard]] Value reverse(const Value& x, const Ints& axes);
[[nodiscard]] Value pad(const Value& x, const Value& value, const Ints& low, const Ints& high,
                        const Ints& interior);
[[nodiscard]] Value concatenate(const Values& parts, std::size_t axis);
[[nodiscard]] Value dynamic_slice(const Value& x, const Values& starts, const Ints& sizes);
[[nodiscard]] Value dynamic_update_slice(const Value& x, const Value& update, const Values& starts);

// Over elements.

/// Combines the elements along axes, in any order, starting from `initial`.
using Combine = std::function<Values(const Values& left, const Values& right)>;
[[nodiscard]] Values reduce(const Values& operands, const Values& initial, const Ints& axes,
                            const Combine& combine);
[[nodiscard]] Value reduce(Code code, const Value& x, const Value& initial, const Ints& axes);
[[nodiscard]] Value sum(const Value& x, const Ints& axes);
/// The largest, NaN if there is one; of nothing minus infinity, or the smallest integer.
[[nodiscard]] Value largest(const Value& x, const Ints& axes);
[[nodiscard]] Value any(const Value& x);
/// Results are broadcast back over the reduced axes.
[[nodiscard]] Value along(const Value& reduced, const Shape& shape, const Ints& axes);
/// The smallest or largest value of a dtype, infinities among them.
[[nodiscard]] Value lowest(Builder& builder, DType dtype);
[[nodiscard]] Value highest(Builder& builder, DType dtype);

// Windows.

/// A window as the specification's window operations describe it, one number per axis.
struct WindowNumbers {
  Ints size;
  Ints strides;
  Ints base_dilations;
  Ints window_dilations;
  Ints low;
  Ints high;
};
[[nodiscard]] Value reduce_window(Code code, const Value& x, const Value& initial,
                                  const WindowNumbers& window, const Shape& result);

// Products.

struct DotAxes {
  Ints left_batch;
  Ints right_batch;
  Ints left;  ///< Contracted.
  Ints right;
};
/// The product, with f32 sums for 16-bit operands; `fast` allows less precision.
[[nodiscard]] Value dot(const Value& a, const Value& b, const DotAxes& axes, bool fast = false);
/// The precision of every product's operands.
[[nodiscard]] Attribute precision(DType dtype, bool fast);

// Control.

/// A loop over a carry, while `condition` holds.
[[nodiscard]] Values while_loop(const Values& initial,
                                const std::function<Value(const Values&)>& condition,
                                const Body& body);
/// A loop that runs `trips` times; the body receives the iteration number, an i32.
[[nodiscard]] Values counted_loop(
    std::int64_t trips, const Values& initial,
    const std::function<Values(const Value& turn, const Values& carry)>& body);

/// [0, 1, ..., count - 1].
[[nodiscard]] Ints first_integers(std::size_t count);
/// The shape without some axes.
[[nodiscard]] Shape without(const Shape& shape, const Ints& axes);

/// The type in which elements are computed: f32 for 16-bit types.
[[nodiscard]] constexpr DType computed_in(DType dtype) noexcept {
  return dtype == DType::f16 || dtype == DType::bf16 ? DType::f32 : dtype;
}

}  // namespace ddx::stablehlo::detail
