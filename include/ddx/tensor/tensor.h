/// \file
/// The tensor: an array of numbers with a shape, as a value.

#pragma once

#include "ddx/ad/attributes.h"
#include "ddx/ad/vjp.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/debug_containers.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

namespace detail {

/// Gives tensors of floating-point and complex numbers their tangent type. Others have none.
template <class Self, bool floating>
struct TensorTangent {};

template <class Self>
struct TensorTangent<Self, true> {
  using TangentVector = Self;
};

void check_count(const Shape& shape, std::size_t values, const std::source_location& where);
void check_rows(std::size_t first, std::size_t other, const std::source_location& where);
template <class... Extents>
Shape shape_of(Extents... extents) {
  return Shape{static_cast<Shape::Extent>(extents)...};
}
void check_single(const Shape& shape, const std::source_location& where);
/// The place of an element in row-major order; negative positions count from the end of their axis.
std::size_t element_offset(const Shape& shape, const Indices& index,
                           const std::source_location& where);
/// The array on another device.
Array moved(const Array& array, Device device);

}  // namespace detail

/// An array of numbers with a static element type and a run-time shape, stored densely in row-major
/// order.
///
/// A value: a copy is independent of its original (storage is shared until one of the two is
/// written). Operations run on the device of their operands, which must agree; bare numbers go
/// along with any tensor.
///
/// A default-constructed tensor is a *symbolic zero*: it has rank 0 and reads as zero. As a tangent
/// it is zeros of any shape, and costs neither memory nor time.
///
/// Example:
///   ddx::Tensor<float> a{{1, 2}, {3, 4}};
///   ddx::Tensor<float> b = ddx::relu(ddx::matmul(a, a) - 10.0F);
template <TensorScalar Scalar>
class Tensor : public detail::TensorTangent<Tensor<Scalar>, DifferentiableScalar<Scalar>> {
  using Storage =
      std::conditional_t<DifferentiableScalar<Scalar>, detail::Array, detail::DiscreteArray>;

 public:
  using Element = Scalar;

  /// A symbolic zero.
  Tensor() noexcept : array_(dtype_of<Scalar>) {}

  /// A scalar: rank 0.
  explicit Tensor(Scalar value, Device device = {})
      : Tensor(Shape{}, std::span<const Scalar>(&value, 1), device) {}

  /// The values in row-major order. Give shape and values in parentheses: `Tensor<float>({2, 2},
  /// {1, 2, 3, 4})`.
  ///
  /// Throws:  UsageError where the number of values is not the shape's.
  Tensor(const Shape& shape, std::span<const Scalar> values, Device device = {},
         std::source_location where = std::source_location::current())
      : array_(dtype_of<Scalar>) {
    detail::check_count(shape, values.size(), where);
    array_ = Storage(detail::Array(shape, dtype_of<Scalar>, device));
    std::copy(values.begin(), values.end(), static_cast<Scalar*>(array_.mutable_data()));
  }

  /// As above, from a list in braces.
  Tensor(const Shape& shape, std::initializer_list<Scalar> values, Device device = {},
         std::source_location where = std::source_location::current())
      : Tensor(shape, std::span<const Scalar>(values.begin(), values.size()), device, where) {}

  /// Rank 1, from a list in braces.
  Tensor(std::initializer_list<Scalar> values, Device device = {})
      : Tensor(Shape{static_cast<Shape::Extent>(values.size())}, values, device) {}

  /// Rank 2, from nested lists in braces.
  ///
  /// Throws:  UsageError where the rows differ in length.
  Tensor(std::initializer_list<std::initializer_list<Scalar>> rows, Device device = {},
         std::source_location where = std::source_location::current())
      : array_(dtype_of<Scalar>) {
    const std::size_t columns = rows.size() == 0 ? 0 : rows.begin()->size();
    for (const auto& row : rows) {
      detail::check_rows(columns, row.size(), where);
    }
    array_ =
        Storage(detail::Array(detail::shape_of(rows.size(), columns), dtype_of<Scalar>, device));
    auto* next = static_cast<Scalar*>(array_.mutable_data());
    for (const auto& row : rows) {
      next = std::copy(row.begin(), row.end(), next);
    }
  }

