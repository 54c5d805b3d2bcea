#include "backend/lazy/rowwise_group.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"

#include "backend/alignment.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/reduction.h"
#include "backend/graph_run.h"
#include "backend/lazy/column_sums.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/loop_reductions.h"
#include "backend/lazy/rowwise_plan.h"
#include "backend/lazy/tiled_array.h"
#include "backend/non_finite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::backend::lazy {
namespace {

using Reduction = RowwisePlan::Reduction;
using Stage = RowwisePlan::Stage;

constexpr std::size_t cache_line = 64;

// A part of a group has at least so many operations on elements: some 10 us.
constexpr std::int64_t chain_grain = 131072;

/// A run by pieces.
class Pass {
 public:
  /// Makes memory for results and pieces.
  ///
  /// Requires: all loops have code.
  /// Throws:   EnvironmentError where there is no memory.
  Pass(const RowwisePlan& plan, GraphRun& values);

  void run();

 private:
  /// Finds the arrays in memory, and what the loops are called with. Returns the operations on
  /// elements of a row.
  [[nodiscard]] std::int64_t find_arrays(GraphRun& values);
  /// Sends the rows [begin, end) of a chunk through all stages.
  void run_rows(std::int64_t part, std::int64_t chunk, std::int64_t begin,
                std::int64_t end) noexcept;
  /// Runs the loop of a stage over the elements [begin, end).
  void run_loop(std::size_t s, std::byte** operands, std::int64_t begin,
                std::int64_t end) const noexcept;
  void reduce(const Reduction& reduction, ops::Kernel kernel, const std::byte* from,
              std::int64_t rows, std::byte* to) const noexcept;
  /// Asks for a stage's share of the next piece of the streams. While a piece goes through the
  /// stages, most of them read nothing but the caches: without it, memory would wait then, and the
  /// processor for memory before and after (two to three times the whole, for arrays beyond the
  /// caches).
  void prefetch(std::size_t stage, std::int64_t begin, std::int64_t end) const noexcept;

