#include "backend/lazy/loop_reductions.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/kernel_table.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/alignment.h"
#include "backend/cpu/pool.h"
#include "backend/cpu/reduction.h"
#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/tiled_array.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace {

using ir::Graph;

// Elements of a piece: of some arrays, they fit into the first cache.
constexpr std::int64_t piece = cpu::sum_block;

// Longer rows than this are read from memory: pieces would leave the second cache, and the kernels
// go in chunks through still longer ones.
constexpr std::int64_t longest_row = cpu::reduction_grain;

// A row that the loop sums is a call of it, some 30 ns; shorter ones are summed many in a piece.
constexpr std::int64_t shortest_summed_row = 512;

// A part of a loop has at least so many elements: some 10 us.
constexpr std::int64_t grain = 32768;

/// Whether a node is a reduction that the kernels compute piece by piece, too.
bool is_reduced_by_pieces(const ir::Node& node, DType dtype) {
  const ops::Op op = node.op.row();
  return node.check == ir::unchecked && (dtype == DType::f32 || dtype == DType::f64) &&
         (is_sum(op) || op == ops::Op::max || op == ops::Op::min);
}

/// Reduces a run of elements to one, which may lie where the first lies.
void reduce(ops::Kernel kernel, DType dtype, const std::byte* elements, std::int64_t count,
            std::byte* result) {
  constexpr ops::ReductionAttributes all{.axes = 1};
  const Shape run{count};
  const Shape scalar;
  const ops::View from(elements, run, dtype);
  const ops::View to(result, scalar, dtype);
  kernel(ops::Call({&from, 1}, {&to, 1}, &all));
}

}  // namespace

void write_sum(ops::Op op, DType dtype, double total, std::int64_t count,
               std::byte* result) noexcept {
  if (op == ops::Op::mean) {
    total /= static_cast<double>(count);
  }
  if (dtype == DType::f32) {
    const auto rounded = static_cast<float>(total);
    std::memcpy(result, &rounded, sizeof(rounded));
  } else {
    std::memcpy(result, &total, sizeof(total));
  }
}

/// Of a chunk: a sum, or the best element so far and that of the next piece.
struct LoopReductions::State {
  double total = 0;
  alignas(16) std::array<std::byte, 16> best{};
};

/// What the pieces of one run have in common.
struct LoopReductions::Pass {
  const MakePiece& make;
  std::span<std::byte* const> arrays;
  const std::vector<bool>& summed;         // Of each array, whether the loop sums it.
  std::span<const std::size_t> bytes;      // Of an element of each array.
  std::vector<std::size_t> temporaries{};  // The arrays that are null,
  std::size_t piece_bytes = 0;             // and the bytes of a piece of each of these.
  std::vector<ops::Kernel> kernels{};      // Of each reduction,
  std::vector<std::byte*> results{};       // and where its result goes.
  Buffer memory{};                         // Of all parts.
  std::vector<std::vector<std::byte*>> places{};
  cpu::Sums sums = cpu::best_sums();

  /// Makes memory for parts that run at the same time.
  void make_room(std::int64_t parts, std::int64_t piece_elements);
  /// Makes a piece. places[part] are then the arrays, as if all of each was there.
  void make_piece(std::int64_t part, std::int64_t begin, std::int64_t end);
  /// The sum of the piece that was made last, of an array that the loop sums.
  [[nodiscard]] double sum_of_piece(std::int64_t part, std::size_t array,
                                    std::int64_t count) const {
    const std::byte* const partial = places[static_cast<std::size_t>(part)][array];
    return sums.of_partial_sums(reinterpret_cast<const float*>(partial), count);
  }
  /// The elements of an array from `begin` on.
  [[nodiscard]] std::byte* at(std::int64_t part, std::size_t array, std::int64_t begin) const {
    return places[static_cast<std::size_t>(part)][array] +
           static_cast<std::size_t>(begin) * bytes[array];
  }
};

void LoopReductions::Pass::make_room(std::int64_t parts, std::int64_t piece_elements) {
  std::size_t largest = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i] == nullptr) {
      temporaries.push_back(i);
      largest = std::max(largest, bytes[i]);
    }
  }
  const std::size_t wanted =
      std::max(static_cast<std::size_t>(piece_elements) * largest, cpu_jit::bytes_of_sum());
  piece_bytes = aligned(wanted);
  memory = Buffer(static_cast<std::size_t>(parts) * temporaries.size() * piece_bytes);
  places.assign(static_cast<std::size_t>(parts), {arrays.begin(), arrays.end()});
}

