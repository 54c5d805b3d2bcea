#include "backend/cpu/table.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/cpu/indexing.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/level.h"
#include "backend/cpu/logic.h"
#include "backend/cpu/movement.h"
#include "backend/cpu/onednn/convolution.h"
#include "backend/cpu/sorting.h"
#include "backend/naive/naive.h"

namespace ddx::backend::cpu {
namespace {

/// A convolution of f32 by oneDNN where that is there and faster, else by the level's kernel.
template <Level level, ops::Op op>
void convolution(const ops::Call& call) noexcept {
  if (!onednn_is_faster(op, call) || !convolve_by_onednn(op, call)) {
    level_kernel<level>(op, DType::f32)(call);
  }
}

/// A kernel that needs no instructions of a level: it moves elements. Null where there is none.
ops::Kernel moving_kernel(ops::Op op, DType dtype) noexcept {
  if (const ops::Kernel kernel = movement_kernel(op); kernel != nullptr) {
    return kernel;
  }
  if (const ops::Kernel kernel = indexing_kernel(op, dtype); kernel != nullptr) {
    return kernel;
  }
  if (const ops::Kernel kernel = logic_kernel(op); kernel != nullptr) {
    return kernel;
  }
  return sorting_kernel(op, dtype);
}

/// The kernels of the level, and the reference where the level has none of its own.
template <Level level>
KernelTable table_of() {
  using ops::Op;
  KernelTable table = naive_backend().kernels();
  for (const auto& row : ops::op_table) {
    for (const auto& type : dtype_table) {
      if (!ops::contains(row.dtypes, type.dtype)) {
        continue;
      }
      if (const ops::Kernel kernel = level_kernel<level>(row.op, type.dtype); kernel != nullptr) {
        table.set(row.op, type.dtype, kernel);
      } else if (const ops::Kernel mover = moving_kernel(row.op, type.dtype); mover != nullptr) {
        table.set(row.op, type.dtype, mover);
      }
    }
  }
  table.set(Op::conv2d, DType::f32, &convolution<level, Op::conv2d>);
  table.set(Op::conv2d_input_gradient, DType::f32, &convolution<level, Op::conv2d_input_gradient>);
  table.set(Op::conv2d_filter_gradient, DType::f32,
            &convolution<level, Op::conv2d_filter_gradient>);
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
