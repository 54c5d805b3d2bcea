#include "backend/lazy/rowwise_plan.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include "backend/cpu/reduction.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/lazy/cluster_nodes.h"
#include "backend/lazy/column_sums.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/loop_reductions.h"
#include "backend/lazy/materialised_values.h"

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
using Reduction = RowwisePlan::Reduction;
using Stage = RowwisePlan::Stage;

// Elements of a row, or of several that go through the group together: some arrays of them fit into
// the first cache, and a call of a loop is little beside them. Measured on a Zen 4, normalisations
// of rows of 200 to 4096 elements: pieces of 1024 take up to 20 % longer, of 4096 up to 30 %.
constexpr std::int64_t chain_piece = 2048;

// Longer rows leave the second cache, and the kernels of reductions go through them in chunks.
constexpr std::int64_t longest_chain_row = cpu::reduction_grain;

// Of fewer elements, preparing a run takes as long as some kernels.
constexpr std::int64_t least_chain_elements = 2048;

// Where rows fill pieces, fewer of them would leave threads without work.
constexpr std::int64_t fewest_long_rows = 16;

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

class Planner {
 public:
  Planner(const Graph& graph, const ir::RowwiseGroup& group)
      : graph_(graph), group_(group), made_(empty_plan(graph, group)) {}

  /// None where a loop cannot be compiled.
  std::optional<RowwisePlan> plan(const ir::FusionPlan& fusion, const std::vector<bool>& outputs) {
    for (const std::size_t c : group_.clusters) {
      if (!add_stage(fusion.clusters[c], outputs)) {
        return std::nullopt;
      }
    }
    find_pieces();
    find_streams();
    find_overwritings();
    return std::move(made_);
  }

 private:
  static RowwisePlan empty_plan(const Graph& graph, const ir::RowwiseGroup& group) {
    const std::int64_t rows = group.column.count();
    const std::int64_t row = group.loop.count() / rows;
    return {.graph = &graph,
            .rows = rows,
            .row = row,
            .piece_rows = std::max<std::int64_t>(chain_piece / row, 1)};
  }

  /// Returns whether that is possible.
  [[nodiscard]] bool add_stage(const ir::Cluster& cluster, const std::vector<bool>& outputs) {
    Stage stage{.loop_row = cluster.loop == group_.loop ? made_.row : 1};
    const std::vector<std::size_t> elementwise = elementwise_nodes(graph_, cluster);
    if (!elementwise.empty()) {
      stage.loop = FusedLoop::in_chain(graph_, elementwise, outputs);
      if (!stage.loop || !find_period(stage)) {
        return false;
      }
      for (const ir::ValueId array : stage.loop->arrays()) {
        stage.arrays.push_back(place_of(array));
      }
    }
    std::ranges::copy(elementwise, std::back_inserter(made_.nodes));
    if (cluster.loop == group_.loop) {
      for (const std::size_t i : reduction_nodes(graph_, cluster)) {
        add_reduction(stage, i);
      }
    }
    made_.stages.push_back(std::move(stage));
    return true;
  }

  /// Finds what repeats after more rows of the group than one. Returns false where an operand has
  /// one element for so many rows: the code takes it for one of a row that it begins with.
  [[nodiscard]] static bool find_period(Stage& stage) {
    if (stage.loop->row() <= stage.loop_row) {
      return true;
    }
    if (stage.loop->has_columns()) {
      return false;
    }
    stage.repeated = stage.loop->row_arrays();
    stage.period = stage.repeated.empty() ? 0 : stage.loop->row();
    return true;
  }

  /// Adds a reduction, if it goes by rows.
  void add_reduction(Stage& stage, std::size_t i) {
    const ir::Node node = graph_.node(i);
    if (const auto by = reduced_by(node)) {
      const ir::ValueId from = node.operands[0];
      made_.has_column_sums = made_.has_column_sums || by == Reduction::By::ColumnSums;
      stage.reductions.push_back({i, node.op.row(), graph_.type(from).dtype, *by, place_of(from),
                                  place_of(node.result())});
      made_.nodes.push_back(i);
    }
  }

  [[nodiscard]] std::optional<Reduction::By> reduced_by(const ir::Node& node) const {
    const ir::Type& type = graph_.type(node.operands[0]);
    const bool is_summed =
        is_sum(node.op.row()) && (type.dtype == DType::f32 || type.dtype == DType::f64);
    if (graph_.type(node.result()).shape == group_.column) {
      return is_summed ? Reduction::By::Sums : Reduction::By::Kernel;
    }
    const cpu::ReducedBlock block(type.shape, std::get<ops::ReductionAttributes>(node.attributes));
    const bool is_of_columns =
        block.fits && block.outer == 1 && block.reduced == made_.rows && block.inner == made_.row;
    return ColumnSums::fit(made_.row) && is_summed && is_of_columns
               ? std::optional(Reduction::By::ColumnSums)
               : std::nullopt;
  }

  [[nodiscard]] std::size_t place_of(ir::ValueId value) {
    const auto found = std::ranges::find(made_.arrays, value, &RowwisePlan::Array::value);
    const auto place = static_cast<std::size_t>(found - made_.arrays.begin());
    if (found == made_.arrays.end()) {
      const ir::Type& type = graph_.type(value);
      const auto elements = static_cast<std::size_t>(type.shape.count() / made_.rows);
      made_.arrays.push_back({value, elements * info(type.dtype).bytes});
    }
    return place;
  }

