#include "gpu_program.h"

#include "ddx/backend/pjrt.h"
#include "ddx/backend/pjrt_target.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/mesh.h"

#include "comparison.h"
#include "process.h"
#include "temporary_file.h"
#include "workload.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ddx::bench {
namespace {

constexpr const char* compiling = "compile a step";

/// The programs that have gone to XLA for CPUs since `take` was called last.
class Programs {
 public:
  /// Of all steps of this process, with as many virtual devices.
  static Programs& instance(int devices) {
    static Programs programs(devices);
    return programs;
  }
  std::vector<backend::PjrtProgram> take() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(programs_, {});
  }

 private:
  explicit Programs(int devices) {
    backend::set_pjrt_options("cpu", {.cpu_device_count = devices,
                                      .donate_filter_state = false,  // As on GPUs.
                                      .on_program = [this](const backend::PjrtProgram& program) {
                                        const std::scoped_lock lock(mutex_);
                                        programs_.push_back(program);
                                      }});
  }

  std::mutex mutex_;
  std::vector<backend::PjrtProgram> programs_;
};

std::string text_of(const std::filesystem::path& file) {
  const std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::filesystem::path file_of_target(const std::string& target) {
  return std::filesystem::path(DDX_BENCH_TARGETS) / (target + ".txtpb");
}

std::string description_of(const std::string& target) {
  const std::string text = text_of(file_of_target(target));
  if (text.empty()) {
    throw UsageError(compiling, fmt::format("no target is named '{}'; there are {}", target,
                                            fmt::join(target_names(), ", ")));
  }
  return text;
}

/// The kind that a line of a *.thunk_sequence.txt names ("012: kCopy  [...] ..."); empty where it
/// names none.
std::string kind_of(const std::string& line) {
  const std::size_t colon = line.find(": k");
  if (colon == std::string::npos || line.find_first_not_of(" 0123456789") != colon) {
    return "";
  }
  const std::size_t begin = colon + 3;
  return line.substr(begin, line.find_first_of(" \t", begin) - begin);
}

/// What a program launches, in order.
struct Sequence {
  Launches launches;
  int beside_collectives = 0;  // As of GpuStep.
};

Sequence sequence_of(const std::filesystem::path& file) {
  Sequence sequence;
  int exchanges = 0;
  std::istringstream text(text_of(file));
  for (std::string line; std::getline(text, line);) {
    const std::string kind = kind_of(line);
    if (kind.empty()) {
      continue;
    }
    ++sequence.launches[kind];
    if (kind == "AsyncStart") {
      ++exchanges;
    } else if (kind == "AsyncDone") {
      --exchanges;
    } else if (exchanges > 0 && kind != "Copy" && line.front() != ' ') {
      ++sequence.beside_collectives;  // What an exchange consists of is indented.
    }
  }
  return sequence;
}

/// The sequence of the program with the most launches of a folder: JAX also compiles small ones.
Sequence sequence_in(const std::filesystem::path& folder) {
  Sequence most;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().string().ends_with(".thunk_sequence.txt")) {
      continue;
    }
    Sequence sequence = sequence_of(entry.path());
    if (count(sequence.launches) > count(most.launches)) {
      most = std::move(sequence);
    }
  }
  if (most.launches.empty()) {
    throw InternalError(compiling, "XLA has written no *.thunk_sequence.txt");
  }
  return most;
}

}  // namespace

int count(const Launches& launches) {
  int all = 0;
  for (const auto& [kind, number] : launches) {
    all += number;
  }
  return all;
}

int count(const Launches& launches, const std::string& kind) {
  const auto found = launches.find(kind);
  return found == launches.end() ? 0 : found->second;
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(DDX_BENCH_TARGETS)) {
    names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

GpuStep compile_step(const GpuConfiguration& configuration) {
  const auto& [name, dtype, target, cards, kept, compiler_flags] = configuration;
  const backend::PjrtTarget gpu{.description = description_of(target), .device_count = cards};
  Programs& recorded = Programs::instance(cards);
  const Device device = Device::pjrt("cpu");
  WorkloadOptions options{.device = device, .bf16 = dtype == "bf16"};
  if (cards > 1) {
    options.mesh.emplace(Mesh({{"data", cards}}, device));
  }
  const Workload training = workload(name, options);
  // The first step also computes the parameters, which the second one gets from it.
  (void)training.step();
  (void)recorded.take();
  (void)training.step();
  const std::vector<backend::PjrtProgram> programs = recorded.take();
  const backend::PjrtStatistics before = backend::pjrt_statistics("cpu");
  (void)training.step();
  const backend::PjrtStatistics after = backend::pjrt_statistics("cpu");
  if (programs.empty() || !recorded.take().empty()) {
    throw InternalError("bench " + name, programs.empty()
                                             ? "the second step runs programs of the first"
                                             : "the third step compiles a program");
  }
  GpuStep step{.configuration = configuration,
               .launches = {},
               .sent = after.sent - before.sent,
               .sent_bytes = after.sent_bytes - before.sent_bytes,
               .read = after.read - before.read,
               .memory = {},
               .jax = {}};
  for (const backend::PjrtProgram& program : programs) {
    const TemporaryFile temporary("dump");
    const std::filesystem::path dump =
        kept.empty()
            ? temporary.path
            : kept / fmt::format("{}-{}-{}x{}-{}", name, dtype, cards, target, step.programs);
    ++step.programs;
    std::filesystem::remove_all(dump);  // XLA would write beside what an earlier run has left.
    std::vector<backend::PjrtOption> flags = compiler_flags;
    flags.push_back({"xla_dump_to", dump.string()});
    flags.push_back({"xla_dump_hlo_as_text", true});
    flags.push_back({"xla_gpu_autotune_level", std::int64_t{0}});
    const auto memory = backend::compile_for(gpu, program, flags);
    if (memory.peak >= step.memory.peak) {
      step.memory = memory;
    }
    const Sequence sequence = sequence_in(dump);
    for (const auto& [kind, number] : sequence.launches) {
      step.launches[kind] += number;
    }
    step.beside_collectives += sequence.beside_collectives;
  }
  return step;
}

std::optional<Launches> compile_step_of_jax(const GpuConfiguration& configuration,
                                            const std::string& python) {
  const auto& [workload, dtype, target, cards, kept, compiler_flags] = configuration;
  constexpr int cannot = 77;
  if (python.empty()) {
    return std::nullopt;
  }
  const TemporaryFile content(workload + ".safetensors");
  write_content(workload, content.path);
  const TemporaryFile dump("jax_dump");
  const auto [status, output] =
      run({python, std::string(DDX_BENCH_BASELINES) + "/compile_jax_step.py", "--workload",
           workload, "--dtype", dtype, "--content", content.path.string(), "--target",
           file_of_target(target).string(), "--cards", std::to_string(cards), "--dump",
           dump.path.string()},
          0, false);
  if (status == cannot) {
    return std::nullopt;
  }
  if (status != 0) {
    throw InternalError("bench " + workload,
                        fmt::format("compile_jax_step.py ended with {}", status));
  }
  return sequence_in(dump.path).launches;
}

}  // namespace ddx::bench
