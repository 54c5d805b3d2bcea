// Kernels of bf16 with products of tiles, for processors that multiply them (AMX-BF16): 16 times as
// many multiplications in a cycle as of f32.

#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/tiles.h"

#pragma clang attribute push(                                                           \
    __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,avx512f,avx512dq,"              \
                          "avx512cd,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16"))), \
    apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 64;

#include "backend/cpu/vector_math/avx512.inc"
// After the vectors of the instruction set, of which they are some.
#include "backend/cpu/vector_math/pairs.inc"
// After the instructions, by which the kernels compute.
#include "backend/cpu/kernels/amx_filter_gradient.inc"
#include "backend/cpu/kernels/amx_product.inc"
#include "backend/cpu/kernels/amx_rows.inc"
// Before attention, whose products it computes.
#include "backend/cpu/kernels/amx_panels.inc"
// After pairs of rows, by which it packs.
#include "backend/cpu/kernels/attention_gradient.inc"

}  // namespace

bool multiply_tiles(const ops::Call& call) noexcept {
  return matmul_by_tiles(call);
}

bool convolve_tiles(ops::Op op, const ops::Call& call) noexcept {
  const ops::WindowAttributes& window = call.attributes<ops::WindowAttributes>();
  if (!has_elements(call) || window.axes > 2 || window.groups != 1) {
    return false;
  }
  if (op == ops::Op::convolution_filter_gradient) {
    return filter_gradient_by_tiles(call.input(0), call.input(1), call.output(), window);
  }
  const ImageSum sum(call.input(0), call.input(1), call.output(), window,
                     op == ops::Op::convolution_input_gradient);
  return convolution_by_tile_rows(sum) || convolution_by_tiles(sum);
}

bool attend_tiles(ops::Op op, const ops::Call& call) noexcept {
  return attend_by_pairs(op, call);
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