  void find_pieces() {
    const std::vector<bool> in_memory = materialised_values(graph_, {&made_.nodes, 1});
    const std::vector<std::size_t> last_stage = last_stages();
    // A slot is taken from the stage that makes an array to the last one that reads it.
    std::vector<std::size_t> free;
    const auto take = [&](std::size_t place) {
      RowwisePlan::Array& array = made_.arrays[place];
      if (array.slot || in_memory[Graph::index(array.value)]) {
        return;
      }
      const auto found = std::ranges::find_if(
          free, [&](std::size_t slot) { return made_.slot_bytes[slot] == array.row_bytes; });
      if (found != free.end()) {
        array.slot = *found;
        free.erase(found);
      } else {
        array.slot = made_.slot_bytes.size();
        made_.slot_bytes.push_back(array.row_bytes);
      }
    };
    for (std::size_t s = 0; s < made_.stages.size(); ++s) {
      Stage& stage = made_.stages[s];
      for (const std::size_t array : stage.arrays) {
        take(array);
        stage.is_tiled.push_back(made_.arrays[array].slot.has_value());
      }
      for (const Reduction& reduction : stage.reductions) {
        take(reduction.to);
      }
      for (std::size_t array = 0; array < made_.arrays.size(); ++array) {
        if (made_.arrays[array].slot && last_stage[array] == s) {
          free.push_back(*made_.arrays[array].slot);
        }
      }
    }
  }

  /// Of each array, the last stage that makes or reads it.
  [[nodiscard]] std::vector<std::size_t> last_stages() const {
    std::vector<std::size_t> last(made_.arrays.size());
    for (std::size_t s = 0; s < made_.stages.size(); ++s) {
      for (const std::size_t array : made_.stages[s].arrays) {
        last[array] = s;
      }
      for (const Reduction& reduction : made_.stages[s].reductions) {
        last[reduction.from] = s;
        last[reduction.to] = s;
      }
    }
    return last;
  }

  void find_streams() {
    for (std::size_t array = 0; array < made_.arrays.size(); ++array) {
      const RowwisePlan::Array& each = made_.arrays[array];
      if (!each.slot && graph_.type(each.value).shape.count() == made_.rows * made_.row) {
        const bool is_written = std::ranges::any_of(
            made_.stages, [&](const Stage& stage) { return makes(stage, array); });
        made_.streams.push_back({array, is_written});
      }
    }
  }

  void find_overwritings() {
    const std::vector<RowwisePlan::Array>& arrays = made_.arrays;
    const auto reads = reads_of(graph_, made_.nodes);
    // The loop of stage s comes at moment 2 s, its reductions after it.
    std::vector<std::size_t> last_read(arrays.size());
    std::vector<bool> is_made(arrays.size());
    for (std::size_t s = 0; s < made_.stages.size(); ++s) {
      for (const std::size_t array : made_.stages[s].arrays) {
        last_read[array] = 2 * s;
        is_made[array] = is_made[array] || makes(made_.stages[s], array);
      }
      for (const Reduction& reduction : made_.stages[s].reductions) {
        last_read[reduction.from] = 2 * s + 1;
        is_made[reduction.to] = true;
      }
    }
    for (std::size_t s = 0; s < made_.stages.size(); ++s) {
      for (const std::size_t output : made_.stages[s].arrays) {
        if (arrays[output].slot || !makes(made_.stages[s], output)) {
          continue;
        }
        const ir::ValueId result = arrays[output].value;
        for (std::size_t array = 0; array < arrays.size(); ++array) {
          const ir::ValueId operand = arrays[array].value;
          const bool is_read_before =
              last_read[array] < 2 * s ||
              (last_read[array] == 2 * s && made_.stages[s].loop->may_overwrite(result, operand));
          if (!is_made[array] && is_read_before && graph_.type(operand) == graph_.type(result)) {
            made_.overwritings.push_back({result, operand, reads.at(Graph::index(operand))});
          }
        }
      }
    }
  }

  /// Whether the loop of a stage makes an array.
  [[nodiscard]] bool makes(const Stage& stage, std::size_t array) const {
    const auto maker = graph_.producer(made_.arrays[array].value);
    return maker && stage.loop &&
           std::ranges::find(stage.loop->nodes(), *maker) != stage.loop->nodes().end();
  }

  const Graph& graph_;
  const ir::RowwiseGroup& group_;
  RowwisePlan made_;
};

}  // namespace

std::optional<RowwisePlan> RowwisePlan::of(const Graph& graph, const ir::FusionPlan& plan,
                                           const ir::RowwiseGroup& group,
                                           const std::vector<bool>& outputs) {
  const std::int64_t count = group.loop.count();
  const std::int64_t rows = group.column.count();
  const std::int64_t row = count / rows;
  if (!cpu_jit::is_on() || count < least_chain_elements || row > longest_chain_row ||
      (row > chain_piece && rows < fewest_long_rows)) {
    return std::nullopt;
  }
  return Planner(graph, group).plan(plan, outputs);
}

}  // namespace ddx::backend::lazy
