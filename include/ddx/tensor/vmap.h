/// \file
/// Functions of one example, for many at once.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/staging.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/control_values.h"
#include "ddx/tensor/detail/record_function.h"
#include "ddx/tensor/detail/staged_values.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx {

/// For each argument of a function, along which axis of its tensors the examples lie, counted from
/// the back where negative; none where they are the same for all examples. Empty: the first axis of
/// all arguments.
using MappedAxes = std::vector<std::optional<std::int64_t>>;

namespace detail {

/// Throws:  UsageError where there is not an axis for each argument.
void check_mapped_axes(std::size_t axes, std::size_t arguments);
/// The axis of the examples counted from the front.
///
/// Throws:  UsageError where the tensor has no such axis.
[[nodiscard]] std::size_t mapped_axis(std::size_t argument, std::int64_t axis, const Shape& shape);
/// How many examples there are, of an argument with so many.
///
/// Throws:  UsageError where there are others before it.
void count_examples(std::optional<Shape::Extent>& examples, std::size_t argument,
                    Shape::Extent count);
/// Throws:  UsageError: nothing says how many examples there are.
[[noreturn]] void throw_no_examples();

/// The tensors of all arguments as vmap works with them: the axis of the examples in front.
class MappedArguments {
 public:
  template <class T>
  void add(std::size_t argument, const std::optional<std::int64_t>& axis, const T& value) {
    visit_tensors(
        [&](const auto& tensor) {
          if (!axis) {
            add(tensor.array(), false);
          } else {
            const std::size_t place = mapped_axis(argument, *axis, tensor.shape());
            count_examples(examples, argument, tensor.shape()[place]);
            add(place == 0 ? tensor.array()
                           : move_axis(tensor, static_cast<std::int64_t>(place), 0).array(),
                true);
          }
        },
        value);
  }

  /// The types of one example.
  [[nodiscard]] std::vector<ir::Type> types() const;

  /// The function of one example, for all.
  [[nodiscard]] backend::StagedGraph for_all(const backend::StagedGraph& one) const;

  /// Records a call of a function for all on `device` and returns its results, which are lazy.
  [[nodiscard]] std::vector<backend::Buffer> call(Device device,
                                                  const backend::StagedGraph& all) const;

  std::optional<Shape::Extent> examples;

 private:
  struct Mapped {
    Array array;
    bool mapped = false;
  };

  void add(const Array& array, bool mapped);

  std::vector<Mapped> arrays_;
};

}  // namespace detail

/// The function for many examples at once: `vmap(f)(x...)` computes f of each example, with results
/// that have the axis of the examples in front, by operations on all of them together, without a
/// loop (what has no form for many examples is computed one by one: docs/design/008-staging.md).
/// The function sees one example, and may take gradients: `vmap(gradient of f)` are the gradients
/// of the examples. It is recorded at each call, on the device of the arguments if that records
/// operations (Device::is_lazy: the lazy device, devices of PJRT, meshes), otherwise on
/// Device::lazy(); the results lie there. `compile(vmap(f))` records it once. vmap of vmap maps
/// over two axes.
///
/// Arguments and results are as those of `compile`; numbers, keys and what the function captures
/// are the same for all examples, so a key draws the same numbers for each.
///
/// Shapes:  tensors of an argument [..., examples, ...] -> of the function's [...]; its results
///          [...] -> [examples, ...]
/// Throws:  UsageError if a tensor has no such axis, the numbers of examples differ, or nothing is
///          mapped; if the function observes elements; what the function throws.
/// Example:
///   const auto slope = [](const Tensor<float>& w, const Tensor<float>& x) {
///     return gradient([&](const Tensor<float>& v) { return loss(v, x); }, w);
///   };
///   const auto slopes = vmap(slope, {std::nullopt, 0})(w, batch);  // One for each example.
template <class F>
[[nodiscard]] auto vmap(F f, MappedAxes axes = {}) {
  return [f = std::move(f), axes = std::move(axes)]<class... X>(const X&... x) {
    using Result = std::decay_t<std::invoke_result_t<const F&, const X&...>>;
    if (!axes.empty()) {
      detail::check_mapped_axes(axes.size(), sizeof...(X));
    }
    detail::MappedArguments arguments;
    std::size_t argument = 0;
    const auto add = [&](const auto& value) {
      arguments.add(argument, axes.empty() ? std::optional<std::int64_t>(0) : axes[argument],
                    value);
      ++argument;
    };
    (add(x), ...);
    if (!arguments.examples) {
      detail::throw_no_examples();
    }
    const Device device = detail::recording_device(x...).value_or(Device::lazy());
    auto recorded = detail::record<Result>("vmap", device, f, arguments.types(), x...);
    const backend::StagedGraph all = arguments.for_all(recorded.staged);
    detail::set_tensors(recorded.form, arguments.call(device, all), detail::result_types(all.graph),
                        device);
    return std::move(recorded.form);
  };
}

}  // namespace ddx
