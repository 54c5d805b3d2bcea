// Stands in for the sources beside this folder where the build has no LLVM: nothing is compiled.

#include "backend/cpu_jit/loop_compiler.h"

#include "ddx/backend/loop_compilation.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "backend/cpu_jit/loop.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::cpu_jit {

bool is_compiled(ops::Op /*op*/, DType /*operands*/, DType /*result*/) noexcept {
  return false;
}

std::vector<std::shared_ptr<const CompiledLoop>> request(std::span<const Loop> loops) {
  std::vector<std::shared_ptr<const CompiledLoop>> handles(loops.size());
  for (auto& handle : handles) {
    handle = std::make_shared<const CompiledLoop>();
  }
  return handles;
}

bool is_on() noexcept {
  return false;
}

int elements_in_turn() noexcept {
  return 1;
}

}  // namespace ddx::backend::cpu_jit

namespace ddx::backend {

LoopCompilation set_loop_compilation(LoopCompilation chosen) {
  static std::mutex mutex;
  static auto* const choice = new LoopCompilation;
  const std::scoped_lock lock(mutex);
  return std::exchange(*choice, std::move(chosen));
}

void await_loop_compilation() noexcept {}

LoopCompilationStatistics loop_compilation_statistics() {
  return {};
}

}  // namespace ddx::backend