  /// Rank 3, from nested lists in braces.
  ///
  /// Throws:  UsageError where the rows or planes differ in length.
  Tensor(std::initializer_list<std::initializer_list<std::initializer_list<Scalar>>> planes,
         Device device = {}, std::source_location where = std::source_location::current())
      : array_(dtype_of<Scalar>) {
    const std::size_t rows = planes.size() == 0 ? 0 : planes.begin()->size();
    const std::size_t columns = rows == 0 ? 0 : planes.begin()->begin()->size();
    for (const auto& plane : planes) {
      detail::check_rows(rows, plane.size(), where);
      for (const auto& row : plane) {
        detail::check_rows(columns, row.size(), where);
      }
    }
    array_ = Storage(
        detail::Array(detail::shape_of(planes.size(), rows, columns), dtype_of<Scalar>, device));
    auto* next = static_cast<Scalar*>(array_.mutable_data());
    for (const auto& plane : planes) {
      for (const auto& row : plane) {
        next = std::copy(row.begin(), row.end(), next);
      }
    }
  }

  /// Wraps an array of this element type; for the operations.
  explicit Tensor(detail::Array array) noexcept : array_(std::move(array)) {}

  [[nodiscard]] const Shape& shape() const noexcept { return array_.shape(); }
  [[nodiscard]] std::size_t rank() const noexcept { return array_.shape().rank(); }
  /// The number of elements.
  [[nodiscard]] std::size_t count() const noexcept {
    return static_cast<std::size_t>(array_.shape().count());
  }
  [[nodiscard]] Device device() const noexcept { return array_.device(); }
  [[nodiscard]] bool is_symbolic_zero() const noexcept { return array_.is_symbolic_zero(); }
  [[nodiscard]] bool shares_storage_with(const Tensor& other) const noexcept {
    return array_.shares_storage_with(other.array_);
  }

  /// The elements in row-major order, borrowed until this tensor is next changed or destroyed. On
  /// an asynchronous device (ddx/backend/asynchronous.h) this waits for them; so does all that
  /// reads.
  ///
  /// Throws:  on an asynchronous device, what an operation before has failed with.
  [[nodiscard]] std::span<const Scalar> elements() const {
    return {static_cast<const Scalar*>(array_.data()), count()};
  }

  /// The elements in row-major order, to write. This tensor stops sharing its storage first. On an
  /// asynchronous device, write before this tensor is next given to an operation.
  ///
  /// Throws:  as elements().
  [[nodiscard]] std::span<Scalar> mutable_elements() {
    auto* data = static_cast<Scalar*>(array_.mutable_data());
    return {data, count()};
  }

  /// A copy of the elements in row-major order.
  [[nodiscard]] std::vector<Scalar> values() const {
    const auto all = elements();
    return {all.begin(), all.end()};
  }

  /// The only element.
  ///
  /// Throws:   UsageError where there is not exactly one.
  /// Gradient: a tensor of the same shape that holds the cotangent.
  [[nodiscard]] Scalar item(std::source_location where = std::source_location::current()) const {
    detail::check_single(shape(), where);
    return elements()[0];
  }

  /// The element at a position: `t[{i, j}]`. Negative positions count from the end.
  ///
  /// Throws:   UsageError where the position has another rank or lies outside.
  /// Gradient: zeros that hold the cotangent at the position.
  [[nodiscard]] Scalar operator[](const Indices& index) const {
    return elements()[detail::element_offset(shape(), index, {})];
  }

  /// Writes the element at a position: `t.set({i, j}, value)`. Negative positions count from the
  /// end.
  ///
  /// Throws:  UsageError where the position has another rank or lies outside.
  void set(const Indices& index, Scalar value,
           std::source_location where = std::source_location::current()) {
    const std::size_t offset = detail::element_offset(shape(), index, where);
    mutable_elements()[offset] = value;
  }

  /// This tensor on another device.
  ///
  /// Gradient: the cotangent on this tensor's device.
  [[nodiscard]] Tensor to(Device device) const { return Tensor(detail::moved(array_, device)); }

  /// The untyped array; for the operations.
  [[nodiscard]] const Storage& array() const& noexcept { return array_; }
  [[nodiscard]] Storage&& array() && noexcept { return std::move(array_); }

 private:
  Storage array_;
};

/// Whether two tensors have equal shapes and equal elements; devices do not matter. A NaN equals
/// nothing.
template <TensorScalar Scalar>
[[nodiscard]] bool operator==(const Tensor<Scalar>& a, const Tensor<Scalar>& b) {
  if (a.shape() != b.shape()) {
    return false;
  }
  const auto in_a = a.elements();
  const auto in_b = b.elements();
  for (std::size_t i = 0; i < in_a.size(); ++i) {
    if (!(in_a[i] == in_b[i])) {
      return false;
    }
  }
  return true;
}

}  // namespace ddx

// Tangent functions are found by their argument: they must be known wherever the tensor is.
#include "ddx/tensor/tangent.h"
