/// \file
/// Elementwise operations of a graph that run together, a block of elements at a time.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"

#include "backend/cpu_jit/loop.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/graph_run.h"
#include "backend/lazy/loop_reductions.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {

/// Elementwise operations on arrays that stretch to one shape. Where the loop has been compiled,
/// that is what runs. Until then it goes over blocks that fit in the nearest caches, and runs every
/// operation on one block before it goes on to the next, by the kernels that run the operations one
/// by one; few elements, which are not worth blocks, by the operations one by one. What only these
/// operations read is never in memory as a whole. The results are the same to the bit.
class FusedLoop {
 public:
  /// The loop of some nodes, in their order, of which those that make `outputs` are needed
  /// afterwards, and with those of `reductions` that it can do as it goes. None where it would gain
  /// nothing (one operation; few elements, unless loops are compiled), or where operands are
  /// stretched in more ways than along the last axes and along the first ones.
  [[nodiscard]] static std::optional<FusedLoop> of(const ir::Graph& graph,
                                                   std::span<const std::size_t> nodes,
                                                   std::span<const std::size_t> reductions,
                                                   const std::vector<bool>& outputs);

  /// A loop of some nodes, one at least, for a group of loops (RowwiseGroup). None where it cannot
  /// be compiled, or where operands are stretched as above.
  [[nodiscard]] static std::optional<FusedLoop> in_chain(const ir::Graph& graph,
                                                         std::span<const std::size_t> nodes,
                                                         const std::vector<bool>& outputs);

  /// Runs it: computes the outputs, and releases what is not needed after the nodes.
  ///
  /// Throws:  as GraphRun::run.
  void run(GraphRun& values) const;

  /// The loop as a program; none where it has an operation that is not compiled, or too many.
  [[nodiscard]] std::optional<cpu_jit::Loop> program() const;
  /// Runs this from now on, as soon as it is there.
  void set_code(std::shared_ptr<const cpu_jit::CompiledLoop> code) { code_ = std::move(code); }

  /// The nodes, those that make numbers not among them, and then the reductions.
  [[nodiscard]] const std::vector<std::size_t>& nodes() const noexcept { return nodes_; }
  /// What it reads from outside, and its outputs.
  [[nodiscard]] const std::vector<ir::ValueId>& arrays() const noexcept { return arrays_; }
  /// Whether an output may be written over an operand, if this is the last loop that reads it.
  [[nodiscard]] bool may_overwrite(ir::ValueId output, ir::ValueId operand) const;

  /// The compiled code, and what it is called with in a run.
  struct CodeCall {
    cpu_jit::LoopFunction code;
    std::vector<std::byte*> arrays;
    std::vector<double> factors;
    std::int64_t row;
    Buffer repeated;  ///< Of short rows, which are read for all.

    /// Computes elements, where `given` are the arrays, or take the place of some.
    void operator()(std::byte* const* given, std::int64_t begin, std::int64_t end) const {
      code(given, factors.data(), begin, end, row);
    }
  };
  [[nodiscard]] bool has_code() const noexcept {
    return code_ != nullptr && code_->function() != nullptr;
  }
  /// Makes memory for the outputs, and finds the arrays, those not among them that are
  /// `is_tiled` (each of arrays()): in the place of these is null.
  ///
  /// Requires: has_code().
  /// Throws:   EnvironmentError where there is no memory.
  [[nodiscard]] CodeCall prepare(GraphRun& values, const std::vector<bool>& is_tiled) const;
  /// After the elements have been computed: gives back what is not needed any more of the arrays
  /// that are not in pieces.
  void release(GraphRun& values, const std::vector<bool>& is_tiled) const noexcept;
  /// Of what the parts begin at a multiple in which the code is called.
  [[nodiscard]] std::int64_t code_step() const;

  /// Elements in a row, where an operand is one row for all, or has one element for each.
  [[nodiscard]] std::int64_t row() const noexcept { return row_; }
  /// Whether an operand has one element for each row.
  [[nodiscard]] bool has_columns() const noexcept { return has_columns_; }
  /// Those of arrays() that are one row for all.
  [[nodiscard]] const std::vector<std::size_t>& row_arrays() const noexcept { return row_arrays_; }

