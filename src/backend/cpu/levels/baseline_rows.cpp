#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"

namespace ddx::backend::cpu {
namespace baseline {
namespace {

constexpr int vector_bytes = 16;

#include "backend/cpu/kernels/math.inc"
#include "backend/cpu/kernels/normalization.inc"
#include "backend/cpu/kernels/rows.inc"
#include "backend/cpu/kernels/vectors.inc"

}  // namespace

ops::Kernel row_kernel(ops::Op op, DType dtype) noexcept {
  return dtype == DType::f32   ? row_kernel_of<float>(op)
         : dtype == DType::f64 ? row_kernel_of<double>(op)
                               : nullptr;
}

}  // namespace baseline
}  // namespace ddx::backend::cpu
