/// \file
/// Compiling for accelerators that are not in this machine, by XLA.

#pragma once

#include "ddx/backend/pjrt.h"

#include <cstdint>
#include <span>
#include <string>

namespace ddx::backend {

/// Accelerators to compile for.
struct PjrtTarget {
  /// Which plugin compiles, by its name (`pjrt_plugins`). XLA's for CUDA does; its device need not
  /// be here, nor a driver.
  std::string plugin = "cuda";
  /// What one device is: for XLA's CUDA plugin a stream_executor.GpuTargetConfigProto as text, with
  /// the compute capability, the number of cores, memory and bandwidth.
  std::string description = {};
  /// How many of them, in one machine.
  std::int64_t device_count = 1;
};

/// Compiles a program (PjrtOptions::on_program) for accelerators that need not be here, and returns
/// the memory that it will take. XLA writes what it has made of the program, such as its kernels in
/// order, to a folder if `flags` ask for it: "xla_dump_to" (a text) and "xla_dump_hlo_as_text"
/// (true). It cannot choose kernels by timing them; "xla_gpu_autotune_level" 0 says so to plugins
/// that would refuse otherwise. Takes seconds.
///
/// Throws:  EnvironmentError where the plugin is not found, cannot be loaded, compiles only for
///          devices that are here, or with the message of its compiler; UsageError where
///          `device_count` is less than 1 or a flag is a list.
[[nodiscard]] PjrtProgramMemory compile_for(const PjrtTarget& target, const PjrtProgram& program,
                                            std::span<const PjrtOption> flags = {});

}  // namespace ddx::backend
