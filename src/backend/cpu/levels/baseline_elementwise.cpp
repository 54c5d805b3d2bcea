#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/level.h"

namespace ddx::backend::cpu {
namespace {

#include "backend/cpu/kernels/elementwise.inc"

}  // namespace

template <>
ops::Kernel elementwise_kernel<Level::Baseline>(ops::Op op, DType dtype) noexcept {
  return elementwise_of(op, dtype);
}

}  // namespace ddx::backend::cpu
