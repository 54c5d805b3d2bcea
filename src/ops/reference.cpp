#include "ddx/ops/reference.h"

#include "ddx/core/dtype.h"
#include "ddx/ops/attention.h"
#include "ddx/ops/creation.h"
#include "ddx/ops/cumulative.h"
#include "ddx/ops/elementwise.h"
#include "ddx/ops/fourier.h"
#include "ddx/ops/indexing.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/linear_algebra.h"
#include "ddx/ops/matmul.h"
#include "ddx/ops/movement.h"
#include "ddx/ops/normalization.h"
#include "ddx/ops/op.h"
#include "ddx/ops/quantized.h"
#include "ddx/ops/reduction.h"
#include "ddx/ops/resampling.h"
#include "ddx/ops/softmax.h"
#include "ddx/ops/sorting.h"
#include "ddx/ops/window.h"

#include "ops/detail/widened.h"

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace ddx::ops {
namespace {

/// The kernel that computes element by element, or keeps its sums in double.
Kernel direct_kernel(Op op, DType dtype) noexcept {
  switch (info(op).family) {
    case Family::Creation:
    case Family::Random:
      return creation_reference(op, dtype);
    case Family::Cast:
    case Family::Unary:
    case Family::Binary:
    case Family::ScaledSum:
    case Family::Comparison:
    case Family::Predicate:
    case Family::Select:
      return elementwise_reference(op, dtype);
    case Family::Movement:
    case Family::Update:
    case Family::Concatenation:
      return movement_reference(op, dtype);
    case Family::Indexing:
      return indexing_reference(op, dtype);
    case Family::Reduction:
    case Family::ArgReduction:
      return reduction_reference(op, dtype);
    case Family::Sorting:
      return sorting_reference(op, dtype);
    case Family::Cumulative:
      return cumulative_reference(op, dtype);
    case Family::Fourier:
      return fourier_reference(op, dtype);
    case Family::Matmul:
      return matmul_reference(op, dtype);
    case Family::QuantizedProduct:
      return quantized_reference(op, dtype);
    case Family::Convolution:
      return convolution_reference(op, dtype);
    case Family::Resampling:
      return resampling_reference(op, dtype);
    case Family::Pooling:
      return pooling_reference(op, dtype);
    case Family::Morphology:
      return morphology_reference(op, dtype);
    case Family::Normalization:
      return normalization_reference(op, dtype);
    case Family::Softmax:
    case Family::CrossEntropy:
      return softmax_reference(op, dtype);
    case Family::LinearAlgebra:
      return linear_algebra_reference(op, dtype);
    case Family::Attention:
      return attention_reference(op, dtype);
  }
  __builtin_unreachable();
}

/// Whether a kernel adds up in its result, or computes from one result another.
constexpr bool reads_its_results(Op op) noexcept {
  return op == Op::gather_gradient || op == Op::take_along_axis_gradient ||
         op == Op::avg_pool_gradient || op == Op::max_pool_gradient ||
         op == Op::resample_gradient || op == Op::grey_dilation_input_gradient ||
         op == Op::grey_dilation_filter_gradient;
}

/// Computes in double and rounds the results once. Where there is no memory for that, they are
/// rounded at each step.
template <Op op, DType dtype>
void in_double(const Call& call) noexcept {
  const std::size_t bytes = detail::widened_bytes(call, dtype, DType::f64);
  constexpr std::align_val_t alignment{64};
  auto* memory = static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow));
  if (memory == nullptr) {
    direct_kernel(op, dtype)(call);
    return;
  }
  detail::run_widened({.narrow = dtype,
                       .wide = DType::f64,
                       .widen = direct_kernel(Op::cast, dtype),
                       .operation = direct_kernel(op, DType::f64),
                       .round = direct_kernel(Op::cast, DType::f64)},
                      call, memory);
  ::operator delete(memory, alignment);
}

template <Op op, DType dtype>
constexpr Kernel wide_kernel() noexcept {
  if constexpr (reads_its_results(op)) {
    return &in_double<op, dtype>;
  } else {
    return nullptr;
  }
}

/// The kernels that compute in double, by operation; null for the others.
template <DType dtype, std::size_t... i>
constexpr std::array<Kernel, op_count> wide_kernels(std::index_sequence<i...>) noexcept {
  return {wide_kernel<static_cast<Op>(i), dtype>()...};
}
constexpr auto half_kernels = wide_kernels<DType::f16>(std::make_index_sequence<op_count>{});
constexpr auto bfloat16_kernels = wide_kernels<DType::bf16>(std::make_index_sequence<op_count>{});

}  // namespace

Kernel reference_kernel(Op op, DType dtype) noexcept {
  const auto place = static_cast<std::size_t>(op);
  if (dtype == DType::f16 && half_kernels[place] != nullptr) {
    return half_kernels[place];
  }
  if (dtype == DType::bf16 && bfloat16_kernels[place] != nullptr) {
    return bfloat16_kernels[place];
  }
  return direct_kernel(op, dtype);
}

}  // namespace ddx::ops