  const RowwisePlan& plan_;
  std::vector<std::optional<FusedLoop::CodeCall>> calls_;  // Of each stage.
  std::vector<ops::Kernel> kernels_;                       // Of the reductions of all stages,
  std::vector<std::optional<ColumnSums>> column_sums_;     // as are these.
  std::vector<std::byte*> arrays_;                         // Null where they are in pieces.
  std::int64_t chunks_ = 0;
  std::int64_t parts_ = 0;          // Each has some chunks, one after the other.
  std::vector<std::size_t> slots_;  // Where each begins in the memory of a part,
  std::size_t part_bytes_ = 0;      // which has so much of it.
  Buffer memory_;
  cpu::Sums sums_ = cpu::best_sums();
  // Of each part, the operands of the loops of all stages.
  std::vector<std::vector<std::byte*>> operands_;
};

Pass::Pass(const RowwisePlan& plan, GraphRun& values) : plan_(plan) {
  const std::int64_t work = find_arrays(values);
  const std::int64_t pieces = (plan.rows + plan.piece_rows - 1) / plan.piece_rows;
  chunks_ = plan.has_column_sums ? cpu::chunks_of_columns(plan.rows, plan.row) : pieces;
  parts_ = std::clamp<std::int64_t>(std::min(chunks_, plan.rows * work / chain_grain), 1,
                                    cpu::thread_count());
  for (const std::size_t bytes : plan.slot_bytes) {
    slots_.push_back(part_bytes_);
    part_bytes_ += aligned(bytes * static_cast<std::size_t>(plan.piece_rows));
  }
  memory_ = Buffer(part_bytes_ * static_cast<std::size_t>(parts_));
  std::vector<std::byte*> operands;
  for (const std::optional<FusedLoop::CodeCall>& call : calls_) {
    if (call) {
      operands.insert(operands.end(), call->arrays.begin(), call->arrays.end());
    }
  }
  operands_.assign(static_cast<std::size_t>(parts_), operands);
  for (const Stage& stage : plan.stages) {
    for (const Reduction& reduction : stage.reductions) {
      kernels_.push_back(values.backend().kernels().at(reduction.op, reduction.key).kernel());
      column_sums_.emplace_back();
      if (reduction.by == Reduction::By::ColumnSums) {
        column_sums_.back().emplace(plan.rows, plan.row, reduction.key, parts_);
      }
    }
  }
}

std::int64_t Pass::find_arrays(GraphRun& values) {
  for (const auto& [output, operand, uses] : plan_.overwritings) {
    if (!values.is_there(output)) {
      (void)values.take_over(output, operand, uses);
    }
  }
  std::int64_t work = 0;
  for (const Stage& stage : plan_.stages) {
    calls_.emplace_back();
    if (stage.loop) {
      calls_.back().emplace(stage.loop->prepare(values, stage.is_tiled));
      work += static_cast<std::int64_t>(stage.loop->nodes().size()) * stage.loop_row;
    }
    for (const Reduction& reduction : stage.reductions) {
      if (!plan_.arrays[reduction.to].slot) {
        values.allocate(plan_.arrays[reduction.to].value);
      }
      work += plan_.row;
    }
  }
  for (const RowwisePlan::Array& array : plan_.arrays) {
    arrays_.push_back(array.slot || !values.is_there(array.value)
                          ? nullptr
                          : values.view(array.value).mutable_data<std::byte>());
  }
  return work;
}

void Pass::run() {
  cpu::for_each_chunk(parts_, [&](std::int64_t part) {
    const cpu::Part own(chunks_, parts_, part);
    for (std::int64_t chunk = own.begin; chunk < own.end; ++chunk) {
      if (!plan_.has_column_sums) {  // A chunk is a piece.
        const std::int64_t first = chunk * plan_.piece_rows;
        run_rows(part, 0, first, std::min(first + plan_.piece_rows, plan_.rows));
        continue;
      }
      const cpu::Part rows(plan_.rows, chunks_, chunk);
      for (std::int64_t first = rows.begin; first < rows.end; first += plan_.piece_rows) {
        run_rows(part, chunk, first, std::min(first + plan_.piece_rows, rows.end));
      }
      for (std::optional<ColumnSums>& sums : column_sums_) {
        if (sums) {
          sums->end_chunk(part, chunk);
        }
      }
    }
  });
  std::size_t number = 0;
  for (const Stage& stage : plan_.stages) {
    for (const Reduction& reduction : stage.reductions) {
      if (const auto& sums = column_sums_[number++]) {
        sums->finish(reduction.op, arrays_[reduction.to]);
      }
    }
  }
}

void Pass::prefetch(std::size_t stage, std::int64_t begin, std::int64_t end) const noexcept {
  const auto rows = static_cast<std::size_t>(std::min(end - begin, plan_.rows - end));
  for (const RowwisePlan::Stream& stream : plan_.streams) {
    // The part of the next piece that is this stage's.
    const std::size_t row_bytes = plan_.arrays[stream.array].row_bytes;
    const std::byte* const next = arrays_[stream.array] + static_cast<std::size_t>(end) * row_bytes;
    const std::size_t size = rows * row_bytes;
    const std::size_t first = size * stage / plan_.stages.size();
    const std::size_t last = size * (stage + 1) / plan_.stages.size();
    for (std::size_t at = first; at < last; at += cache_line) {
      if (stream.is_written) {
        __builtin_prefetch(next + at, 1, 2);
      } else {
        __builtin_prefetch(next + at, 0, 2);
      }
    }
  }
}

void Pass::run_rows(std::int64_t part, std::int64_t chunk, std::int64_t begin,
                    std::int64_t end) noexcept {
  std::byte* const memory = memory_.data() + static_cast<std::size_t>(part) * part_bytes_;
  // Where an array would begin if all its rows were there.
  const auto beginning_of = [&](std::size_t place) {
    const RowwisePlan::Array& array = plan_.arrays[place];
    if (!array.slot) {
      return arrays_[place];
    }
    return beginning_of_array(memory + slots_[*array.slot], begin, array.row_bytes);
  };
  const auto row_of = [&](std::size_t place) {
    return beginning_of(place) + static_cast<std::size_t>(begin) * plan_.arrays[place].row_bytes;
  };
  std::byte** operands = operands_[static_cast<std::size_t>(part)].data();
  std::size_t number = 0;
  for (std::size_t s = 0; s < plan_.stages.size(); ++s) {
    const Stage& stage = plan_.stages[s];
    prefetch(s, begin, end);
    if (stage.loop) {
      for (std::size_t i = 0; i < stage.arrays.size(); ++i) {
        if (stage.is_tiled[i]) {
          operands[i] = beginning_of(stage.arrays[i]);
        }
      }
      run_loop(s, operands, begin * stage.loop_row, end * stage.loop_row);
      operands += stage.arrays.size();
    }
    for (const Reduction& reduction : stage.reductions) {
      const std::byte* const from = row_of(reduction.from);
      if (std::optional<ColumnSums>& sums = column_sums_[number]) {
        const std::int64_t first = cpu::Part(plan_.rows, chunks_, chunk).begin;
        sums->add(part, chunk, begin - first, from, end - begin);
      } else {
        reduce(reduction, kernels_[number], from, end - begin, row_of(reduction.to));
      }
      ++number;
    }
  }
}

void Pass::run_loop(std::size_t s, std::byte** operands, std::int64_t begin,
                    std::int64_t end) const noexcept {
  const FusedLoop::CodeCall& call = *calls_[s];
  const Stage& stage = plan_.stages[s];
  if (stage.period == 0) {
    call(operands, begin, end);
    return;
  }
  // The code begins with the first element of what is repeated: that is moved to where it is read.
  while (begin < end) {
    const std::int64_t place = begin % stage.period;
    const std::int64_t next = std::min(end, begin - place + stage.period);
    for (const std::size_t i : stage.repeated) {
      const ir::ValueId value = plan_.arrays[stage.arrays[i]].value;
      const std::size_t bytes = info(plan_.graph->type(value).dtype).bytes;
      operands[i] = call.arrays[i] + static_cast<std::size_t>(place) * bytes;
    }
    call(operands, begin, next);
    begin = next;
  }
}

void Pass::reduce(const Reduction& reduction, ops::Kernel kernel, const std::byte* from,
                  std::int64_t rows, std::byte* to) const noexcept {
  if (reduction.by == Reduction::By::Sums) {
    const cpu::Sums::Running sum = sums_.of(reduction.key);
    for (std::int64_t i = 0; i < rows; ++i) {
      write_sum(reduction.op, reduction.key, sum(0, from, plan_.row), plan_.row, to);
      from += plan_.arrays[reduction.from].row_bytes;
      to += plan_.arrays[reduction.to].row_bytes;
    }
    return;
  }
  const Shape elements{rows, plan_.row};
  const Shape results{rows};
  const ops::View input(from, elements, reduction.key);
  const ops::View output(to, results, plan_.graph->type(plan_.arrays[reduction.to].value).dtype);
  constexpr ops::ReductionAttributes last_axis{.axes = 2};
  kernel(ops::Call({&input, 1}, {&output, 1}, &last_axis));
}

}  // namespace

