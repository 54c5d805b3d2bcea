#include "compiler/support/large_stack.h"

#include "llvm/Support/thread.h"

#include <optional>

namespace ddx::compiler {

void run_on_large_stack(llvm::function_ref<void()> run) {
  llvm::thread(std::optional<unsigned>(1U << 30), run).join();
}

}  // namespace ddx::compiler
