#include "backend/lazy/row_chain.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/alignment.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/reduction.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/cluster_nodes.h"
#include "backend/lazy/column_sums.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/loop_reductions.h"
#include "backend/lazy/values_in_memory.h"
#include "backend/non_finite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

using ir::Graph;

// Elements of a row, or of several that go through the chain together: some arrays of them fit into
// the first cache, and a call of a loop is little beside them. Measured on a Zen 4, normalisations
// of rows of 200 to 4096 elements: pieces of 1024 take up to 20 % longer, of 4096 up to 30 %.
constexpr std::int64_t piece = 2048;

constexpr std::size_t cache_line = 64;

// Longer rows leave the second cache, and the kernels of reductions go through them in chunks.
constexpr std::int64_t longest_row = cpu::reduction_grain;

// Of fewer elements, preparing a run takes as long as some kernels.
constexpr std::int64_t least_elements = 2048;

// Where rows fill pieces, fewer of them would leave threads without work.
constexpr std::int64_t fewest_long_rows = 16;

// A part of a chain has at least so many operations on elements: some 10 us.
constexpr std::int64_t grain = 131072;

/// How often some nodes read each value.
std::unordered_map<std::size_t, std::size_t> reads_of(const Graph& graph,
                                                      const std::vector<std::size_t>& nodes) {
  std::unordered_map<std::size_t, std::size_t> reads;
  for (const std::size_t i : nodes) {
    for (const ir::ValueId operand : graph.node(i).operands) {
      ++reads[Graph::index(operand)];
    }
  }
  return reads;
}

}  // namespace

/// What the rows of one run have in common.
struct RowChain::Pass {
  std::vector<std::optional<FusedLoop::CodeCall>> calls{};  // Of each stage.
  std::vector<ops::Kernel> kernels{};                       // Of the reductions of all stages,
  std::vector<std::optional<ColumnSums>> column_sums{};     // as are these.
  std::vector<std::byte*> arrays{};                         // Null where they are in pieces.
  std::int64_t piece_rows = 0;
  std::int64_t chunks = 0;           // Each part has some of them, one after the other.
  std::vector<std::size_t> slots{};  // Where each begins in the memory of a part,
  std::size_t part_bytes = 0;        // which has so much of it.
  Buffer memory{};
  cpu::Sums sums = cpu::best_sums();
  // Of each part, the operands of the loops of all stages.
  std::vector<std::vector<std::byte*>> operands{};
};

std::optional<RowChain> RowChain::of(const Graph& graph, const ir::FusionPlan& plan,
                                     const ir::RowChain& chain, const std::vector<bool>& outputs) {
  const std::int64_t count = chain.loop.count();
  const std::int64_t rows = chain.column.count();
  const std::int64_t row = count / rows;
  if (!cpu_jit::is_on() || count < least_elements || row > longest_row ||
      (row > piece && rows < fewest_long_rows)) {
    return std::nullopt;
  }
  RowChain made(graph, plan, chain, outputs);
  if (!made.is_possible_) {
    return std::nullopt;
  }
  made.find_pieces();
  made.find_streams();
  made.find_overwritings();
  return made;
}

RowChain::RowChain(const Graph& graph, const ir::FusionPlan& plan, const ir::RowChain& chain,
                   const std::vector<bool>& outputs)
    : graph_(&graph), rows_(chain.column.count()), row_(chain.loop.count() / rows_) {
  for (const std::size_t c : chain.clusters) {
    add_stage(plan.clusters[c], chain, outputs);
  }
}

std::optional<RowChain::Reduction::By> RowChain::reduced_by(const ir::Node& node,
                                                            const ir::RowChain& chain) const {
  const ir::Type& type = graph_->type(node.operands[0]);
  const bool is_summed =
      is_sum(node.op.row()) && (type.dtype == DType::f32 || type.dtype == DType::f64);
  if (graph_->type(node.result()).shape == chain.column) {
    return is_summed ? Reduction::By::Sums : Reduction::By::Kernel;
  }
  const cpu::ReducedBlock block(type.shape, std::get<ops::ReductionAttributes>(node.attributes));
  const bool is_of_columns =
      block.fits && block.outer == 1 && block.reduced == rows_ && block.inner == row_;
  return ColumnSums::fit(row_) && is_summed && is_of_columns
             ? std::optional(Reduction::By::ColumnSums)
             : std::nullopt;
}

