/// \file
/// What a thread has recorded and not yet run.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/lazy/cut_points.h"
#include "backend/promise.h"

#include <cstddef>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace ddx::backend::lazy {

/// An operation as the front end calls it: views of arrays, or of one element without a block. The
/// outputs are promises that nobody has seen yet.
struct Operation {
  ops::Op op;
  std::span<const ops::View> inputs;
  std::span<const ops::View> outputs;
  const void* attributes;
  const ops::Check& check;
};

/// The operations of one thread since its last cut, as a graph, with the arrays and numbers that it
/// is to be run with. A cut runs it as a whole, and keeps the promises that somebody still has.
///
/// A lock guards it: another thread that looks at a result cuts it too.
class Trace final : public Promiser {
 public:
  /// The trace of the calling thread.
  [[nodiscard]] static Trace& of_this_thread();

  Trace() = default;
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Appends an operation, after a cut of its own or of another trace where an operand needs that.
  ///
  /// Throws:  EnvironmentError or std::bad_alloc where there is no memory: then it is as it was
  ///          before.
  void record(const Operation& operation);

  /// Runs what there is.
  void cut() noexcept;

  /// As backend::recorded_graph.
  [[nodiscard]] ir::Graph recorded(std::span<const ops::View> arrays);

  void fulfil(Block& block) noexcept override;

 private:
  /// A promise, with the trace among its owners: one that nobody else owns is not kept.
  struct Made {
    Buffer promise;
    ir::ValueId value;
  };
  /// Everything that a cut leaves behind, to be destroyed after the lock is gone.
  struct Contents {
    ir::Graph graph;
    std::vector<Buffer> parameters;
    std::vector<ir::ScalarValue> scalars;
    std::vector<ops::Check> checks;
    std::vector<Made> made;
    std::unordered_map<const Block*, std::vector<ir::ValueId>> known;  // By what memory.
  };

  // A graph of more operations costs more to make ready than its cuts do.
  static constexpr std::size_t most_operations = 8192;

  [[nodiscard]] Contents run() noexcept;
  [[nodiscard]] bool has_other_dtype(const ops::View& view) const;
  void append(const Operation& operation);
  [[nodiscard]] ir::ValueId operand(const ops::View& view);
  [[nodiscard]] ir::ValueId number(const ops::View& view);
  [[nodiscard]] ir::ValueId parameter(const ops::View& view);
  [[nodiscard]] ir::ValueId in_shape(ir::ValueId value, const ops::View& view);
  [[nodiscard]] ir::ScalarFields scalars_of(ops::Attributes& attributes);

  std::mutex mutex_;
  Contents now_;
  CutPoints cut_points_;
};

}  // namespace ddx::backend::lazy
