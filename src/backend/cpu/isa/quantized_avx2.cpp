#include "backend/cpu/isa.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/quantized_kernels.h"

#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt"))), \
                             apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 32;

#include "backend/cpu/kernels/quantized_rows.inc"

}  // namespace

template <>
QuantizedKernels quantized_kernels<Isa::Avx2>() noexcept {
  return own_quantized_kernels;
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
