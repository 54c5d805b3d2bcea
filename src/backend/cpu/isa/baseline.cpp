#include "backend/cpu/isa.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 16;

#include "backend/cpu/vector_math/portable.inc"
// After the target of the instruction set, for which the kernels are compiled.
#include "backend/cpu/kernels/kernels.inc"

}  // namespace

template <>
ops::Kernel isa_kernel<Isa::Baseline>(ops::Op op, DType dtype) noexcept {
  return own_kernel(op, dtype);
}
template <>
Sums level_sums<Isa::Baseline>() noexcept {
  return own_sums;
}
template <>
BatchNormalization level_batch_normalization<Isa::Baseline>(DType dtype) noexcept {
  return own_batch_normalization(dtype);
}

}  // namespace ddx::backend::cpu
