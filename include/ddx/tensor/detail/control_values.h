/// \file
/// What goes through operations with regions: what a turn takes and gives back, its slices, and the
/// results of all turns.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// The device for which an operation on these values is recorded: a lazy one that one of their
/// tensors lies on. Where they have no tensors, that of a function that is being staged. Else none:
/// the operation runs.
template <class... T>
std::optional<Device> recording_device(const T&... values) {
  bool any = false;
  std::optional<Device> lazy;
  const auto look = [&](const auto& tensor) {
    any = true;
    if (!lazy && tensor.device().is_lazy()) {
      lazy = tensor.device();
    }
  };
  (visit_tensors(look, values), ...);
  return any ? lazy : backend::staging_device();
}

/// Whether an operation on these values is recorded.
template <class... T>
bool is_recorded(const T&... values) {
  return recording_device(values...).has_value();
}

/// Throws:  UsageError unless the condition has one element.
void check_condition(const char* operation, const Shape& condition);

/// Throws:  UsageError where tensors of what goes in have other types than those of what comes out.
///          `what` says what they are.
void check_same_types(const char* operation, const char* what, const std::vector<ir::Type>& in,
                      const std::vector<ir::Type>& out);

/// Throws:  UsageError: something that is no tensor is not the same.
[[noreturn]] void throw_other_numbers(const char* operation, const char* what);

/// Throws:  UsageError where two values differ in more than their tensors, or these in their types.
template <class T>
void check_same_form(const char* operation, const char* what, const T& in,
                     const std::vector<ir::Type>& in_types, const T& out,
                     const std::vector<ir::Type>& out_types) {
  auto any = [](const auto&...) {};
  auto equal = [](const auto& a, const auto& b) { return a == b; };
  if (!visit_staged(any, equal, in, out)) {
    throw_other_numbers(operation, what);
  }
  check_same_types(operation, what, in_types, out_types);
}

/// The arrays of all tensors in a value, those of symbolic zeros as zeros of rank 0.
template <class T>
std::vector<Array> arrays_with_zeros(const T& value) {
  std::vector<Array> arrays;
  auto any = [](const auto&...) { return true; };
  auto add = [&](const auto& tensor) {
    arrays.push_back(tensor.array());
    if (tensor.is_symbolic_zero()) {
      (void)arrays.back().mutable_data();
    }
  };
  visit_staged(add, any, value);
  return arrays;
}

/// As above, of values that have their tensors.
template <class T>
void check_same_form(const char* operation, const char* what, const T& in, const T& out) {
  check_same_form(operation, what, in, types_of(arrays_with_zeros(in)), out,
                  types_of(arrays_with_zeros(out)));
}

/// How many slices there are: the extents of the first axes.
///
/// Throws:  UsageError where they differ from each other or from `turns`, a tensor has no axis, or
///          nothing says how many there are.
[[nodiscard]] Shape::Extent slice_count(const char* operation, const std::vector<ir::Type>& types,
                                        const std::optional<Shape::Extent>& turns);

/// The types of one slice.
[[nodiscard]] std::vector<ir::Type> slice_types(std::vector<ir::Type> types);
/// The types of so many slices together.
[[nodiscard]] std::vector<ir::Type> stacked_types(std::vector<ir::Type> types, Shape::Extent count);

/// The elements at a place of the first axis.
[[nodiscard]] Array slice_of(const Array& x, Shape::Extent place);

/// Gives the tensors in a value, but symbolic zeros, these arrays, in their order.
template <class T>
void set_arrays(T& value, const std::vector<Array>& arrays) {
  std::size_t place = 0;
  visit_tensors([&]<class One>(One& tensor) { tensor = One(arrays[place++]); }, value);
}

/// A value with one slice in the place of each tensor; symbolic zeros stay.
template <class T>
T slice_at(const T& slices, Shape::Extent place) {
  T one = slices;
  visit_tensors([&]<class One>(One& tensor) { tensor = One(slice_of(tensor.array(), place)); },
                one);
  return one;
}

/// Puts the arrays of several turns together: those at one place of their lists become one.
[[nodiscard]] std::vector<Array> stacked_arrays(const std::vector<std::vector<Array>>& turns);

/// Zeros of these types.
[[nodiscard]] std::vector<Array> zeros_of(const std::vector<ir::Type>& types, Device device);

/// The operands of a cond: the condition, as a scalar, and those of its regions.
[[nodiscard]] std::vector<Array> with_condition(const Array& condition,
                                                std::vector<Array> operands);

/// Calls an operation with two regions (backend::record_control) and returns its results.
[[nodiscard]] std::vector<backend::Buffer> record_regions(Device device, ir::Control control,
                                                          backend::StagedGraph first,
                                                          backend::StagedGraph second,
                                                          const std::vector<Array>& operands,
                                                          const std::source_location& where);
/// Calls a scan.
[[nodiscard]] std::vector<backend::Buffer> record_scan_of(Device device, backend::StagedGraph body,
                                                          const std::vector<Array>& operands,
                                                          const ir::ScanFields& fields,
                                                          const std::source_location& where);

/// What turns give back, to be put together along a new first axis.
template <class T>
class Stack {
 public:
  explicit Stack(Shape::Extent turns) : turns_(static_cast<std::size_t>(turns)) {}

  /// Throws:  UsageError where it is of another form than those of other turns.
  void put(const char* operation, Shape::Extent turn, const T& value) {
    std::vector<Array> arrays = arrays_with_zeros(value);
    if (form_) {
      check_same_form(operation, "output", *form_, types_, value, types_of(arrays));
      write_out_zeros(*form_, value);
    } else {
      form_ = value;
      types_ = types_of(arrays);
    }
    turns_[static_cast<std::size_t>(turn)] = std::move(arrays);
  }

  /// All together, of which there is at least one. What was a symbolic zero in all turns is one.
  [[nodiscard]] T take() && {
    const std::vector<Array> arrays = stacked_arrays(turns_);
    std::size_t place = 0;
    auto any = [](const auto&...) { return true; };
    auto set = [&]<class One>(One& tensor) {
      if (!tensor.is_symbolic_zero()) {
        tensor = One(arrays[place]);
      }
      ++place;
    };
    visit_staged(set, any, *form_);
    return std::move(*form_);
  }

 private:
  std::vector<std::vector<Array>> turns_;
  std::vector<ir::Type> types_;
  std::optional<T> form_;
};

}  // namespace ddx::detail
