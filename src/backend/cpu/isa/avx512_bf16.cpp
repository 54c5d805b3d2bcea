// Kernels of bf16 with products of pairs, for processors that multiply them (AVX512-BF16): twice as
// many multiplications in an instruction.

#include "backend/cpu/kernels/includes.h"
#include "backend/cpu/pairs.h"

#pragma clang attribute push(                                              \
    __attribute__((target("avx2,fma,f16c,bmi,bmi2,lzcnt,avx512f,avx512dq," \
                          "avx512cd,avx512bw,avx512vl,avx512bf16"))),      \
    apply_to = function)

namespace ddx::backend::cpu {
namespace {

constexpr int vector_bytes = 64;

#include "backend/cpu/vector_math/avx512.inc"
// After the vectors of the instruction set, of which they are some.
#include "backend/cpu/vector_math/pairs.inc"
// After the instructions, by which the kernels compute.
#include "backend/cpu/kernels/bf16_dot_convolution.inc"
#include "backend/cpu/kernels/winograd_gradient.inc"
// After pairs of rows, by which it packs.
#include "backend/cpu/kernels/attention_gradient.inc"

template <ops::Op op>
bool by_pairs(const ops::Call& call) noexcept {
  return winograd<op, Pair, BFloat16>(call);
}

}  // namespace

bool convolve_pairs(ops::Op op, const ops::Call& call) noexcept {
  switch (op) {
    case ops::Op::convolution:
      return by_pairs<ops::Op::convolution>(call);
    case ops::Op::convolution_input_gradient:
      return by_pairs<ops::Op::convolution_input_gradient>(call);
    case ops::Op::convolution_filter_gradient:
      return by_pairs<ops::Op::convolution_filter_gradient>(call);
    default:
      return false;
  }
}

bool convolve_few_pairs(ops::Op op, const ops::Call& call) noexcept {
  if (!has_elements(call) || !is_plane(call.attributes<ops::WindowAttributes>())) {
    return false;
  }
  return op == ops::Op::convolution                  ? convolve_by_words(call)
         : op == ops::Op::convolution_input_gradient ? input_gradient_by_words(call)
                                                     : false;
}

bool multiply_pairs(const ops::Call& call) noexcept {
  return matmul_by_pairs(call);
}

bool attend_pairs(ops::Op op, const ops::Call& call) noexcept {
  return attend_by_pairs(op, call);
}

}  // namespace ddx::backend::cpu

#pragma clang attribute pop
