/// \file
/// Compiles loops, beside the program.

#pragma once

#include "ddx/backend/loop_compilation.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/object_code.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ddx::backend::cpu_jit {

/// A loop that is compiled at some time, or never.
class CompiledLoop {
 public:
  /// The machine code; null as long as there is none.
  [[nodiscard]] LoopFunction function() const noexcept {
    return function_.load(std::memory_order_acquire);
  }
  void set_function(LoopFunction function) noexcept {
    function_.store(function, std::memory_order_release);
  }

 private:
  std::atomic<LoopFunction> function_{nullptr};
};

/// Asks for loops to be compiled, those that are new in one object file. Without LLVM, or where
/// compiling is off, nothing happens. Equal loops are one.
///
/// Throws:  std::bad_alloc.
[[nodiscard]] std::vector<std::shared_ptr<const CompiledLoop>> request(std::span<const Loop> loops);

/// Whether loops are compiled: they are to be, and there is an LLVM that has not failed for good.
/// Cost:    that of loading LLVM at the first call.
[[nodiscard]] bool is_on() noexcept;

/// How many elements a turn of compiled loops computes.
[[nodiscard]] int elements_in_turn() noexcept;
/// The bytes of a Sum of compiled loops.
[[nodiscard]] std::size_t bytes_of_sum() noexcept;

/// By what functions become machine code from now on; returns what it was before. For tests.
using ObjectCompiler = ObjectCode (*)(std::span<const FunctionText>, cpu::Isa);
ObjectCompiler set_object_compiler(ObjectCompiler compiler) noexcept;

}  // namespace ddx::backend::cpu_jit
