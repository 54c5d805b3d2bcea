#include "backend/cpu_jit/element_bitcode.h"

#include "backend/cpu/isa.h"

#include <cstddef>
#include <span>

// The build compiles elements/ to these files, and says where they are.
#define DDX_BITCODE_LEVEL(file, isa, width)        \
  __asm__(                                         \
      ".pushsection .rodata\n"                     \
      ".balign 16\n"                               \
      ".global ddx_bitcode_" #file                 \
      "\n"                                         \
      ".global ddx_bitcode_" #file                 \
      "_end\n"                                     \
      "ddx_bitcode_" #file                         \
      ":\n"                                        \
      ".incbin \"" DDX_BITCODE_FOLDER "/" #file    \
      ".bc\"\n"                                    \
      "ddx_bitcode_" #file                         \
      "_end:\n"                                    \
      ".byte 0\n"                                  \
      ".popsection\n");                            \
  extern "C" const std::byte ddx_bitcode_##file[]; \
  extern "C" const std::byte ddx_bitcode_##file##_end[];
#include "backend/cpu_jit/isa.def"

namespace ddx::backend::cpu_jit {

std::span<const std::byte> element_bitcode(cpu::Isa isa) noexcept {
  switch (isa) {
#define DDX_BITCODE_LEVEL(file, isa, width) \
  case cpu::Isa::isa:                       \
    return {ddx_bitcode_##file, ddx_bitcode_##file##_end};
#include "backend/cpu_jit/isa.def"
  }
  __builtin_unreachable();
}

int width_of(cpu::Isa isa) noexcept {
  switch (isa) {
#define DDX_BITCODE_LEVEL(file, isa, width) \
  case cpu::Isa::isa:                       \
    return width;
#include "backend/cpu_jit/isa.def"
  }
  __builtin_unreachable();
}

}  // namespace ddx::backend::cpu_jit
