/// \file
/// A training step as XLA compiles it for a GPU that need not be in this machine.

#pragma once

#include "ddx/backend/pjrt_target.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ddx::bench {

/// What a program launches, by kind, e.g. "CustomKernel", "Convolution", "Copy".
using Launches = std::map<std::string, int>;

/// All of them.
[[nodiscard]] int count(const Launches& launches);

/// Those of a kind; 0 where there is none.
[[nodiscard]] int count(const Launches& launches, const std::string& kind);

/// What to compile.
struct GpuConfiguration {
  std::string name;           ///< Of the workload.
  std::string dtype = "f32";  ///< "f32" or "bf16".
  std::string target;         ///< The name of a description of a GPU, such as "h100".
  int cards = 1;              ///< Which share the batch.
  /// Where what XLA writes is kept, in a folder for each program, which replaces that of an earlier
  /// run; empty: nowhere.
  std::filesystem::path dump = {};
  std::vector<backend::PjrtOption> flags = {};  ///< Of XLA's compiler.
};

/// A steady step: one after those in which programs are compiled.
struct GpuStep {
  GpuConfiguration configuration;
  int programs = 0;                   ///< Of the step.
  Launches launches;                  ///< Of all of them.
  int beside_collectives = 0;         ///< Of the kernels, while devices exchange data.
  std::uint64_t sent = 0;             ///< Arrays that go to the device.
  std::uint64_t sent_bytes = 0;       ///< Of these.
  std::uint64_t read = 0;             ///< Arrays that the host reads.
  backend::PjrtProgramMemory memory;  ///< Of the program that takes most.
  std::optional<Launches> jax;        ///< Of JAX's step, if it was compiled.
};

/// Takes three steps of a workload on XLA for CPUs (with as many virtual devices as cards) and
/// compiles the programs of the steady step for the GPU that `targets`/TARGET.txtpb describes. The
/// programs are the same for all devices. Kernels are counted, not timed, so XLA does not choose
/// among them by timing.
///
/// Throws:  UsageError if there is no such target; EnvironmentError if a plugin is missing or
///          fails; InternalError if the third step still compiles programs.
[[nodiscard]] GpuStep compile_step(const GpuConfiguration& configuration);

/// The same step in JAX, by ../baselines; none if `python` has no JAX or no XLA for CUDA.
[[nodiscard]] std::optional<Launches> compile_step_of_jax(const GpuConfiguration& configuration,
                                                          const std::string& python);

/// The targets known to `compile_step`, such as "h100".
[[nodiscard]] std::vector<std::string> target_names();

}  // namespace ddx::bench
