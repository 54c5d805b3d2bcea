#include "backend/cpu/cpu.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/kernel_table.h"

#include "backend/cpu/isa.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/table.h"

namespace ddx::backend {

const Backend& cpu_backend() {
  static const KernelTable kernels = cpu::kernels_of(cpu::best_isa());
  static const Backend backend("cpu", kernels);
  // Makes the pool now: a thread that has found the back end before it was made ends before the
  // pool does.
  (void)cpu::thread_count();
  return backend;
}

}  // namespace ddx::backend
