/// \file
/// Operations of 16-bit floating-point elements, computed in f32.

#pragma once

#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "ops/detail/widened.h"

namespace ddx::backend::cpu {

/// Whether the 16-bit elements of an operation are computed in f32: not those that are only moved,
/// ordered or made, nor those whose reference kernel is as good.
[[nodiscard]] constexpr bool is_computed_in_f32(const ops::OpInfo& row) noexcept {
  using ops::Family;
  switch (row.family) {
    case Family::Unary:
    case Family::Binary:
    case Family::ScaledSum:
    case Family::Comparison:
    case Family::Predicate:
    case Family::Reduction:
    case Family::Matmul:
    case Family::Convolution:
    case Family::Resampling:
    case Family::Pooling:
    case Family::Morphology:
    case Family::Normalization:
    case Family::Softmax:
    case Family::CrossEntropy:
    case Family::Attention:
      return ops::contains(row.dtypes, DType::f32);
    case Family::Indexing:
      return row.dtypes == ops::DTypeClass::Floating;
    case Family::Fourier:
    case Family::Creation:
    case Family::Random:
    case Family::Cast:
    case Family::Select:
    case Family::Movement:
    case Family::Update:
    case Family::Concatenation:
    case Family::ArgReduction:
    case Family::Sorting:
    case Family::Cumulative:
    case Family::LinearAlgebra:
    case Family::QuantizedProduct:
      return false;
  }
  __builtin_unreachable();
}

/// Computes by the kernels given and rounds the results once: elementwise operations block by
/// block, so that what is wide stays in the cache, others on the whole arrays. By the reference
/// kernel where there is no memory for that.
void compute_in_f32(ops::Op op, const ops::detail::WideKernels& kernels,
                    const ops::Call& call) noexcept;

}  // namespace ddx::backend::cpu
