/// \file
/// How loops of a graph go through the same rows together.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "backend/lazy/fused_loop.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::backend::lazy {

/// What a group of loops does with a piece, which is some rows: its stages, and where the arrays
/// lie meanwhile.
struct RowwisePlan {
  /// A reduction of each row, or the sum of all.
  struct Reduction {
    /// What reduces a few rows.
    enum class By : std::uint8_t { Sums, Kernel, ColumnSums };

    std::size_t node;
    ops::Op op;
    DType key;
    By by;
    std::size_t from;  // Among the arrays,
    std::size_t to;    // as is this.
  };
  /// What one cluster does with some rows: the loop, if it has one, then the reductions.
  struct Stage {
    std::optional<FusedLoop> loop{};
    std::int64_t loop_row = 1;          // Elements in a row of what the loop goes over.
    std::vector<std::size_t> arrays{};  // Of the loop's, the places among those of the group.
    std::vector<bool> is_tiled{};       // Of each of these.
    /// Those that repeat more rows of the loop than one, as a mask of all batches does, and how
    /// many elements these have; 0 where there are none.
    std::vector<std::size_t> repeated{};
    std::int64_t period = 0;
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
  /// An output that may be written over an array from outside, which the group reads so often.
  struct Overwriting {
    ir::ValueId output;
    ir::ValueId operand;
    std::size_t uses;
  };

  /// The plan for a group of a graph, whose loops make `outputs`. None where a part of it cannot
  /// run by rows, or it would gain nothing: of few elements, or of rows too long for the caches.
  [[nodiscard]] static std::optional<RowwisePlan> of(const ir::Graph& graph,
                                                     const ir::FusionPlan& plan,
                                                     const ir::RowwiseGroup& group,
                                                     const std::vector<bool>& outputs);

  const ir::Graph* graph;
  std::int64_t rows;
  std::int64_t row;         // Elements in a row.
  std::int64_t piece_rows;  // Rows in a piece; the last one may have fewer.
  bool has_column_sums = false;
  std::vector<std::size_t> nodes{};
  std::vector<Stage> stages{};
  std::vector<Array> arrays{};
  std::vector<std::size_t> slot_bytes{};  // Of a row, of each part of a piece's memory.
  std::vector<Stream> streams{};
  std::vector<Overwriting> overwritings{};
};

}  // namespace ddx::backend::lazy
