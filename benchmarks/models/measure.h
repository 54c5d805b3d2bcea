/// \file
/// Verification and timing of training steps in this process.

#pragma once

#include <string>
#include <vector>

namespace ddx::bench {

/// Takes the first steps of the small form of a workload.
///
/// Throws: InternalError if their losses on one of these devices differ from those of the naive
///         device, or do not fall.
void verify(const std::string& workload, const std::vector<std::string>& devices);

/// The measurements, as one row of the table.
struct Measurement {
  std::string name;
  std::string framework;
  std::string mode;
  std::string device;
  std::string dtype;
  int threads = 0;
  double median_ms = 0;
  double min_ms = 0;
  double compile_s = 0;        ///< The whole first step, including set-up of eager frameworks.
  double peak_rss_mb = 0;      ///< Above the memory before the model, after all imports.
  std::vector<double> losses;  ///< Of the first steps.
  double flops = 0;            ///< Of a step on the lazy device, all that it launches; else 0.
  double fma_gflops = 0;       ///< backend::Roofline in the same process; 0 where `flops` is.
  double plan_ms = 0;      ///< Compiling graphs, on the lazy device; otherwise 0, as what follows.
  double loop_ms = 0;      ///< Compiling and loading loops during the first steps.
  int loops = 0;           ///< Compiled.
  int loaded_loops = 0;    ///< From the folder.
  double operations = 0;   ///< Workload::operations; 0 of peers.
  double record_ms = 0;    ///< Of a step by PJRT, median: the program runs, and is recorded.
  double dispatch_ms = 0;  ///< Then what was recorded is looked up and started.
  std::string device_kind = {};  ///< PjrtDevice::kind; empty on other devices and of peers.
};

/// What to measure.
struct Configuration {
  std::string name;
  std::string device = "cpu";  ///< As accepted by device_named.
  std::string dtype = "f32";   ///< "f32" or "bf16".
  int threads = 1;
  double seconds = 0;
  std::string loop_folder;  ///< Cache of compiled loops; empty: none.
};

/// Times single steps: after three that warm up, at least five and for `seconds`.
[[nodiscard]] Measurement measure(const Configuration& configuration);

/// The kernels of ten steps on the lazy device, in this process: a table.
[[nodiscard]] std::string profile(const std::string& workload, bool bf16);

/// Operations per second of the fastest of some products of two matrices of 2048 by 2048, in units
/// of 1e9.
[[nodiscard]] double roof(const std::string& dtype);

}  // namespace ddx::bench