std::vector<FusedLoop*> RowwiseGroup::loops() {
  std::vector<FusedLoop*> loops;
  for (Stage& stage : plan_.stages) {
    if (stage.loop) {
      loops.push_back(&*stage.loop);
    }
  }
  return loops;
}

void RowwiseGroup::run(GraphRun& values) const {
  const auto has_failed = [&](std::size_t i) {
    return values.has_failed_operand(plan_.graph->node(i));
  };
  const bool is_code = std::ranges::all_of(
      plan_.stages, [](const Stage& stage) { return !stage.loop || stage.loop->has_code(); });
  const auto is_done = [&](std::size_t i) { return values.is_done(i); };
  if (are_nans_debugged() || !is_code || std::ranges::any_of(plan_.nodes, is_done) ||
      (values.has_errors() && std::ranges::any_of(plan_.nodes, has_failed))) {
    run_apart(values);
    return;
  }
  Pass(plan_, values).run();
  for (const Stage& stage : plan_.stages) {
    if (stage.loop) {
      stage.loop->release(values, stage.is_tiled);
    }
    for (const Reduction& reduction : stage.reductions) {
      values.release_after(plan_.graph->node(reduction.node));
    }
  }
}

void RowwiseGroup::run_apart(GraphRun& values) const {
  for (const Stage& stage : plan_.stages) {
    if (stage.loop) {
      stage.loop->run(values);
    }
    for (const Reduction& reduction : stage.reductions) {
      values.run(plan_.graph->node(reduction.node));
    }
  }
}

}  // namespace ddx::backend::lazy
