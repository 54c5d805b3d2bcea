#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/level.h"

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 16;

#include "backend/cpu/vector_math/portable.inc"
// After the instructions of the level, by which the kernels compute.
#include "backend/cpu/kernels/kernels.inc"

}  // namespace

template <>
ops::Kernel level_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept {
  return own_kernel(op, dtype);
}
template <>
RunningSum level_running_sum<Level::Baseline>(DType dtype) noexcept {
  return own_running_sum(dtype);
}
template <>
SumOfPartialSums level_sum_of_partial_sums<Level::Baseline>() noexcept {
  return &joined_sums<float>;
}

}  // namespace ddx::backend::cpu
