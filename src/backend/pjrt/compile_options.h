/// \file
/// How a program is to be compiled, in the form that plugins of XLA read.

#pragma once

#include "backend/pjrt/named_value.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::backend::pjrt {

/// How a program is to be compiled.
struct CompileOptions {
  /// Copies of the program, each with arguments of its own.
  std::int64_t replicas = 1;
  /// Devices that share the work of each copy.
  std::int64_t partitions = 1;
  /// The ids of the devices: those of the partitions of replica 0, then of replica 1, and so on.
  /// Empty, for one replica and one partition: the executable is portable, it runs on the device
  /// that each run names.
  std::vector<std::int64_t> devices = {};
  /// Work is divided by XLA, as the sharding annotations of the program say; else each partition
  /// runs the program as it is written.
  bool spmd_partitioning = false;
  /// By Shardy (annotations of the dialect sdy).
  bool shardy = false;
  /// Flags of XLA's compiler for this program, e.g. {"xla_cpu_enable_fast_math", false}.
  std::vector<Named> flags = {};
};

/// The bytes of an xla.CompileOptionsProto that says so.
///
/// Throws:  UsageError where the devices are not as many as replicas times partitions; where a flag
///          is a list.
/// Source:  OpenXLA, xla/pjrt/proto/compile_options.proto; Protocol Buffers, "Encoding".
[[nodiscard]] std::string encoded(const CompileOptions& options);

/// The bytes that add flags behind those of `encoded`.
///
/// Throws:  UsageError where a flag is a list.
[[nodiscard]] std::string encoded_flags(std::span<const Named> flags);

}  // namespace ddx::backend::pjrt
