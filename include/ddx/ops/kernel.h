/// \file
/// The form of a kernel: what every back end implements for every operation and element type.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"

#include <cstddef>
#include <span>

namespace ddx::ops {

/// What elements lie in, as the queue of calls knows it: a base of what it knows.
struct Storage {};

/// A dense row-major array that a kernel reads or writes. Borrows everything. The data of an array
/// with elements is aligned to 64 bytes, except for a scalar operand of rank 0, which is aligned to
/// its element; an empty array may have no data.
class View {
 public:
  View(const void* data, const Shape& shape, DType dtype, Storage* storage = nullptr) noexcept
      : data_(const_cast<void*>(data)), shape_(&shape), dtype_(dtype), storage_(storage) {}

  [[nodiscard]] const Shape& shape() const noexcept { return *shape_; }
  [[nodiscard]] DType dtype() const noexcept { return dtype_; }

  /// The elements, to read. Requires that T is the C++ type of dtype().
  template <class T>
  [[nodiscard]] const T* data() const noexcept {
    return static_cast<const T*>(data_);
  }

  /// The elements, to write; only for outputs.
  template <class T>
  [[nodiscard]] T* mutable_data() const noexcept {
    return static_cast<T*>(data_);
  }

  /// The memory it lies in, for the queue of calls; null where it has no owner, as of a number
  /// on the stack.
  [[nodiscard]] Storage* storage() const noexcept { return storage_; }

 private:
  void* data_;
  const Shape* shape_;
  DType dtype_;
  Storage* storage_;
};

/// One call of a kernel. Shapes, dtypes, indices and attributes are valid: the front end has
/// checked them.
///
/// Outputs hold indeterminate values and overlap no operand, with one exception: the output of an
/// elementwise family (Unary, Binary, ScaledSum) may be exactly the array of an input that has its
/// shape, and that of Update the array of its first input.
class Call {
 public:
  Call(std::span<const View> inputs, std::span<const View> outputs, const void* attributes) noexcept
      : inputs_(inputs), outputs_(outputs), attributes_(attributes) {}

  [[nodiscard]] std::size_t input_count() const noexcept { return inputs_.size(); }
  [[nodiscard]] std::size_t output_count() const noexcept { return outputs_.size(); }
  [[nodiscard]] const View& input(std::size_t i) const noexcept { return inputs_[i]; }
  [[nodiscard]] const View& output(std::size_t i = 0) const noexcept { return outputs_[i]; }

  /// Whether all results are empty: there is nothing to compute, however large the other extents
  /// are.
  [[nodiscard]] bool is_empty() const noexcept {
    for (const View& output : outputs_) {
      if (!output.shape().is_empty()) {
        return false;
      }
    }
    return true;
  }

  /// The attributes; A is the struct named in the operation's row.
  template <class A>
  [[nodiscard]] const A& attributes() const noexcept {
    return *static_cast<const A*>(attributes_);
  }
  /// The attributes, for another call with them.
  [[nodiscard]] const void* attributes() const noexcept { return attributes_; }

 private:
  std::span<const View> inputs_;
  std::span<const View> outputs_;
  const void* attributes_;
};

/// Computes one operation for one element type. Returns when the outputs are complete. Is not
/// called where all of them are empty.
using Kernel = void (*)(const Call& call) noexcept;

}  // namespace ddx::ops
