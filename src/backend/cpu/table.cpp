#include "backend/cpu/table.h"

#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"
#include "ddx/ops/reference.h"

#include "backend/cpu/kernels.h"
#include "backend/cpu/level.h"
#include "backend/cpu/onednn/convolution.h"

namespace ddx::backend::cpu {
namespace {

/// A convolution of f32 by oneDNN where that is there and faster, else by the level's kernel.
template <Level level, ops::Op op>
void convolution(const ops::Call& call) noexcept {
  if (!onednn_is_faster(op, call) || !convolve_by_onednn(op, call)) {
    level_kernel<level>(op, DType::f32)(call);
  }
}

/// The convolution that may use oneDNN; null for other operations and element types.
template <Level level>
ops::Kernel convolution_kernel(ops::Op op, DType dtype) noexcept {
  if (dtype != DType::f32) {
    return nullptr;
  }
  if (op == ops::Op::conv2d) {
    return &convolution<level, ops::Op::conv2d>;
  }
  if (op == ops::Op::conv2d_input_gradient) {
    return &convolution<level, ops::Op::conv2d_input_gradient>;
  }
  if (op == ops::Op::conv2d_filter_gradient) {
    return &convolution<level, ops::Op::conv2d_filter_gradient>;
  }
  return nullptr;
}

/// The kernel of a cell: that of the level, or the reference where the level has none of its own.
template <Level level>
ops::Kernel kernel_of(ops::Op op, DType dtype) noexcept {
  for (const auto group : {convolution_kernel<level>, level_kernel<level>}) {
    if (const ops::Kernel kernel = group(op, dtype); kernel != nullptr) {
      return kernel;
    }
  }
  return ops::reference_kernel(op, dtype);
}

template <Level level>
KernelTable table_of() {
  KernelTable table;
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      const ops::Kernel kernel =
          contains(row.dtypes, type.dtype) ? kernel_of<level>(row.op, type.dtype) : nullptr;
      table.set(row.op, type.dtype,
                kernel != nullptr ? Cell(kernel)
                                  : unsupported("the operation is not defined for this dtype"));
    }
  }
  return table;
}

}  // namespace

KernelTable kernels_of(Level level) {
  switch (level) {
    case Level::Baseline:
      return table_of<Level::Baseline>();
    case Level::Avx2:
      return table_of<Level::Avx2>();
    case Level::Avx512:
      return table_of<Level::Avx512>();
  }
  __builtin_unreachable();
}

}  // namespace ddx::backend::cpu
