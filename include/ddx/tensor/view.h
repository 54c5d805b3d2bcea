/// \file
/// Elements of tensors by their indices, for loops.

#pragma once

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <source_location>
#include <span>

namespace ddx {

namespace detail {

/// Throws: UsageError where the rank is not the expected one.
void check_view_rank(const Shape& shape, std::size_t expected, const std::source_location& where);
/// Throws: UsageError "view: index 3 of axis 0 lies outside [0, 3); shape [3, 4]".
[[noreturn]] void fail_view_index(const Shape& shape, std::size_t axis, Shape::Extent index);

}  // namespace detail

/// The elements of a dense row-major array of rank `Rank`, read by their indices: what std::mdspan
/// is in C++23, with every index checked. Borrows: the tensor must neither be changed nor destroyed
/// while the view is in use. Cheap to copy.
template <class Element, std::size_t Rank>
class View {
 public:
  /// A view of elements in row-major order, as many as the shape of this rank says, unchecked.
  View(std::span<Element> elements, const Shape& shape) noexcept
      : elements_(elements), shape_(shape) {}

  [[nodiscard]] const Shape& shape() const noexcept { return shape_; }
  /// The extent of an axis in [0, Rank), unchecked.
  [[nodiscard]] Shape::Extent extent(std::size_t axis) const noexcept { return shape_[axis]; }
  /// All elements in row-major order.
  [[nodiscard]] std::span<Element> elements() const noexcept { return elements_; }

  /// The element at these indices, as many as there are axes.
  ///
  /// Throws:  UsageError where one does not lie in [0, extent).
  /// Cost:    a comparison, a multiplication and an addition per axis.
  template <std::integral... Index>
    requires(sizeof...(Index) == Rank)
  [[nodiscard]] Element& operator()(Index... indices) const {
    const std::array<Shape::Extent, Rank> index{static_cast<Shape::Extent>(indices)...};
    Shape::Extent place = 0;
    for (std::size_t axis = 0; axis < Rank; ++axis) {
      if (index[axis] < 0 || index[axis] >= shape_[axis]) {
        detail::fail_view_index(shape_, axis, index[axis]);
      }
      place = place * shape_[axis] + index[axis];
    }
    return elements_[static_cast<std::size_t>(place)];
  }

 private:
  std::span<Element> elements_;
  Shape shape_;
};

/// The elements of a tensor to read, by their indices.
///
/// Shapes:  x of rank `Rank`
/// Throws:  UsageError where the tensor has another rank.
/// Gradient: none; loops over elements do not differentiate.
/// Example:
///   const auto at = ddx::view<2>(matrix);
///   for (std::int64_t i = 0; i < at.extent(0); ++i) trace += at(i, i);
template <std::size_t Rank, TensorScalar Scalar>
[[nodiscard]] View<const Scalar, Rank> view(
    const Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  detail::check_view_rank(x.shape(), Rank, where);
  return {x.elements(), x.shape()};
}
template <std::size_t Rank, TensorScalar Scalar>
View<const Scalar, Rank> view(const Tensor<Scalar>&& x) = delete;

/// The elements of a tensor to read and write, by their indices. The tensor stops sharing its
/// storage first.
///
/// Shapes:  x of rank `Rank`
/// Throws:  UsageError where the tensor has another rank.
template <std::size_t Rank, TensorScalar Scalar>
[[nodiscard]] View<Scalar, Rank> mutable_view(
    Tensor<Scalar>& x, std::source_location where = std::source_location::current()) {
  detail::check_view_rank(x.shape(), Rank, where);
  const auto elements = x.mutable_elements();
  return {elements, x.shape()};
}

}  // namespace ddx
