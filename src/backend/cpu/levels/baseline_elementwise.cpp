#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"

namespace ddx::backend::cpu {
namespace baseline {
namespace {

#include "backend/cpu/kernels/elementwise.inc"
#include "backend/cpu/kernels/math.inc"

}  // namespace

ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept {
  return elementwise_of(op, dtype);
}

}  // namespace baseline
}  // namespace ddx::backend::cpu
