#include "backend/lazy/normalization_epilogue.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/alignment.h"
#include "backend/cpu/normalization.h"
#include "backend/cpu/pool.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/materialised_values.h"
#include "backend/lazy/tiled_array.h"
#include "backend/non_finite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace {

using ir::Graph;

// Elements of a run: with what else the loop reads, they are a part of the first cache.
constexpr std::int64_t wanted_run = 512;

// Longer runs would leave the second cache.
constexpr std::int64_t longest_run = 65536;

// Fewer elements are faster one operation after the other.
constexpr std::int64_t least_normalized = 16384;

// A part has at least so many operations on elements: some 10 us.
constexpr std::int64_t normalized_grain = 131072;

/// How many operations on an element a normalisation is.
constexpr std::int64_t work_of_normalization = 3;

}  // namespace

std::optional<NormalizationEpilogue> NormalizationEpilogue::of(const Graph& graph,
                                                               std::size_t normalization,
                                                               std::span<const std::size_t> nodes,
                                                               const std::vector<bool>& outputs) {
  const std::int64_t count = graph.type(graph.node(normalization).result(0)).shape.count();
  if (nodes.empty() || count < least_normalized || !cpu_jit::is_on()) {
    return std::nullopt;
  }
  std::optional<FusedLoop> loop = FusedLoop::in_chain(graph, nodes, outputs);
  if (!loop) {
    return std::nullopt;
  }
  NormalizationEpilogue made(graph, normalization, std::move(*loop));
  return made.run_ <= longest_run ? std::optional(std::move(made)) : std::nullopt;
}

NormalizationEpilogue::NormalizationEpilogue(const Graph& graph, std::size_t normalization,
                                             FusedLoop loop)
    : graph_(&graph), loop_(std::move(loop)), nodes_{normalization} {
  nodes_.insert(nodes_.end(), loop_.nodes().begin(), loop_.nodes().end());
  const ir::Node node = graph.node(normalization);
  const ir::Type& type = graph.type(node.result(0));
  channels_ = type.shape[type.shape.rank() - 1];
  normalization_ = cpu::best_batch_normalization(type.dtype);
  const std::int64_t step = std::lcm(normalization_.step(channels_), loop_.code_step());
  run_ = step * std::max<std::int64_t>(wanted_run / step, 1);
  const std::vector<ir::ValueId>& arrays = loop_.arrays();
  elements_ = static_cast<std::size_t>(std::ranges::find(arrays, node.result(0)) - arrays.begin());
  is_tiled_.resize(arrays.size());
  is_tiled_[elements_] = !materialised_values(graph, {&nodes_, 1})[Graph::index(node.result(0))];
}

void NormalizationEpilogue::run_apart(GraphRun& values) const {
  values.run(graph_->node(nodes_[0]));
  loop_.run(values);
}

bool NormalizationEpilogue::prepare(GraphRun& values, std::byte* memory) const {
  const ir::Node node = graph_->node(nodes_[0]);
  std::vector<ops::View> inputs;
  for (const ir::ValueId operand : node.operands) {
    inputs.push_back(values.view(operand));
  }
  const ir::Type& type = graph_->type(node.result(0));
  std::vector<ops::View> outputs{{nullptr, type.shape, type.dtype}};
  for (std::size_t result = 1; result < node.result_count; ++result) {
    values.allocate(node.result(result));
    outputs.push_back(values.view(node.result(result)));
  }
  const ops::Attributes attributes = ir::bound_attributes(node, values.arguments().scalars);
  return normalization_.prepare(node.op.row(),
                                ops::Call(inputs, outputs, ops::struct_of(attributes)), memory);
}

void NormalizationEpilogue::run(GraphRun& values) const {
  const auto has_failed = [&](std::size_t i) { return values.has_failed_operand(graph_->node(i)); };
  const ir::Node node = graph_->node(nodes_[0]);
  const ir::Type& type = graph_->type(node.result(0));
  if (are_nans_debugged() || !loop_.has_code() || values.is_done(nodes_[0]) ||
      (values.has_errors() && std::ranges::any_of(nodes_, has_failed))) {
    run_apart(values);
    return;
  }
  const Buffer prepared(normalization_.bytes(channels_));
  if (!prepare(values, prepared.data())) {
    run_apart(values);
    return;
  }
  const FusedLoop::CodeCall call = loop_.prepare(values, is_tiled_);
  const std::int64_t count = type.shape.count();
  const std::size_t bytes = info(type.dtype).bytes;
  const std::byte* const x = values.view(node.operands[0]).data<std::byte>();
  const std::int64_t runs = (count + run_ - 1) / run_;
  const std::int64_t work =
      count * (static_cast<std::int64_t>(loop_.nodes().size()) + work_of_normalization);
  const std::int64_t parts =
      std::clamp<std::int64_t>(std::min(runs, work / normalized_grain), 1, cpu::thread_count());
  const bool is_tiled = is_tiled_[elements_];
  const std::size_t run_bytes = is_tiled ? aligned(static_cast<std::size_t>(run_) * bytes) : 0;
  const Buffer memory(static_cast<std::size_t>(parts) * run_bytes);
  std::vector<std::vector<std::byte*>> arrays(static_cast<std::size_t>(parts), call.arrays);
  cpu::for_each_chunk(parts, [&](std::int64_t part) {
    const cpu::Part own(runs, parts, part);
    std::vector<std::byte*>& given = arrays[static_cast<std::size_t>(part)];
    std::byte* const room = memory.data() + static_cast<std::size_t>(part) * run_bytes;
    for (std::int64_t i = own.begin; i < own.end; ++i) {
      const std::int64_t begin = i * run_;
      const std::int64_t end = std::min(begin + run_, count);
      const std::size_t offset = static_cast<std::size_t>(begin) * bytes;
      if (is_tiled) {
        given[elements_] = beginning_of_array(room, begin, bytes);
      }
      normalization_.run(channels_, prepared.data(), x + offset, end - begin,
                         is_tiled ? room : given[elements_] + offset);
      call(given.data(), begin, end);
    }
  });
  loop_.release(values, is_tiled_);
  values.release_after(node);
}

}  // namespace ddx::backend::lazy
