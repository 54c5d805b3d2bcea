#include "backend/pjrt/mesh_program.h"

#include "ddx/backend/span_recording.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "backend/lazy/spans.h"
#include "backend/pjrt/compile_options.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/mesh_array.h"
#include "backend/pjrt/mesh_uploads.h"
#include "backend/pjrt/platform.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
namespace {

using Shardings = std::vector<std::optional<stablehlo::Sharding>>;

Shardings all_said(const std::vector<stablehlo::Sharding>& shardings) {
  return {shardings.begin(), shardings.end()};
}

}  // namespace

MeshProgram::Variant MeshProgram::variant(std::vector<stablehlo::Sharding> parameters,
                                          std::vector<bool> donatable) const {
  Variant variant{
      .donated = std::move(donatable), .parameters = std::move(parameters), .results = {}};
  variant.results = results_.of(variant.parameters);
  for (std::size_t i = 0; i < variant.donated.size(); ++i) {
    const std::optional<std::size_t> replacement = planned_.replacements()[i];
    variant.donated[i] =
        variant.donated[i] && replacement && variant.results[*replacement] == variant.parameters[i];
  }
  return variant;
}

std::shared_ptr<const MeshProgram::Compiled> MeshProgram::compiled(
    Platform& platform, const MeshLayout& layout, const Variant& variant,
    std::span<const ir::ScalarValue> values) const {
  const std::scoped_lock lock(mutex_);  // Others wait for the one that compiles.
  if (is_refused_) {
    return nullptr;
  }
  if (equal_.update(values)) {
    entries_.clear();
  }
  const auto known = std::ranges::find(entries_, variant, &Entry::variant);
  if (known != entries_.end()) {
    return known->compiled;
  }
  const ir::Graph& graph = *planned_.graph();
  const lazy::ScopedSpan compilation(SpanKind::Compile, graph.node_count());
  const auto partitions = static_cast<std::int64_t>(layout.ids.size());
  try {
    stablehlo::Emitted emitted =
        stablehlo::emit(graph, {.memory = planned_.memory(variant.donated),
                                .partitions = partitions,
                                .mesh = layout.axes,
                                .parameter_shardings = all_said(variant.parameters),
                                .result_shardings = all_said(variant.results),
                                .equal_scalars = equal_.first_equal()});
    const std::string text = stablehlo::to_text(emitted.module);
    Executable executable = platform.executable({.text = text}, {.partitions = partitions,
                                                                 .devices = layout.ids,
                                                                 .spmd_partitioning = true,
                                                                 .shardy = true});
    auto report = std::make_shared<const MemoryReport>(planned_.graph(), executable);
    auto compiled = std::make_shared<const Compiled>(
        Compiled{std::move(executable), std::move(emitted.scalars), std::move(report)});
    if (entries_.size() >= most_variants) {
      entries_.erase(entries_.begin());
    }
    entries_.push_back({variant, std::move(compiled)});
  } catch (const EnvironmentError& error) {
    if (!is_not_implemented(error)) {
      throw;
    }
    is_refused_ = true;
    return nullptr;
  }
  return entries_.back().compiled;
}

}  // namespace ddx::backend::pjrt
