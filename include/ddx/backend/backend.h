/// \file
/// What an implementation of tensors offers to the front end, and how the front end finds it.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include <source_location>
#include <string_view>
#include <vector>

namespace ddx::backend {

/// An implementation of tensors: a name and a table of kernels over host memory. Has static storage
/// duration.
class Backend {
 public:
  constexpr Backend(std::string_view name, const KernelTable& kernels) noexcept
      : name_(name), kernels_(kernels) {}

  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] const KernelTable& kernels() const noexcept { return kernels_; }

 private:
  std::string_view name_;
  const KernelTable& kernels_;
};

/// Makes `backend` the implementation of devices of this kind, in place of an earlier one.
void register_backend(Device::Kind kind, const Backend& backend);

/// The implementation of a device. The back ends built into the library are registered by the first
/// call.
///
/// Throws:  EnvironmentError where the device has none in this build.
[[nodiscard]] const Backend& backend_of(Device device);

/// Throws:  UsageError that says which operation the device has no kernel for, and why.
[[noreturn]] void throw_unsupported(std::string_view device, ops::Op op, DType key,
                                    const Cell& cell, const std::source_location& where = {});

/// Every device that has an implementation in this build, in the order of Device::Kind.
[[nodiscard]] std::vector<Device> available_devices();

}  // namespace ddx::backend
