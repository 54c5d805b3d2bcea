#include "gpu_report.h"

#include "ddx/backend/pjrt.h"

#include "gpu_bounds.h"
#include "gpu_program.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ddx::bench {
namespace {

double megabytes(std::int64_t bytes) {
  return 1e-6 * static_cast<double>(bytes);
}

std::string kinds_of(const Launches& launches) {
  std::string text;
  for (const auto& [kind, number] : launches) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, kind);
  }
  return text;
}

void print_step(const GpuStep& step) {
  const auto& [name, dtype, target, cards, dump, flags] = step.configuration;
  fmt::print("{}, {}, a step on {}{}:\n", name, dtype, cards == 1 ? "" : fmt::format("{} ", cards),
             target);
  fmt::print("  launches   {} in {} program{}: {}\n", count(step.launches), step.programs,
             step.programs == 1 ? "" : "s", kinds_of(step.launches));
  if (cards > 1) {
    fmt::print("  overlap    {} kernels beside collectives\n", step.beside_collectives);
  }
  fmt::print("  transfers  {} sent with {} bytes, {} read\n", step.sent, step.sent_bytes,
             step.read);
  fmt::print(
      "  memory     {:.1f} MB at most; arguments {:.1f}, results {:.1f}, aliased {:.1f}, "
      "temporary {:.1f}\n",
      megabytes(step.memory.peak), megabytes(step.memory.arguments), megabytes(step.memory.results),
      megabytes(step.memory.aliased), megabytes(step.memory.temporary));
  const std::optional<JaxStep> recorded = recorded_step_of_jax(step);
  if (step.jax) {
    fmt::print("  JAX        {}: {}\n", count(*step.jax), kinds_of(*step.jax));
  } else if (recorded) {
    fmt::print("  JAX        {}, {} of them copies (0.12.0, recorded)\n", recorded->launches,
               recorded->copies);
  }
}

}  // namespace

bool can_compile_for_gpu(const std::filesystem::path& folder) {
  if (!folder.empty()) {
    backend::add_pjrt_folder(folder);
  }
  const std::vector<backend::PjrtPlugin> plugins = backend::pjrt_plugins();
  return std::ranges::find(plugins, "cuda", &backend::PjrtPlugin::name) != plugins.end();
}

GpuReport report_gpu_step(const GpuConfiguration& configuration, const std::string& python) {
  GpuStep step = compile_step(configuration);
  step.jax = compile_step_of_jax(configuration, python);
  print_step(step);
  const std::optional<std::vector<std::string>> over = excesses(step);
  if (!over) {
    fmt::print("  bounds     none are recorded\n");
  }
  for (const std::string& line : over.value_or(std::vector<std::string>())) {
    fmt::print("  too many   {}\n", line);
  }
  std::fflush(stdout);
  GpuReport report{.row = {{"name", configuration.name},
                           {"dtype", configuration.dtype},
                           {"target", configuration.target},
                           {"cards", configuration.cards},
                           {"programs", step.programs},
                           {"launches", count(step.launches)},
                           {"copies", count(step.launches, "Copy")},
                           {"beside_collectives", step.beside_collectives},
                           {"sent", step.sent},
                           {"sent_bytes", step.sent_bytes},
                           {"read", step.read},
                           {"argument_bytes", step.memory.arguments},
                           {"aliased_bytes", step.memory.aliased},
                           {"temporary_bytes", step.memory.temporary},
                           {"peak_bytes", step.memory.peak}},
                   .is_within = over && over->empty()};
  if (step.jax) {
    report.row["jax_launches"] = count(*step.jax);
    report.row["jax_copies"] = count(*step.jax, "Copy");
  } else if (const auto recorded = recorded_step_of_jax(step)) {
    report.row["jax_launches"] = recorded->launches;
    report.row["jax_copies"] = recorded->copies;
  }
  return report;
}

}  // namespace ddx::bench
