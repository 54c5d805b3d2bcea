/// \file
/// XLA through PJRT: where its plugins lie, how their devices are opened, what they have done.

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend {

/// A library that can run graphs on devices of some kind, as it was found.
struct PjrtPlugin {
  std::string name;            ///< Short: "cpu", "cuda", "tpu", or what its file's name says.
  std::filesystem::path file;  ///< What `load` would open.
};

/// Makes plugins be looked for in a folder too: one with the libraries themselves, or a Python
/// environment's site-packages, where packages of PyPI have them. Folders that were added first are
/// looked at first; after all of them lib/ddx/pjrt beside the running program and, where the
/// program lies in PREFIX/bin or a folder in it, PREFIX/lib/ddx/pjrt. Nothing else is searched, and
/// nothing is loaded before a device is used.
///
/// A plugin runs with the rights of the program. So a file is taken only where it and all folders
/// above it belong to root or the effective user, and neither a group nor others may write to them
/// (a folder with the sticky bit may be above). Others are skipped, and the error of a device that
/// cannot be opened says why. `add_pjrt_plugin` takes any file.
void add_pjrt_folder(std::filesystem::path folder);

/// Makes `name` denote the plugin in a file, wherever else there is one of that name.
///
/// Throws:  UsageError where a plugin of that name is open.
void add_pjrt_plugin(std::string name, std::filesystem::path file);

/// The plugins that are found now; the first of a name is the one that it denotes.
[[nodiscard]] std::vector<PjrtPlugin> pjrt_plugins();

/// An option by the name that a plugin documents, where PjrtOptions has none for it.
struct PjrtOption {
  std::string name;
  std::variant<std::string, std::int64_t, std::vector<std::int64_t>, float, bool> value;
};

/// A program, as a plugin's compiler receives it.
struct PjrtProgram {
  std::string text;     ///< StableHLO in MLIR's generic or pretty form.
  std::string options;  ///< The bytes of an xla.CompileOptionsProto.
};

/// How the devices of a plugin are opened. What is not said is the plugin's choice.
struct PjrtOptions {
  /// For the "cpu" plugin: how many devices share the processors; 1 where nothing is said. XLA
  /// computes with as many threads at least, also where there are fewer processors.
  std::optional<std::int64_t> cpu_device_count = {};
  /// Accelerators: whether `memory_fraction` of their memory is reserved when the plugin is opened.
  /// Default for "cuda" and "rocm": false. Memory is then allocated on demand and kept until the
  /// process ends, so processes can share a GPU while the sum of what they need fits. True reserves
  /// the memory for this process and avoids fragmentation.
  std::optional<bool> preallocate = {};
  /// Accelerators: the largest fraction of their memory that is used, e.g. 0.5F. Default for "cuda"
  /// and "rocm": 0.75.
  std::optional<float> memory_fraction = {};
  /// Accelerators: which of them to open; empty: all.
  std::vector<std::int64_t> visible_devices = {};
  std::vector<PjrtOption> others = {};
  /// Flags of XLA's compiler for all programs, by the names of its xla.proto, as texts, integers,
  /// numbers or bools. An unknown one is an error of the first program.
  ///
  /// Example: on several GPUs XLA sums all gradients at once, after the last one, as long as they
  /// are below a size. A smaller size lets these sums run beside the rest of the backward pass:
  ///   {"xla_gpu_all_reduce_combine_threshold_bytes", std::int64_t{2} << 20}
  std::vector<PjrtOption> compiler_flags = {};
  /// Whether a step may overwrite what an optimiser keeps about the filters of convolutions, such
  /// as momentum. Default for "cuda" and "rocm": false, because XLA for GPUs would copy it instead,
  /// a launch for each filter. A step then needs memory for old and new values, 256 MiB more at
  /// most. Default for others: true.
  std::optional<bool> donate_filter_state = {};
  /// Where compiled graphs are kept for the next process, so that it starts warm. Empty: nowhere.
  /// The folder is made where it is absent, and must be this user's alone. Any number of processes
  /// may share it; a file that is damaged is as good as absent.
  std::filesystem::path folder = {};
  /// What was not used for longest is removed from the folder beyond this.
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
  /// Tries the plugin in a child process before it is loaded, so that a library that crashes is an
  /// error. It costs what loading costs.
  bool try_in_child_first = true;
  /// How long the child may take.
  std::chrono::milliseconds time_limit{60'000};
  /// Whether the plugin writes its log to standard error. Errors are exceptions with the plugin's
  /// message in any case. The environment variable TF_CPP_MIN_LOG_LEVEL of XLA's plugins, if set,
  /// takes precedence: 0 (everything) to 3 (only what ends the process). Read when the plugin is
  /// loaded for the first time.
  bool log = false;
  /// Called with each program before it is compiled or loaded from `folder`, by the thread that
  /// does so (several threads may at once). An exception reaches the caller that needs the program.
  std::function<void(const PjrtProgram&)> on_program = {};
};

/// Chooses how the devices of a plugin are opened.
///
/// Throws:  UsageError where they are open.
void set_pjrt_options(std::string_view name, PjrtOptions options);

/// A device of a plugin.
struct PjrtDevice {
  std::size_t ordinal = 0;
  std::string kind;  ///< E.g. "cpu", "NVIDIA H100 80GB HBM3".
  std::string text;  ///< As the plugin's messages call it.
};

/// What a plugin is, once it is open.
struct PjrtPlatform {
  std::filesystem::path file;
  std::string name;                     ///< As the plugin calls it, e.g. "cpu", "cuda".
  std::string version;                  ///< Of the platform, e.g. of CUDA.
  int api_minor = 0;                    ///< Of PJRT 0.x.
  std::vector<std::int64_t> stablehlo;  ///< The newest version that it reads, e.g. {1, 20, 0}.
  std::vector<PjrtDevice> devices;
};

/// Opens a plugin, where it is not open, and returns what it is.
///
/// Throws:  EnvironmentError where none of that name is found, where it cannot be loaded, is of a
///          version that is not supported, or has no devices here; with what the plugin says.
[[nodiscard]] PjrtPlatform pjrt_platform(std::string_view name);

/// What a device reports of its memory; plugins know more or less of it.
struct PjrtMemory {
  std::int64_t bytes_in_use = 0;
  std::optional<std::int64_t> peak_bytes_in_use;
  std::optional<std::int64_t> bytes_limit;
  std::optional<std::int64_t> largest_free_block;
  std::optional<std::int64_t> allocations;
};

/// The memory of a device now; none where its plugin does not say.
///
/// Throws:  as pjrt_platform; UsageError where there is no such device.
[[nodiscard]] std::optional<PjrtMemory> pjrt_memory(std::string_view name, std::size_t ordinal);

/// What a plugin has been asked for since it was opened.
struct PjrtStatistics {
  std::uint64_t compiled = 0;               ///< Programs, by the plugin.
  std::uint64_t loaded = 0;                 ///< Programs, from the folder.
  std::uint64_t stored = 0;                 ///< Programs that went to the folder.
  std::chrono::nanoseconds compile_time{};  ///< Of `compiled` and `loaded`, added up.
  /// Arrays that the host sent to devices, on a mesh one for each device. A device that shares the
  /// host's memory, as the "cpu" plugin's, may read them where they are; they count all the same.
  std::uint64_t sent = 0;
  std::uint64_t sent_bytes = 0;  ///< The size of those arrays, added up.
  /// Arrays that the host read from devices, in place where they share its memory: observed
  /// results, and the outcome of checks.
  std::uint64_t read = 0;
};

/// The counts of a plugin at this moment; zeros where it is not open.
[[nodiscard]] PjrtStatistics pjrt_statistics(std::string_view name);

/// The memory of each device that a run of a program takes, in bytes, as the compiler has planned
/// it. Arrays of other programs on the device come on top.
struct PjrtProgramMemory {
  std::int64_t arguments = 0;  ///< What goes in: of a step of training the model and its batch.
  std::int64_t results = 0;
  std::int64_t aliased = 0;    ///< Results that take the memory of arguments, as updated weights.
  std::int64_t temporary = 0;  ///< Intermediate results, at once.
  std::int64_t code = 0;
  std::int64_t peak = 0;  ///< All that there must be at once.
};

/// The memory of each program that a plugin has compiled or loaded, in that order; empty if it is
/// not open, zeros if it does not report memory. The first steps of a training may be programs of
/// their own, so its steady step is the last one.
///
/// Example:
///   std::int64_t step_bytes = pjrt_program_memory("cuda").back().peak;
[[nodiscard]] std::vector<PjrtProgramMemory> pjrt_program_memory(std::string_view name);

}  // namespace ddx::backend