void RowChain::add_stage(const ir::Cluster& cluster, const ir::RowChain& chain,
                         const std::vector<bool>& outputs) {
  Stage stage{.loop_row = cluster.loop == chain.loop ? row_ : 1};
  const std::vector<std::size_t> elementwise = elementwise_nodes(*graph_, cluster);
  if (!elementwise.empty()) {
    stage.loop = FusedLoop::in_chain(*graph_, elementwise, outputs);
    if (!stage.loop) {
      is_possible_ = false;
      return;
    }
    for (const ir::ValueId array : stage.loop->arrays()) {
      stage.arrays.push_back(place_of(array));
    }
  }
  std::ranges::copy(elementwise, std::back_inserter(nodes_));
  if (cluster.loop == chain.loop) {
    for (const std::size_t i : reduction_nodes(*graph_, cluster)) {
      const ir::Node node = graph_->node(i);
      if (const auto by = reduced_by(node, chain)) {
        const ir::ValueId from = node.operands[0];
        has_column_sums_ = has_column_sums_ || by == Reduction::By::ColumnSums;
        stage.reductions.push_back({i, node.op.row(), graph_->type(from).dtype, *by, place_of(from),
                                    place_of(node.result())});
        nodes_.push_back(i);
      }
    }
  }
  stages_.push_back(std::move(stage));
}

std::size_t RowChain::place_of(ir::ValueId value) {
  const auto found = std::ranges::find(arrays_, value, &Array::value);
  const auto place = static_cast<std::size_t>(found - arrays_.begin());
  if (found == arrays_.end()) {
    const ir::Type& type = graph_->type(value);
    const auto elements = static_cast<std::size_t>(type.shape.count() / rows_);
    arrays_.push_back({value, elements * info(type.dtype).bytes});
  }
  return place;
}

void RowChain::find_pieces() {
  const std::vector<bool> in_memory = values_in_memory(*graph_, {&nodes_, 1});
  std::vector<std::size_t> last_stage(arrays_.size());
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (const std::size_t array : stages_[s].arrays) {
      last_stage[array] = s;
    }
    for (const Reduction& reduction : stages_[s].reductions) {
      last_stage[reduction.from] = s;
      last_stage[reduction.to] = s;
    }
  }
  // A slot is taken from the stage that makes an array to the last one that reads it.
  std::vector<std::size_t> free;
  const auto take = [&](std::size_t place) {
    Array& array = arrays_[place];
    if (array.slot || in_memory[Graph::index(array.value)]) {
      return;
    }
    const auto found = std::ranges::find_if(
        free, [&](std::size_t slot) { return slot_bytes_[slot] == array.row_bytes; });
    if (found != free.end()) {
      array.slot = *found;
      free.erase(found);
    } else {
      array.slot = slot_bytes_.size();
      slot_bytes_.push_back(array.row_bytes);
    }
  };
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (const std::size_t array : stages_[s].arrays) {
      take(array);
      stages_[s].in_pieces.push_back(arrays_[array].slot.has_value());
    }
    for (const Reduction& reduction : stages_[s].reductions) {
      take(reduction.to);
    }
    for (std::size_t array = 0; array < arrays_.size(); ++array) {
      if (arrays_[array].slot && last_stage[array] == s) {
        free.push_back(*arrays_[array].slot);
      }
    }
  }
}

void RowChain::find_streams() {
  for (std::size_t array = 0; array < arrays_.size(); ++array) {
    if (!arrays_[array].slot && graph_->type(arrays_[array].value).shape.count() == rows_ * row_) {
      const bool is_written =
          std::ranges::any_of(stages_, [&](const Stage& stage) { return makes(stage, array); });
      streams_.push_back({array, is_written});
    }
  }
}

void RowChain::find_overwritings() {
  const auto reads = reads_of(*graph_, nodes_);
  // The loop of stage s comes at moment 2 s, its reductions after it.
  std::vector<std::size_t> last_read(arrays_.size());
  std::vector<bool> is_made(arrays_.size());
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (const std::size_t array : stages_[s].arrays) {
      last_read[array] = 2 * s;
      is_made[array] = is_made[array] || makes(stages_[s], array);
    }
    for (const Reduction& reduction : stages_[s].reductions) {
      last_read[reduction.from] = 2 * s + 1;
      is_made[reduction.to] = true;
    }
  }
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    for (const std::size_t output : stages_[s].arrays) {
      if (arrays_[output].slot || !makes(stages_[s], output)) {
        continue;
      }
      const ir::ValueId result = arrays_[output].value;
      for (std::size_t array = 0; array < arrays_.size(); ++array) {
        const ir::ValueId operand = arrays_[array].value;
        const bool is_read_before =
            last_read[array] < 2 * s ||
            (last_read[array] == 2 * s && stages_[s].loop->may_overwrite(result, operand));
        if (!is_made[array] && is_read_before && graph_->type(operand) == graph_->type(result)) {
          overwritings_.push_back({result, operand, reads.at(Graph::index(operand))});
        }
      }
    }
  }
}

