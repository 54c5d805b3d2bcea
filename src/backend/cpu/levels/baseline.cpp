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
Sums level_sums<Level::Baseline>() noexcept {
  return own_sums;
}
template <>
BatchNormalization level_batch_normalization<Level::Baseline>(DType dtype) noexcept {
  return own_batch_normalization(dtype);
}

}  // namespace ddx::backend::cpu
