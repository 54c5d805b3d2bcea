// Compiled to bitcode: see functions.inc.

#include "backend/cpu/kernels/includes.h"

#pragma clang attribute push(                                                                 \
    __attribute__((                                                                           \
        target("avx2,fma,f16c,bmi,bmi2,lzcnt,avx512f,avx512dq,avx512cd,avx512bw,avx512vl"))), \
    apply_to = function)

namespace ddx::backend::cpu_jit {
namespace {

using cpu::for_each_range;

constexpr int vector_bytes = 64;

#include "backend/cpu/vector_math/avx512.inc"
// After the target of the instruction set, for which the functions are compiled.
#include "backend/cpu_jit/elements/functions.inc"

}  // namespace

#include "backend/cpu_jit/elements/exported.inc"

}  // namespace ddx::backend::cpu_jit

#pragma clang attribute pop
