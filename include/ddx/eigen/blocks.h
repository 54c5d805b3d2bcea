/// \file
/// Dense matrices in memory, beside their cotangents and tangents.

#pragma once

#include "ddx/ad/memory_rule.h"

#include <Eigen/Core>
#include <cstddef>
#include <memory>

namespace ddx::eigen {

/// Eigen's type of sizes and places.
using Eigen::Index;

/// A matrix with numbers of its own.
template <class Scalar, int order = Eigen::ColMajor>
using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic, order>;

/// A matrix in memory that others own; its rows or columns lie `stride` numbers apart.
template <class Scalar, int order>
struct Block {
  using Numbers = std::remove_const_t<Scalar>;
  using View = Eigen::Map<std::conditional_t<std::is_const_v<Scalar>, const Dense<Numbers, order>,
                                             Dense<Numbers, order>>,
                          0, Eigen::OuterStride<>>;

  Scalar* numbers;
  Index rows;
  Index columns;
  Index stride;

  /// The number of stretches of numbers that follow each other, and their length.
  [[nodiscard]] Index count() const { return order == Eigen::ColMajor ? columns : rows; }
  [[nodiscard]] Index length() const { return order == Eigen::ColMajor ? rows : columns; }

  [[nodiscard]] View view() const {
    return View(numbers, rows, columns, Eigen::OuterStride<>(stride));
  }
};

/// Memory for a matrix that is written at once. Not set to zero.
template <class Scalar, int order>
class Buffer {
 public:
  Buffer(Index rows, Index columns)
      : numbers_(
            std::make_unique_for_overwrite<Scalar[]>(static_cast<std::size_t>(rows * columns))),
        rows_(rows),
        columns_(columns) {}

  [[nodiscard]] Eigen::Map<Dense<Scalar, order>> view() const {
    return Eigen::Map<Dense<Scalar, order>>(numbers_.get(), rows_, columns_);
  }
  [[nodiscard]] typename Block<Scalar, order>::View strided_view() const {
    const Index stride = order == Eigen::ColMajor ? rows_ : columns_;
    return Block<Scalar, order>{numbers_.get(), rows_, columns_, stride}.view();
  }
  [[nodiscard]] Scalar* data() const { return numbers_.get(); }

