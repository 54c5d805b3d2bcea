#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/level.h"

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 16;

#include "backend/cpu/kernels/normalization.inc"

}  // namespace

template <>
ops::Kernel row_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept {
  return dtype == DType::f32   ? row_kernel_of<float>(op)
         : dtype == DType::f64 ? row_kernel_of<double>(op)
                               : nullptr;
}

}  // namespace ddx::backend::cpu
