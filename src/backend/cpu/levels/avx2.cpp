#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/level.h"

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt"))), \
                             apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 32;

#include "backend/cpu/vector_math/portable.inc"
// After the instructions of the level, by which the kernels compute.
#include "backend/cpu/kernels/kernels.inc"

}  // namespace

template <>
ops::Kernel level_kernel<Level::Avx2>(ops::Op op, DType dtype) noexcept {
  return own_kernel(op, dtype);
}
template <>
Sums level_sums<Level::Avx2>() noexcept {
  return own_sums;
}
template <>
BatchNormalization level_batch_normalization<Level::Avx2>(DType dtype) noexcept {
  return own_batch_normalization(dtype);
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
