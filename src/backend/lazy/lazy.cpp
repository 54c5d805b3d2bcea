#include "backend/lazy/lazy.h"

#include "ddx/backend/backend.h"

#include "backend/cpu/cpu.h"

namespace ddx::backend {

const Backend& lazy_backend() {
  static const Backend backend("lazy", cpu_backend().kernels());
  return backend;
}

}  // namespace ddx::backend