void LoopReductions::Pass::make_piece(std::int64_t part, std::int64_t begin, std::int64_t end) {
  std::vector<std::byte*>& own = places[static_cast<std::size_t>(part)];
  std::byte* room =
      memory.data() + static_cast<std::size_t>(part) * temporaries.size() * piece_bytes;
  for (const std::size_t array : temporaries) {
    if (summed[array]) {
      own[array] = room;
      room += piece_bytes;
      continue;
    }
    own[array] = beginning_of_array(room, begin, bytes[array]);
    room += piece_bytes;
  }
  make(own.data(), begin, end);
}

LoopReductions::LoopReductions(const Graph& graph, const Shape& loop,
                               std::span<const ir::ValueId> arrays, const std::vector<bool>& made,
                               std::span<const std::size_t> candidates)
    : graph_(&graph), count_(loop.count()), summed_(arrays.size()) {
  for (const ir::ValueId array : arrays) {
    array_bytes_.push_back(info(graph.type(array).dtype).bytes);
  }
  for (const std::size_t i : candidates) {
    const ir::Node node = graph.node(i);
    const auto array =
        static_cast<std::size_t>(std::ranges::find(arrays, node.operands[0]) - arrays.begin());
    const DType dtype = graph.type(node.operands[0]).dtype;
    if (array == arrays.size() || !made[array] || !is_reduced_by_pieces(node, dtype)) {
      continue;
    }
    const cpu::ReducedBlock block(loop, std::get<ops::ReductionAttributes>(node.attributes));
    const bool is_of_last_axes = block.fits && block.inner == 1 && block.reduced > 1;
    if (!is_of_last_axes || (block.outer > 1 && block.reduced > longest_row)) {
      continue;
    }
    if (reductions_.empty()) {
      row_ = block.reduced;
    }
    if (block.reduced == row_) {
      reductions_.push_back({i, array, node.op.row(), dtype});
    }
  }
}

std::vector<std::size_t> LoopReductions::nodes() const {
  std::vector<std::size_t> nodes;
  for (const Reduction& reduction : reductions_) {
    nodes.push_back(reduction.node);
  }
  return nodes;
}

void LoopReductions::sum_in_loop(const std::vector<bool>& alone) {
  const auto is_summed = [&](const Reduction& reduction) {
    return is_sum(reduction.op) && reduction.dtype == DType::f32 && alone[reduction.array];
  };
  const bool by_rows = row_ != count_;
  if (by_rows && (row_ < shortest_summed_row || !std::ranges::all_of(reductions_, is_summed))) {
    return;
  }
  for (std::size_t array = 0; array < summed_.size(); ++array) {
    summed_[array] =
        std::ranges::find(reductions_, array, &Reduction::array) != reductions_.end() &&
        std::ranges::all_of(reductions_, [&](const Reduction& reduction) {
          return reduction.array != array || is_summed(reduction);
        });
  }
}

bool LoopReductions::fit(std::int64_t step) const noexcept {
  return row_ == count_ ? step == 1 : std::lcm(step, row_) <= longest_row;
}

void LoopReductions::run(GraphRun& values, std::span<std::byte* const> arrays, std::int64_t step,
                         const MakePiece& make) const {
  Pass pass{make, arrays, summed_, array_bytes_};
  for (const Reduction& reduction : reductions_) {
    const ir::ValueId result = graph_->node(reduction.node).result();
    values.allocate(result);
    pass.results.push_back(values.view(result).mutable_data<std::byte>());
    pass.kernels.push_back(values.backend().kernels().at(reduction.op, reduction.dtype).kernel());
  }
  if (row_ == count_) {
    reduce_all(pass);
  } else if (summed_[reductions_[0].array]) {
    sum_rows(pass);
  } else {
    reduce_rows(pass, std::lcm(step, row_));
  }
}

void LoopReductions::reduce_all(Pass& pass) const {
  const std::int64_t chunks = cpu::chunks_of(count_);
  const std::int64_t parts = std::min<std::int64_t>(chunks, cpu::thread_count());
  pass.make_room(parts, piece);
  std::vector<State> states(static_cast<std::size_t>(chunks) * reductions_.size());
  cpu::for_each_chunk(parts, [&](std::int64_t part) {
    const cpu::Part own(chunks, parts, part);
    for (std::int64_t chunk = own.begin; chunk < own.end; ++chunk) {
      const cpu::Part range(count_, chunks, chunk);
      State* const of_chunk = &states[static_cast<std::size_t>(chunk) * reductions_.size()];
      for (std::int64_t begin = range.begin; begin < range.end; begin += piece) {
        const std::int64_t end = std::min(begin + piece, range.end);
        pass.make_piece(part, begin, end);
        for (std::size_t i = 0; i < reductions_.size(); ++i) {
          const auto& [node, array, op, dtype] = reductions_[i];
          State& state = of_chunk[i];
          if (summed_[array]) {
            state.total += pass.sum_of_piece(part, array, end - begin);
            continue;
          }
          std::byte* const elements = pass.at(part, array, begin);
          if (is_sum(op)) {
            state.total = pass.sums.of(dtype)(state.total, elements, end - begin);
            continue;
          }
          const bool is_first = begin == range.begin;
          const std::size_t bytes = info(dtype).bytes;
          reduce(pass.kernels[i], dtype, elements, end - begin,
                 state.best.data() + (is_first ? 0 : bytes));
          if (!is_first) {
            reduce(pass.kernels[i], dtype, state.best.data(), 2, state.best.data());
          }
        }
      }
    }
  });
  for (std::size_t i = 0; i < reductions_.size(); ++i) {
    finish(pass, i, states);
  }
}

