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
RunningSum level_running_sum<Level::Avx2>(DType dtype) noexcept {
  return own_running_sum(dtype);
}
template <>
SumOfPartialSums level_sum_of_partial_sums<Level::Avx2>() noexcept {
  return &joined_sums<float>;
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
