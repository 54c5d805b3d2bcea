#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/includes.h"

#pragma clang attribute push(                                                                 \
    __attribute__((                                                                           \
        target("avx2,fma,f16c,bmi,bmi2,lzcnt,avx512f,avx512dq,avx512cd,avx512bw,avx512vl"))), \
    apply_to = function)

namespace ddx::backend::cpu {
namespace avx512 {
namespace {

#include "backend/cpu/kernels/elementwise.inc"
#include "backend/cpu/kernels/math.inc"

}  // namespace

ops::Kernel elementwise_kernel(ops::Op op, DType dtype) noexcept {
  return elementwise_of(op, dtype);
}

}  // namespace avx512
}  // namespace ddx::backend::cpu

#pragma clang attribute pop
