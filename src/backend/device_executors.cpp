// Which executor runs what is recorded for a device: the one place that knows them all.

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"

#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/executor.h"
#include "backend/pjrt/executor.h"
#include "backend/pjrt/mesh_executor.h"

#include <string>

namespace ddx::backend {

const lazy::Executor& lazy::executor_of(Device device) {
  switch (device.kind()) {
    case Device::Kind::Lazy:
      return cpu_executor();
    case Device::Kind::Pjrt:
      return pjrt::executor_of(device);
    case Device::Kind::Mesh:
      return pjrt::mesh_executor_of(Mesh::of(device));
    case Device::Kind::Naive:
    case Device::Kind::Cpu:
      break;
  }
  throw InternalError("record", "for device " + to_string(device) + ", which computes at the call");
}

}  // namespace ddx::backend
