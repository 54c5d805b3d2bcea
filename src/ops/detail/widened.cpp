#include "ops/detail/widened.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>

namespace ddx::ops::detail {
namespace {

/// The most operands, or results, that an operation of a fixed number of them has.
constexpr std::size_t most(int OpInfo::* count) {
  int most = 0;
  for (const OpInfo& op : op_table) {
    most = std::max(most, op.*count);
  }
  return static_cast<std::size_t>(most);
}
constexpr std::size_t most_inputs = most(&OpInfo::inputs);
constexpr std::size_t most_outputs = most(&OpInfo::outputs);

std::size_t bytes_of(const View& view, DType wide) noexcept {
  constexpr std::size_t alignment = 64;
  const std::size_t bytes = static_cast<std::size_t>(view.shape().count()) * info(wide).bytes;
  return (bytes + alignment - 1) / alignment * alignment;
}

/// Hands out the memory piece by piece.
class WideViews {
 public:
  WideViews(const WideKernels& kernels, std::byte* memory) noexcept
      : kernels_(kernels), next_(memory) {}

  /// A wide array in the place of one of dtype narrow; other arrays as they are.
  [[nodiscard]] View of(const View& view) noexcept {
    if (view.dtype() != kernels_.narrow) {
      return view;
    }
    const View wide(next_, view.shape(), kernels_.wide);
    next_ += bytes_of(view, kernels_.wide);
    return wide;
  }

 private:
  const WideKernels& kernels_;
  std::byte* next_;
};

void run_one(Kernel kernel, const View& from, const View& to) noexcept {
  const NoAttributes none;
  kernel(Call({&from, 1}, {&to, 1}, &none));
}

}  // namespace

std::size_t widened_bytes(const Call& call, DType narrow, DType wide) noexcept {
  std::size_t bytes = 0;
  const auto add = [&](const View& view) {
    bytes += view.dtype() == narrow ? bytes_of(view, wide) : 0;
  };
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    add(call.input(i));
  }
  for (std::size_t i = 0; i < call.output_count(); ++i) {
    add(call.output(i));
  }
  return bytes;
}

void run_widened(const WideKernels& kernels, const Call& call, std::byte* memory) noexcept {
  WideViews wide(kernels, memory);
  const View none(nullptr, call.output().shape(), kernels.narrow);
  const auto input = [&](std::size_t i) {
    if (i >= call.input_count()) {
      return none;
    }
    const View view = wide.of(call.input(i));
    if (view.dtype() != call.input(i).dtype()) {
      run_one(kernels.widen, call.input(i), view);
    }
    return view;
  };
  const auto output = [&](std::size_t i) {
    return i < call.output_count() ? wide.of(call.output(i)) : none;
  };
  // In braces, what is between the commas is evaluated from left to right.
  const auto inputs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<View, most_inputs>{input(i)...};
  }(std::make_index_sequence<most_inputs>{});
  const auto outputs = [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::array<View, most_outputs>{output(i)...};
  }(std::make_index_sequence<most_outputs>{});
  kernels.operation(Call(std::span(inputs).first(call.input_count()),
                         std::span(outputs).first(call.output_count()), call.attributes()));
  for (std::size_t i = 0; i < call.output_count(); ++i) {
    if (call.output(i).dtype() == kernels.narrow) {
      run_one(kernels.round, outputs[i], call.output(i));
    }
  }
}

}  // namespace ddx::ops::detail
