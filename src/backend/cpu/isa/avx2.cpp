#include "backend/cpu/isa.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt"))), \
                             apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 32;

#include "backend/cpu/vector_math/portable.inc"
// After the target of the instruction set, for which the kernels are compiled.
#include "backend/cpu/kernels/kernels.inc"

}  // namespace

template <>
ops::Kernel isa_kernel<Isa::Avx2>(ops::Op op, DType dtype) noexcept {
  return own_kernel(op, dtype);
}
template <>
Sums level_sums<Isa::Avx2>() noexcept {
  return own_sums;
}
template <>
BatchNormalization level_batch_normalization<Isa::Avx2>(DType dtype) noexcept {
  return own_batch_normalization(dtype);
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