bool RowChain::makes(const Stage& stage, std::size_t array) const {
  const auto maker = graph_->producer(arrays_[array].value);
  return maker && stage.loop &&
         std::ranges::find(stage.loop->nodes(), *maker) != stage.loop->nodes().end();
}

std::vector<FusedLoop*> RowChain::loops() {
  std::vector<FusedLoop*> loops;
  for (Stage& stage : stages_) {
    if (stage.loop) {
      loops.push_back(&*stage.loop);
    }
  }
  return loops;
}

void RowChain::run(GraphRun& values) const {
  const auto has_failed = [&](std::size_t i) { return values.has_failed_operand(graph_->node(i)); };
  const bool is_code = std::ranges::all_of(
      stages_, [](const Stage& stage) { return !stage.loop || stage.loop->has_code(); });
  if (are_nans_debugged() || !is_code ||
      (values.has_errors() && std::ranges::any_of(nodes_, has_failed))) {
    run_apart(values);
    return;
  }
  run_in_pieces(values);
  for (const Stage& stage : stages_) {
    if (stage.loop) {
      stage.loop->release(values, stage.in_pieces);
    }
    for (const Reduction& reduction : stage.reductions) {
      values.release_after(graph_->node(reduction.node));
    }
  }
}

void RowChain::run_apart(GraphRun& values) const {
  for (const Stage& stage : stages_) {
    if (stage.loop) {
      stage.loop->run(values);
    }
    for (const Reduction& reduction : stage.reductions) {
      values.run(graph_->node(reduction.node));
    }
  }
}

std::int64_t RowChain::prepare(GraphRun& values, Pass& pass) const {
  for (const auto& [output, operand, uses] : overwritings_) {
    if (!values.is_there(output)) {
      (void)values.take_over(output, operand, uses);
    }
  }
  std::int64_t work = 0;  // On a row.
  std::vector<std::byte*> operands;
  for (const Stage& stage : stages_) {
    pass.calls.emplace_back();
    if (stage.loop) {
      const FusedLoop::CodeCall& call =
          pass.calls.back().emplace(stage.loop->prepare(values, stage.in_pieces));
      operands.insert(operands.end(), call.arrays.begin(), call.arrays.end());
      work += static_cast<std::int64_t>(stage.loop->nodes().size()) * stage.loop_row;
    }
    for (const Reduction& reduction : stage.reductions) {
      if (!arrays_[reduction.to].slot) {
        values.allocate(arrays_[reduction.to].value);
      }
      work += row_;
    }
  }
  for (const Array& array : arrays_) {
    pass.arrays.push_back(array.slot || !values.is_there(array.value)
                              ? nullptr
                              : values.view(array.value).mutable_data<std::byte>());
  }
  pass.piece_rows = std::max<std::int64_t>(piece / row_, 1);
  const std::int64_t pieces = (rows_ + pass.piece_rows - 1) / pass.piece_rows;
  pass.chunks = has_column_sums_ ? cpu::chunks_of_columns(rows_, row_) : pieces;
  const std::int64_t parts =
      std::clamp<std::int64_t>(std::min(pass.chunks, rows_ * work / grain), 1, cpu::thread_count());
  for (const std::size_t bytes : slot_bytes_) {
    pass.slots.push_back(pass.part_bytes);
    pass.part_bytes += aligned(bytes * static_cast<std::size_t>(pass.piece_rows));
  }
  pass.memory = Buffer(pass.part_bytes * static_cast<std::size_t>(parts));
  pass.operands.assign(static_cast<std::size_t>(parts), operands);
  for (const Stage& stage : stages_) {
    for (const Reduction& reduction : stage.reductions) {
      pass.kernels.push_back(values.backend().kernels().at(reduction.op, reduction.key).kernel());
      pass.column_sums.emplace_back();
      if (reduction.by == Reduction::By::ColumnSums) {
        pass.column_sums.back().emplace(rows_, row_, reduction.key, parts);
      }
    }
  }
  return parts;
}

