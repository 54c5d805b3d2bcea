#include "ddx/core/device.h"

#include "ddx/core/error.h"

#include <string>

namespace ddx {

std::string to_string(Device device) {
  switch (device.kind()) {
    case Device::Kind::Naive:
      return "naive";
    case Device::Kind::Cpu:
      return "cpu";
    case Device::Kind::Lazy:
      return "lazy";
  }
  throw InternalError("device", "kind " + std::to_string(static_cast<int>(device.kind())));
}

}  // namespace ddx