void LoopReductions::reduce_rows(Pass& pass, std::int64_t unit) const {
  // The last one may have fewer rows: where a row is repeated, a unit has several of them.
  const std::int64_t in_piece = unit * std::max<std::int64_t>(piece / unit, 1);
  const std::int64_t pieces = (count_ + in_piece - 1) / in_piece;
  const std::int64_t parts =
      std::clamp<std::int64_t>(std::min(pieces, count_ / grain), 1, cpu::thread_count());
  pass.make_room(parts, in_piece);
  cpu::for_each_chunk(parts, [&](std::int64_t part) {
    const cpu::Part own(pieces, parts, part);
    for (std::int64_t k = own.begin; k < own.end; ++k) {
      const std::int64_t begin = k * in_piece;
      const std::int64_t end = std::min(begin + in_piece, count_);
      pass.make_piece(part, begin, end);
      const Shape rows{(end - begin) / row_, row_};
      const Shape results{rows[0]};
      for (std::size_t i = 0; i < reductions_.size(); ++i) {
        const auto& [node, array, op, dtype] = reductions_[i];
        const ops::View from(pass.at(part, array, begin), rows, dtype);
        const ops::View to(
            pass.results[i] + static_cast<std::size_t>(begin / row_) * info(dtype).bytes, results,
            dtype);
        constexpr ops::ReductionAttributes last_axis{.axes = 2};
        pass.kernels[i](ops::Call({&from, 1}, {&to, 1}, &last_axis));
      }
    }
  });
}

void LoopReductions::sum_rows(Pass& pass) const {
  const std::int64_t rows = count_ / row_;
  const std::int64_t parts =
      std::clamp<std::int64_t>(std::min(rows, count_ / grain), 1, cpu::thread_count());
  pass.make_room(parts, 0);
  // A line of the cache apart: each part writes to its own all the time.
  const std::size_t stride = reductions_.size() + Buffer::alignment / sizeof(double);
  std::vector<double> all_totals(static_cast<std::size_t>(parts) * stride);
  cpu::for_each_chunk(parts, [&](std::int64_t part) {
    const cpu::Part own(rows, parts, part);
    double* const totals = &all_totals[static_cast<std::size_t>(part) * stride];
    for (std::int64_t row = own.begin; row < own.end; ++row) {
      std::fill_n(totals, reductions_.size(), 0.0);
      for (std::int64_t begin = row * row_; begin < (row + 1) * row_; begin += piece) {
        const std::int64_t end = std::min(begin + piece, (row + 1) * row_);
        pass.make_piece(part, begin, end);
        for (std::size_t i = 0; i < reductions_.size(); ++i) {
          totals[i] += pass.sum_of_piece(part, reductions_[i].array, end - begin);
        }
      }
      for (std::size_t i = 0; i < reductions_.size(); ++i) {
        write_sum(reductions_[i].op, reductions_[i].dtype, totals[i], row_,
                  pass.results[i] + static_cast<std::size_t>(row) * sizeof(float));
      }
    }
  });
}

void LoopReductions::finish(const Pass& pass, std::size_t number,
                            std::span<const State> states) const {
  const Reduction& reduction = reductions_[number];
  const DType dtype = reduction.dtype;
  const std::size_t bytes = info(dtype).bytes;
  double total = 0;
  std::array<std::byte, cpu::most_chunks * 8> bests;
  std::int64_t chunks = 0;
  for (std::size_t i = number; i < states.size(); i += reductions_.size()) {
    total += states[i].total;
    std::memcpy(&bests[static_cast<std::size_t>(chunks++) * bytes], states[i].best.data(), bytes);
  }
  if (is_sum(reduction.op)) {
    write_sum(reduction.op, dtype, total, count_, pass.results[number]);
  } else {
    reduce(pass.kernels[number], dtype, bests.data(), chunks, pass.results[number]);
  }
}

}  // namespace ddx::backend::lazy
