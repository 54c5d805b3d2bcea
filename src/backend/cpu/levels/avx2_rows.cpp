#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/level.h"

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt"))), \
                             apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 32;

#include "backend/cpu/kernels/normalization.inc"

}  // namespace

template <>
ops::Kernel row_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept {
  return dtype == DType::f32   ? row_kernel_of<float>(op)
         : dtype == DType::f64 ? row_kernel_of<double>(op)
                               : nullptr;
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
