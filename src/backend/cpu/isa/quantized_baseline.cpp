#include "backend/cpu/isa.h"
#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/quantized_kernels.h"

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 16;

#include "backend/cpu/kernels/quantized_rows.inc"

}  // namespace

template <>
QuantizedKernels quantized_kernels<Isa::Baseline>() noexcept {
  return own_quantized_kernels;
}

}  // namespace ddx::backend::cpu
