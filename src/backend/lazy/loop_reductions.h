/// \file
/// Reductions of what a loop makes, while it is still in the nearest caches.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "backend/graph_run.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

[[nodiscard]] constexpr bool is_sum(ops::Op op) noexcept {
  return op == ops::Op::sum || op == ops::Op::mean;
}

/// Writes the result of a sum or mean, of f32 or f64, of so many elements.
void write_sum(ops::Op op, DType dtype, double total, std::int64_t count,
               std::byte* result) noexcept;

/// Sums, means and extremes over all elements, or over the last axes, of arrays that a compiled
/// loop makes: each piece is reduced as soon as it is made, and what no other node reads never is
/// in memory as a whole. The results are those of the kernels to the bit, on any number of threads.
class LoopReductions {
 public:
  /// Makes the elements [begin, end) of the arrays of a loop.
  using MakePiece =
      std::function<void(std::byte* const* arrays, std::int64_t begin, std::int64_t end)>;

  /// None.
  LoopReductions() = default;
  /// Those of `candidates` that go along with a loop over a shape that makes `arrays`, some of them
  /// `made` by it. The first decides in which pieces the loop goes; those that ask for others do
  /// not.
  LoopReductions(const ir::Graph& graph, const Shape& loop, std::span<const ir::ValueId> arrays,
                 const std::vector<bool>& made, std::span<const std::size_t> candidates);

  [[nodiscard]] bool empty() const noexcept { return reductions_.empty(); }
  [[nodiscard]] std::vector<std::size_t> nodes() const;
  /// Lets the loop, whose pieces may begin anywhere, sum itself what it can, in registers
  /// (cpu_jit::Loop::Access::Sum): arrays of f32 of which only sums and means are needed.
  /// `alone` states of each array whether only the reductions read it.
  void sum_in_loop(const std::vector<bool>& alone);
  /// Of each array, whether the loop sums it.
  [[nodiscard]] const std::vector<bool>& summed() const noexcept { return summed_; }
  /// Whether the loop can go in the pieces that they need, where each has to begin at a multiple of
  /// `step`.
  [[nodiscard]] bool fit(std::int64_t step) const noexcept;

  /// Runs the loop and reduces what it makes. `arrays` are null where no other node reads them.
  ///
  /// Requires: fit(step).
  /// Throws:   EnvironmentError where there is no memory.
  void run(GraphRun& values, std::span<std::byte* const> arrays, std::int64_t step,
           const MakePiece& make) const;

 private:
  struct Reduction {
    std::size_t node;
    std::size_t array;  // Among the loop's.
    ops::Op op;
    DType dtype;
  };
  struct State;
  struct Pass;

  /// Reduces all elements to one.
  void reduce_all(Pass& pass) const;
  /// Reduces rows that the loop sums.
  void sum_rows(Pass& pass) const;
  /// Reduces rows; pieces are multiples of `unit`.
  void reduce_rows(Pass& pass, std::int64_t unit) const;
  /// Writes the result of a reduction, of the states of all chunks.
  void finish(const Pass& pass, std::size_t number, std::span<const State> states) const;

  const ir::Graph* graph_ = nullptr;
  std::int64_t count_ = 0;                // Elements of the loop.
  std::int64_t row_ = 0;                  // Elements that become one; count_ where all do.
  std::vector<std::size_t> array_bytes_;  // Of an element of each array.
  std::vector<bool> summed_;              // Of each array, whether the loop sums it.
  std::vector<Reduction> reductions_;
};

}  // namespace ddx::backend::lazy
