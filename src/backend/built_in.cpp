#include "backend/built_in.h"

#include "ddx/core/device.h"

#include "backend/cpu/cpu.h"
#include "backend/lazy/lazy.h"
#include "backend/naive/naive.h"
#include "backend/pjrt/pjrt.h"

#include <vector>

namespace ddx::backend {

std::vector<BuiltIn> built_in() {
  return {{Device::Kind::Naive, &naive_backend()},
          {Device::Kind::Cpu, &cpu_backend()},
          {Device::Kind::Lazy, &lazy_backend()},
          {Device::Kind::Pjrt, &pjrt_backend()},
          {Device::Kind::Mesh, &pjrt_backend()}};
}

}  // namespace ddx::backend