 private:
  std::unique_ptr<Scalar[]> numbers_;
  Index rows_;
  Index columns_;
};

/// A part of a map, which is a map of the same type.
template <class View>
[[nodiscard]] View part_of(View whole, Index row, Index column, Index rows, Index columns) {
  const Index stride = whole.outerStride();
  const Index first = View::IsRowMajor ? row * stride + column : column * stride + row;
  return View(whole.data() + first, rows, columns, Eigen::OuterStride<>(stride));
}

/// Copies a matrix to the tape.
template <class Scalar, int order>
void save(RuleSweep& sweep, const Block<const Scalar, order>& block) {
  Scalar* into = sweep.save<Scalar>(static_cast<std::size_t>(block.rows * block.columns));
  for (Index i = 0; i < block.count(); ++i, into += block.length()) {
    std::copy_n(block.numbers + i * block.stride, block.length(), into);
  }
}

/// The matrix that save() copied.
template <class Scalar, int order>
[[nodiscard]] typename Block<const Scalar, order>::View restore(RuleSweep& sweep, Index rows,
                                                                Index columns) {
  const Scalar* const numbers = sweep.restore<Scalar>(static_cast<std::size_t>(rows * columns));
  const Index stride = order == Eigen::ColMajor ? rows : columns;
  return Block<const Scalar, order>{numbers, rows, columns, stride}.view();
}

/// The cotangents of a matrix that is added to.
template <class Scalar, int order>
[[nodiscard]] Buffer<Scalar, order> get(RuleSweep& sweep, const Block<const Scalar, order>& block) {
  Buffer<Scalar, order> made(block.rows, block.columns);
  for (Index i = 0; i < block.count(); ++i) {
    sweep.get(block.numbers + i * block.stride, static_cast<std::size_t>(block.length()),
              made.data() + i * block.length());
  }
  return made;
}

/// The cotangents of a matrix in their place, where they lie as a matrix does; else without
/// numbers.
template <class Scalar, int order>
[[nodiscard]] Block<Scalar, order> adjacent(RuleSweep& sweep,
                                            const Block<const Scalar, order>& block) {
  const bool is_whole = block.stride == block.length();
  const auto count = static_cast<std::size_t>(block.rows * block.columns);
  Scalar* const found = is_whole ? sweep.adjacent(block.numbers, count) : nullptr;
  return {found, block.rows, block.columns, block.stride};
}

/// The cotangents of a matrix that is overwritten; zeros are left.
template <class Scalar, int order>
[[nodiscard]] Buffer<Scalar, order> take(RuleSweep& sweep,
                                         const Block<const Scalar, order>& block) {
  Buffer<Scalar, order> made(block.rows, block.columns);
  for (Index i = 0; i < block.count(); ++i) {
    sweep.take(block.numbers + i * block.stride, static_cast<std::size_t>(block.length()),
               made.data() + i * block.length());
  }
  return made;
}

/// Adds `amounts` to the cotangents of a matrix.
template <class Scalar, int order>
void add(RuleSweep& sweep, const Block<const Scalar, order>& block,
         const Buffer<Scalar, order>& amounts) {
  for (Index i = 0; i < block.count(); ++i) {
    sweep.add(block.numbers + i * block.stride, static_cast<std::size_t>(block.length()),
              amounts.data() + i * block.length());
  }
}

/// A part of a matrix that lies in one row or column: numbers `first` to `first + count`.
struct Stretch {
  Index first;
  Index count;
};

/// The part of stretch i of a square matrix that a triangle has: Eigen::Lower or Eigen::Upper, with
/// Eigen::UnitDiag without the diagonal.
template <int part, int order>
[[nodiscard]] Stretch in_triangle(Index i, Index size) {
  constexpr bool is_behind = ((part & Eigen::Lower) != 0) == (order == Eigen::ColMajor);
  constexpr Index skipped = (part & Eigen::UnitDiag) != 0 ? 1 : 0;
  return is_behind ? Stretch{i + skipped, size - i - skipped} : Stretch{0, i + 1 - skipped};
}

/// As save, of a triangle: the rest of what restore() returns is not set.
template <int part, class Scalar, int order>
void save_triangle(RuleSweep& sweep, const Block<const Scalar, order>& block) {
  Scalar* into = sweep.save<Scalar>(static_cast<std::size_t>(block.rows * block.rows));
  for (Index i = 0; i < block.rows; ++i) {
    const auto [first, count] = in_triangle<part, order>(i, block.rows);
    std::copy_n(block.numbers + i * block.stride + first, count, into + i * block.rows + first);
  }
}

/// As take, of a triangle; the rest is zero.
template <int part, class Scalar, int order>
[[nodiscard]] Buffer<Scalar, order> take_triangle(RuleSweep& sweep,
                                                  const Block<const Scalar, order>& block) {
  Buffer<Scalar, order> made(block.rows, block.rows);
  made.view().setZero();
  for (Index i = 0; i < block.rows; ++i) {
    const auto [first, count] = in_triangle<part, order>(i, block.rows);
    sweep.take(block.numbers + i * block.stride + first, static_cast<std::size_t>(count),
               made.data() + i * block.rows + first);
  }
  return made;
}

/// As add, of a triangle.
template <int part, class Scalar, int order>
void add_triangle(RuleSweep& sweep, const Block<const Scalar, order>& block,
                  const Buffer<Scalar, order>& amounts) {
  for (Index i = 0; i < block.rows; ++i) {
    const auto [first, count] = in_triangle<part, order>(i, block.rows);
    sweep.add(block.numbers + i * block.stride + first, static_cast<std::size_t>(count),
              amounts.data() + i * block.rows + first);
  }
}

/// Adds x yᵀ to the cotangents of stretch i of a matrix, numbers `first` to `first + count`: y_i x,
/// with x along the stretch.
template <class Scalar, int order>
void add_scaled(RuleSweep& sweep, const Block<const Scalar, order>& block, Index i, Stretch part,
                const Scalar* x, Scalar y) {
  sweep.change(block.numbers + i * block.stride + part.first, static_cast<std::size_t>(part.count),
               [&](Scalar* cotangents, std::size_t before, std::size_t count) {
                 const Scalar* const from = x + part.first + before;
                 for (std::size_t k = 0; k < count; ++k) {
                   cotangents[k] += y * from[k];
                 }
               });
}

/// The tangents of a matrix, as a matrix.
template <class Scalar, int order>
[[nodiscard]] Dense<Scalar, order> tangents_of(const RuleTangents& tangents,
                                               const Block<const Scalar, order>& block) {
  Dense<Scalar, order> made(block.rows, block.columns);
  for (Index i = 0; i < block.count(); ++i) {
    for (Index j = 0; j < block.length(); ++j) {
      made.data()[i * block.length() + j] = tangents(block.numbers + i * block.stride + j);
    }
  }
  return made;
}

/// Sets the tangents of a matrix.
template <class Scalar, int order>
void set_tangents(const RuleTangents& tangents, const Block<const Scalar, order>& block,
                  const Dense<Scalar, order>& values) {
  for (Index i = 0; i < block.count(); ++i) {
    for (Index j = 0; j < block.length(); ++j) {
      tangents(block.numbers + i * block.stride + j) = values.data()[i * block.length() + j];
    }
  }
}

}  // namespace ddx::eigen
