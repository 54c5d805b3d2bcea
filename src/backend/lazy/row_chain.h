/// \file
/// Loops of a graph that go through the same rows together.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/graph_run.h"
#include "backend/lazy/fused_loop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::backend::lazy {

/// Compiled loops, one after the other, each of which makes elements of rows or reduces the rows,
/// as a softmax or a normalisation does that is written in elementwise operations, sums and
/// extremes. A few rows at a time go through all of them while they are in the nearest caches: what
/// only the chain reads never is in memory as a whole. Where the loops have not been compiled yet,
/// they run one after the other. The results are the same to the bit.
class RowChain {
 public:
  /// The chain of a plan for a graph, whose loops make `outputs`. None where a part of it cannot
  /// run by rows, or it would gain nothing: of few elements, or of rows too long for the caches.
  [[nodiscard]] static std::optional<RowChain> of(const ir::Graph& graph,
                                                  const ir::FusionPlan& plan,
                                                  const ir::RowChain& chain,
                                                  const std::vector<bool>& outputs);

  /// Runs it: computes what others read, and releases what nobody needs after the nodes.
  ///
  /// Throws:  as GraphRun::run.
  void run(GraphRun& values) const;

  /// What it computes: all nodes of the chain but numbers and some reductions of other axes.
  [[nodiscard]] const std::vector<std::size_t>& nodes() const noexcept { return nodes_; }
  /// The loops, to be compiled.
  [[nodiscard]] std::vector<FusedLoop*> loops();

 private:
  /// A reduction of each row, or the sum of all.
  struct Reduction {
    /// What reduces a few rows.
    enum class By : std::uint8_t { Sums, Kernel, ColumnSums };

    std::size_t node;
    ops::Op op;
    DType key;
    By by;
    std::size_t from;  // Among arrays_,
    std::size_t to;    // as is this.
  };
  /// What one cluster does with some rows: the loop, if it has one, then the reductions.
  struct Stage {
    std::optional<FusedLoop> loop{};
    std::int64_t loop_row = 1;          // Elements in a row of what the loop goes over.
    std::vector<std::size_t> arrays{};  // Of the loop's, the places among arrays_.
    std::vector<bool> in_pieces{};      // Of each of these.
    std::vector<Reduction> reductions{};
  };
  /// An array that has rows, of one element or of many.
  struct Array {
    ir::ValueId value;
    std::size_t row_bytes;
    /// The part of a piece's memory that it has, if it is nowhere else.
    std::optional<std::size_t> slot{};
  };
  /// An array in memory of which each piece has its own part.
  struct Stream {
    std::size_t array;
    bool is_written;
  };
  /// An output that may be written over an array from outside, which the chain reads so often.
  struct Overwriting {
    ir::ValueId output;
    ir::ValueId operand;
    std::size_t uses;
  };
  struct Pass;

  RowChain(const ir::Graph& graph, const ir::FusionPlan& plan, const ir::RowChain& chain,
           const std::vector<bool>& outputs);

  void add_stage(const ir::Cluster& cluster, const ir::RowChain& chain,
                 const std::vector<bool>& outputs);
  [[nodiscard]] std::optional<Reduction::By> reduced_by(const ir::Node& node,
                                                        const ir::RowChain& chain) const;
  [[nodiscard]] std::size_t place_of(ir::ValueId value);
  void find_pieces();
  void find_streams();
  void find_overwritings();
  /// Whether the loop of a stage makes an array.
  [[nodiscard]] bool makes(const Stage& stage, std::size_t array) const;
  void run_in_pieces(GraphRun& values) const;
  /// Makes memory for results and pieces; returns how many parts may run at the same time.
  [[nodiscard]] std::int64_t prepare(GraphRun& values, Pass& pass) const;
  /// Sends the rows [begin, end) of a chunk through all stages.
  void run_rows(Pass& pass, std::int64_t part, std::int64_t chunk, std::int64_t begin,
                std::int64_t end) const noexcept;
  void reduce(const Pass& pass, const Reduction& reduction, ops::Kernel kernel,
              const std::byte* from, std::int64_t rows, std::byte* to) const noexcept;
  /// Asks for a stage's share of the next piece of the streams. While a piece goes through the
  /// stages, most of them read nothing but the caches: without it, memory would wait then, and the
  /// processor for memory before and after (two to three times the whole, for arrays beyond the
  /// caches).
  void prefetch(const Pass& pass, std::size_t stage, std::int64_t begin,
                std::int64_t end) const noexcept;
  /// Runs one stage after the other, in memory.
  void run_apart(GraphRun& values) const;

  const ir::Graph* graph_;
  std::int64_t rows_;
  std::int64_t row_;         // Elements in a row.
  bool is_possible_ = true;  // Whether all loops can be compiled.
  bool has_column_sums_ = false;
  std::vector<std::size_t> nodes_;
  std::vector<Stage> stages_;
  std::vector<Array> arrays_;
  std::vector<std::size_t> slot_bytes_;  // Of a row, of each part of a piece's memory.
  std::vector<Stream> streams_;
  std::vector<Overwriting> overwritings_;
};

}  // namespace ddx::backend::lazy
