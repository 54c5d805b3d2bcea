#include "backend/pjrt/planned_program.h"

#include "ddx/backend/span_recording.h"
#include "ddx/core/error.h"
#include "ddx/ir/cost.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/replacements.h"
#include "ddx/ir/scalars.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "backend/lazy/spans.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/executable.h"
#include "backend/pjrt/filter_state.h"
#include "backend/pjrt/memory_report.h"
#include "backend/pjrt/platform.h"
#include "backend/pjrt/uploads.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::pjrt {
PlannedProgram::PlannedProgram(const ir::Graph& recorded, bool donates_filter_state)
    : PreparedGraph(recorded) {
  const lazy::ScopedSpan compilation(SpanKind::Compile, recorded.node_count());
  ir::Graph graph = ir::optimised(recorded);
  std::vector<ir::ValueId> made;
  for (const ir::ValueId result : graph.results()) {
    if (graph.producer(result)) {
      const auto known = std::ranges::find(made, result);
      sources_.push_back({false, static_cast<std::size_t>(known - made.begin())});
      if (known == made.end()) {
        made.push_back(result);
      }
    } else {
      const auto parameters = graph.parameters();
      const auto place = std::ranges::find(parameters, result) - parameters.begin();
      sources_.push_back({true, static_cast<std::size_t>(place)});
    }
  }
  graph.set_results(std::move(made));
  std::vector<std::size_t> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), std::size_t{0});
  cost_ = {.kernels = 1,
           .operations = nodes.size(),
           .work = ir::cost_of(graph, nodes, ir::use_counts(graph))};
  replacements_ = ir::replacements(graph);
  filter_state_.resize(replacements_.size());
  if (!donates_filter_state) {
    filter_state_ = pjrt::filter_state(graph, replacements_);
    for (std::size_t i = 0; i < replacements_.size(); ++i) {
      if (filter_state_[i]) {
        replacements_[i].reset();
      }
    }
  }
  graph_ = std::make_shared<const ir::Graph>(std::move(graph));
}

std::vector<bool> PlannedProgram::donations(std::vector<bool> given) const {
  for (std::size_t i = 0; i < given.size(); ++i) {
    given[i] = given[i] && replacements_[i];
  }
  const std::scoped_lock lock(mutex_);
  const auto known = std::ranges::find(variants_, given, &Variant::donated);
  if (known == variants_.end()) {
    if (variants_.size() < most_sets) {
      variants_.push_back({given, nullptr});
    } else {
      given.assign(given.size(), false);
      if (std::ranges::find(variants_, given, &Variant::donated) == variants_.end()) {
        variants_.push_back({given, nullptr});
      }
    }
  }
  return given;
}

std::vector<stablehlo::ParameterMemory> PlannedProgram::memory(
    const std::vector<bool>& donated) const {
  std::vector<stablehlo::ParameterMemory> memory(donated.size());
  for (std::size_t i = 0; i < donated.size(); ++i) {
    if (donated[i]) {
      memory[i] = {.donation = stablehlo::Donation::Result, .aliased = replacements_[i].value()};
    }
  }
  return memory;
}

std::shared_ptr<const PlannedProgram::Compiled> PlannedProgram::compiled(
    Platform& platform, const std::vector<bool>& donated,
    std::span<const ir::ScalarValue> values) const {
  const std::scoped_lock lock(mutex_);  // Others wait for the one that compiles.
  if (is_refused_) {
    return nullptr;
  }
  if (equal_.update(values)) {
    for (Variant& variant : variants_) {
      variant.compiled = nullptr;
    }
  }
  Variant& variant = *std::ranges::find(variants_, donated, &Variant::donated);
  if (variant.compiled == nullptr) {
    const lazy::ScopedSpan compilation(SpanKind::Compile, graph_->node_count());
    try {
      stablehlo::Emitted emitted = stablehlo::emit(
          *graph_, {.memory = memory(donated), .equal_scalars = equal_.first_equal()});
      const std::string text = stablehlo::to_text(emitted.module);
      Executable executable = platform.executable({.text = text});
      auto report = std::make_shared<const MemoryReport>(graph_, executable);
      variant.compiled = std::make_shared<const Compiled>(
          Compiled{std::move(executable), std::move(emitted.scalars), std::move(report)});
    } catch (const EnvironmentError& error) {
      if (!is_not_implemented(error)) {
        throw;
      }
      is_refused_ = true;
    }
  }
  return variant.compiled;
}

}  // namespace ddx::backend::pjrt
