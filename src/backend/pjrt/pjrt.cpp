#include "backend/pjrt/pjrt.h"

#include "ddx/backend/backend.h"

#include "backend/cpu/cpu.h"

namespace ddx::backend {

const Backend& pjrt_backend() {
  static const Backend backend("pjrt", cpu_backend().kernels());
  return backend;
}

}  // namespace ddx::backend
