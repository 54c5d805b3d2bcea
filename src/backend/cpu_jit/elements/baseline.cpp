// Compiled to bitcode: see functions.inc.

#include "backend/cpu/kernels/includes.h"

namespace ddx::backend::cpu_jit {
namespace {

using cpu::for_each_range;

constexpr int vector_bytes = 16;

#include "backend/cpu/vector_math/portable.inc"
// After the target of the instruction set, for which the functions are compiled.
#include "backend/cpu_jit/elements/functions.inc"

}  // namespace

#include "backend/cpu_jit/elements/exported.inc"

}  // namespace ddx::backend::cpu_jit
