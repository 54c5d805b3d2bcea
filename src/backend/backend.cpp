#include "ddx/backend/backend.h"

#include "ddx/backend/kernel_table.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ops/op.h"

#include "backend/built_in.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <source_location>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend {
namespace {

/// The back end of each kind of device; null where there is none. Written by registration only.
constinit std::array<std::atomic<const Backend*>, Device::kind_count> table{};

std::atomic<const Backend*>& cell(Device::Kind kind) noexcept {
  return table[static_cast<std::size_t>(kind)];
}

void register_built_in() {
  static constinit std::once_flag once;
  std::call_once(once, [] {
    for (const BuiltIn& entry : built_in()) {
      cell(entry.kind).store(entry.backend, std::memory_order_release);
    }
  });
}

/// The back end of a kind, after the built-in ones had their turn. Null where there is none.
const Backend* find(Device::Kind kind) {
  register_built_in();
  return cell(kind).load(std::memory_order_acquire);
}

}  // namespace

void register_backend(Device::Kind kind, const Backend& backend) {
  register_built_in();
  cell(kind).store(&backend, std::memory_order_release);
}

const Backend& backend_of(Device device) {
  const Backend* known = cell(device.kind()).load(std::memory_order_acquire);
  if (known == nullptr) {
    known = find(device.kind());
  }
  if (known == nullptr) {
    throw EnvironmentError("device", "this build has no back end for " + to_string(device));
  }
  return *known;
}

std::vector<Device> available_devices() {
  std::vector<Device> devices;
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    if (find(device.kind()) != nullptr) {
      devices.push_back(device);
    }
  }
  return devices;
}

void throw_unsupported(std::string_view device, ops::Op op, DType key, const Cell& cell,
                       const std::source_location& where) {
  throw UsageError(std::string(to_string(op)),
                   "unsupported on device " + std::string(device) + " for " +
                       std::string(to_string(key)) + ": " + cell.reason(),
                   where);
}

}  // namespace ddx::backend
