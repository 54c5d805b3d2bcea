/// \file
/// A function of one example, called for many at once.

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

  /// That of the first tensor, of which there is one.
  [[nodiscard]] Device device() const { return arrays_.front().array.device(); }

  std::optional<Shape::Extent> examples;

 private:
  struct Mapped {
    Array array;
    bool mapped = false;
  };

  void add(const Array& array, bool mapped);

  std::vector<Mapped> arrays_;
};

/// For each of so many arguments, along which axis the examples lie.
///
/// Throws:  UsageError where `axes` names others than none and so many.
[[nodiscard]] MappedAxes axes_of_arguments(const MappedAxes& axes, std::size_t arguments);

/// What the compiler differentiates of `mapped`.
template <class F, class... X>
auto one_example(const MappedAxes& /*axes*/, const std::tuple<X...>& x, const F& f) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return f(std::get<I>(x)...);
  }(std::index_sequence_for<X...>{});
}

/// Returns what f returns for all examples of its arguments.
///
/// Throws:  as vmap.
template <class F, class... X>
auto mapped(const F& f, const MappedAxes& axes, const std::tuple<X...>& x) {
  using Result = std::decay_t<std::invoke_result_t<const F&, const X&...>>;
  (void)&one_example<F, X...>;  // Instantiates what the compiler reads.
  return std::apply(
      [&](const X&... arguments) -> Result {
        MappedArguments all_of;
        std::size_t argument = 0;
        const auto add = [&](const auto& value) {
          all_of.add(argument, axes[argument], value);
          ++argument;
        };
        (add(arguments), ...);
        if (!all_of.examples) {
          throw_no_examples();
        }
        std::optional<Device> recording = recording_device(arguments...);
        if (!recording) {
          recording = backend::staging_device();  // Of what the function captures.
        }
        const Device device = recording.value_or(Device::lazy());
        auto recorded = record<Result>("vmap", device, f, all_of.types(), arguments...);
        const backend::StagedGraph all = all_of.for_all(recorded.staged);
        set_tensors(recorded.form, all_of.call(device, all), result_types(all.graph), device);
        if (!recording) {
          visit_tensors([&](auto& result) { result = result.to(all_of.device()); }, recorded.form);
        }
        return std::move(recorded.form);
      },
      x);
}

}  // namespace detail
}  // namespace ddx