 private:
  /// Where an instruction finds an operand, or leaves its result, for the rows of a block.
  struct Place {
    enum class Kind : std::uint8_t {
      Whole,      ///< An array of the loop's shape: the rows in it.
      Row,        ///< One row, for all.
      Column,     ///< One element for each row.
      Number,     ///< One element.
      Temporary,  ///< A part of the memory for blocks.
    };

    Kind kind = Kind::Whole;
    std::size_t number = 0;  ///< Of the array among arrays_, or of the part of the memory.
    DType dtype = DType::f32;
  };
  struct Instruction {
    std::size_t node;
    DType key;
    std::vector<Place> operands;
    Place result;
  };
  /// An output that may be written over an operand from outside, which the loop reads so often,
  /// all before. The first one of an output that has no other owner is taken.
  struct Overwriting {
    std::size_t output;  // Among arrays_.
    ir::ValueId operand;
    std::size_t uses;
  };
  /// What the blocks of one run have in common.
  struct Pass;

  [[nodiscard]] static cpu_jit::Loop::Access access_of(Place::Kind kind);
  /// The loop of nodes of which none is a number; none where operands do not stretch to it.
  [[nodiscard]] static std::optional<FusedLoop> over(const ir::Graph& graph,
                                                     std::vector<std::size_t> nodes,
                                                     const std::vector<bool>& outputs);

  FusedLoop(const ir::Graph& graph, const Shape& shape) : graph_(&graph), shape_(shape) {}

  [[nodiscard]] bool find_rows(std::span<const std::size_t> nodes);
  [[nodiscard]] std::optional<Place::Kind> kind_of(const Shape& shape) const;
  [[nodiscard]] Place outside(ir::ValueId value);
  void add_instructions(std::span<const std::size_t> nodes, const std::vector<bool>& outputs);
  void find_reductions(std::span<const std::size_t> reductions);
  void find_overwritings();
  /// Runs the nodes one by one: where an operand has failed, others are still to be computed, and
  /// where NaNs are debugged, each is asked.
  void run_apart(GraphRun& values) const;
  /// Says that its loop has been computed.
  void mark_done(GraphRun& values) const noexcept;
  /// As prepare, for any way to compute the elements.
  [[nodiscard]] std::vector<std::byte*> find_arrays(GraphRun& values,
                                                    const std::vector<bool>& is_tiled) const;
  void run_blocks(GraphRun& values) const;
  /// Lets rows be read that are repeated, in memory that is returned.
  [[nodiscard]] Buffer repeat_rows(std::vector<std::byte*>& arrays, std::int64_t times) const;
  void run_code(GraphRun& values) const;
  [[nodiscard]] std::size_t temporary_bytes() const noexcept;
  [[nodiscard]] std::size_t column_bytes() const noexcept;
  void run_block(const Pass& pass, std::int64_t first, std::byte* memory) const noexcept;

  const ir::Graph* graph_;
  Shape shape_;
  std::int64_t rows_ = 0;
  std::int64_t row_ = 0;           // Elements in a row.
  std::int64_t block_rows_ = 0;    // Rows in a block.
  std::size_t element_bytes_ = 0;  // Of the largest dtype.
  std::size_t temporaries_ = 0;    // Parts of the memory for blocks.
  std::vector<std::size_t> nodes_;
  LoopReductions reductions_;
  std::vector<Instruction> instructions_;
  std::vector<ir::ValueId> arrays_;      // Operands from outside, and outputs.
  std::vector<std::uint32_t> reads_;     // Of each, how often the instructions read it.
  std::vector<bool> only_reduced_;       // Of each, whether only the reductions read it.
  std::vector<std::size_t> row_arrays_;  // Those of arrays_ that are Rows.
  bool has_columns_ = false;
  std::vector<std::size_t> scaled_;  // The nodes that have a factor.
  std::vector<Overwriting> overwritings_;
  bool has_blocks_ = true;  // Else there are too few elements, or too long rows, for them.
  std::shared_ptr<const cpu_jit::CompiledLoop> code_;
};

/// About how many bytes of one array a block has, of loops that are made from now on. Returns what
/// it was before. For tests and measurements.
std::int64_t set_block_bytes(std::int64_t bytes) noexcept;

}  // namespace ddx::backend::lazy