void RowChain::run_in_pieces(GraphRun& values) const {
  Pass pass;
  const std::int64_t parts = prepare(values, pass);
  cpu::for_each_chunk(parts, [&](std::int64_t part) {
    const cpu::Part own(pass.chunks, parts, part);
    for (std::int64_t chunk = own.begin; chunk < own.end; ++chunk) {
      if (!has_column_sums_) {  // A chunk is a piece.
        const std::int64_t first = chunk * pass.piece_rows;
        run_rows(pass, part, 0, first, std::min(first + pass.piece_rows, rows_));
        continue;
      }
      const cpu::Part rows(rows_, pass.chunks, chunk);
      for (std::int64_t first = rows.begin; first < rows.end; first += pass.piece_rows) {
        run_rows(pass, part, chunk, first, std::min(first + pass.piece_rows, rows.end));
      }
      for (std::optional<ColumnSums>& sums : pass.column_sums) {
        if (sums) {
          sums->end_chunk(part, chunk);
        }
      }
    }
  });
  std::size_t number = 0;
  for (const Stage& stage : stages_) {
    for (const Reduction& reduction : stage.reductions) {
      if (const auto& sums = pass.column_sums[number++]) {
        sums->finish(reduction.op, pass.arrays[reduction.to]);
      }
    }
  }
}

void RowChain::prefetch(const Pass& pass, std::size_t stage, std::int64_t begin,
                        std::int64_t end) const noexcept {
  const auto rows = static_cast<std::size_t>(std::min(end - begin, rows_ - end));
  for (const Stream& stream : streams_) {
    // The part of the next piece that is this stage's.
    const std::byte* const next =
        pass.arrays[stream.array] + static_cast<std::size_t>(end) * arrays_[stream.array].row_bytes;
    const std::size_t size = rows * arrays_[stream.array].row_bytes;
    const std::size_t first = size * stage / stages_.size();
    const std::size_t last = size * (stage + 1) / stages_.size();
    for (std::size_t at = first; at < last; at += cache_line) {
      if (stream.is_written) {
        __builtin_prefetch(next + at, 1, 2);
      } else {
        __builtin_prefetch(next + at, 0, 2);
      }
    }
  }
}

void RowChain::run_rows(Pass& pass, std::int64_t part, std::int64_t chunk, std::int64_t begin,
                        std::int64_t end) const noexcept {
  std::byte* const memory = pass.memory.data() + static_cast<std::size_t>(part) * pass.part_bytes;
  // Where an array would begin if all its rows were there.
  const auto beginning_of = [&](std::size_t place) {
    const Array& array = arrays_[place];
    if (!array.slot) {
      return pass.arrays[place];
    }
    const std::byte* const first_row = memory + pass.slots[*array.slot];
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(first_row) -
                                        static_cast<std::size_t>(begin) * array.row_bytes);
  };
  const auto row_of = [&](std::size_t place) {
    return beginning_of(place) + static_cast<std::size_t>(begin) * arrays_[place].row_bytes;
  };
  std::byte** operands = pass.operands[static_cast<std::size_t>(part)].data();
  std::size_t number = 0;
  for (std::size_t s = 0; s < stages_.size(); ++s) {
    const Stage& stage = stages_[s];
    prefetch(pass, s, begin, end);
    if (stage.loop) {
      for (std::size_t i = 0; i < stage.arrays.size(); ++i) {
        if (stage.in_pieces[i]) {
          operands[i] = beginning_of(stage.arrays[i]);
        }
      }
      (*pass.calls[s])(operands, begin* stage.loop_row, end* stage.loop_row);
      operands += stage.arrays.size();
    }
    for (const Reduction& reduction : stage.reductions) {
      const std::byte* const from = row_of(reduction.from);
      if (std::optional<ColumnSums>& sums = pass.column_sums[number]) {
        const std::int64_t first = cpu::Part(rows_, pass.chunks, chunk).begin;
        sums->add(part, chunk, begin - first, from, end - begin);
      } else {
        reduce(pass, reduction, pass.kernels[number], from, end - begin, row_of(reduction.to));
      }
      ++number;
    }
  }
}

void RowChain::reduce(const Pass& pass, const Reduction& reduction, ops::Kernel kernel,
                      const std::byte* from, std::int64_t rows, std::byte* to) const noexcept {
  if (reduction.by == Reduction::By::Sums) {
    const cpu::Sums::Running sum = pass.sums.of(reduction.key);
    for (std::int64_t i = 0; i < rows; ++i) {
      write_sum(reduction.op, reduction.key, sum(0, from, row_), row_, to);
      from += arrays_[reduction.from].row_bytes;
      to += arrays_[reduction.to].row_bytes;
    }
    return;
  }
  const Shape elements{rows, row_};
  const Shape results{rows};
  const ops::View input(from, elements, reduction.key);
  const ops::View output(to, results, graph_->type(arrays_[reduction.to].value).dtype);
  constexpr ops::ReductionAttributes last_axis{.axes = 2};
  kernel(ops::Call({&input, 1}, {&output, 1}, &last_axis));
}

}  // namespace ddx::backend::lazy
