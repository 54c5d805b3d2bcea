#include "backend/cpu/float16.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/pool.h"
#include "backend/cpu/scratch.h"
#include "ops/detail/widened.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ddx::backend::cpu {
namespace {

// Two operands and a result of so many floats take 48 KiB: the cache next to a core holds them.
constexpr std::int64_t block = 4096;
constexpr std::int64_t grain = 8 * block;

bool is_elementwise(ops::Op op) noexcept {
  switch (ops::info(op).family) {
    case ops::Family::Unary:
    case ops::Family::Binary:
    case ops::Family::ScaledSum:
    case ops::Family::Comparison:
    case ops::Family::Predicate:
      return true;
    default:
      return false;
  }
}

bool is_number(const ops::View& view) noexcept {
  return view.shape().count() == 1;
}

/// Whether each operand is a number or has the shape of the result.
bool splits_into_blocks(const ops::Call& call) noexcept {
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    const ops::View& input = call.input(i);
    if (!is_number(input) && !(input.shape() == call.output().shape())) {
      return false;
    }
  }
  return true;
}

/// The elements from `first` on, of an array of one axis.
ops::View part(const ops::View& view, std::int64_t first, const Shape& shape) noexcept {
  const auto offset = static_cast<std::size_t>(first) * info(view.dtype()).bytes;
  return {view.data<std::byte>() + offset, shape, view.dtype()};
}

/// Computes the elements of [begin, end) block by block.
void compute_blocks(const ops::detail::WideKernels& kernels, const ops::Call& call,
                    std::int64_t begin, std::int64_t end) noexcept {
  alignas(64) std::array<std::byte, 3 * block * sizeof(float)> memory;
  const Shape scalar;
  for (std::int64_t first = begin; first < end; first += block) {
    const Shape shape{std::min(block, end - first)};
    const auto input = [&](std::size_t i) {
      const ops::View& view = call.input(std::min(i, call.input_count() - 1));
      return is_number(view) ? ops::View(view.data<void>(), scalar, view.dtype())
                             : part(view, first, shape);
    };
    const std::array inputs{input(0), input(1)};
    const ops::View output = part(call.output(), first, shape);
    const auto given = std::span(inputs).first(call.input_count());
    ops::detail::run_widened(kernels, ops::Call(given, {&output, 1}, call.attributes()),
                             memory.data());
  }
}

}  // namespace

void compute_in_f32(ops::Op op, const ops::detail::WideKernels& kernels,
                    const ops::Call& call) noexcept {
  if (is_elementwise(op) && splits_into_blocks(call)) {
    for_each_range(call.output().shape().count(), grain, [&](std::int64_t begin, std::int64_t end) {
      compute_blocks(kernels, call, begin, end);
    });
    return;
  }
  const std::size_t bytes = ops::detail::widened_bytes(call, kernels.narrow, kernels.wide);
  const Scratch<std::byte> memory(static_cast<std::int64_t>(bytes));
  if (bytes > 0 && !memory) {
    ops::reference_kernel(op, kernels.narrow)(call);
    return;
  }
  ops::detail::run_widened(kernels, call, memory.data());
}

}  // namespace ddx::backend::cpu
