/// \file
/// The trace trie: recorded sequences of operations, and the guards by which they are recognised.

#pragma once

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/detail/pool.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/scalars.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/lazy/attribute_guard.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/trace_inputs.h"
#include "backend/lazy_value.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <unordered_map>
#include <vector>

namespace ddx::backend::lazy {

/// Removes the inputs that were added during its lifetime, unless they are kept.
class InputRollback {
 public:
  explicit InputRollback(TraceInputs& given) noexcept
      : given_(&given), arrays_(given.arrays.size()), scalars_(given.scalars.size()) {}
  InputRollback(const InputRollback&) = delete;
  InputRollback& operator=(const InputRollback&) = delete;
  ~InputRollback() {
    if (given_ != nullptr) [[unlikely]] {
      take_away();
    }
  }

  void keep() noexcept { given_ = nullptr; }
  /// Whether there is any.
  [[nodiscard]] bool is_any() const noexcept {
    return given_->arrays.size() > arrays_ || given_->scalars.size() > scalars_;
  }

 private:
  void take_away() noexcept;

  TraceInputs* given_;
  std::size_t arrays_;
  std::size_t scalars_;
};

/// A trie of sequences of operations, which share their prefixes. An operation that has been
/// recorded at a node before costs a comparison: of what it is, where its operands come from, and
/// their types. The graph or the plan of a sequence is computed once.
class TraceTrie {
 public:
  /// The number of a step, which ends the sequence that leads there.
  using Node = std::uint32_t;
  static constexpr Node root = 0;

  /// A recorded sequence as a graph without results.
  struct Recorded {
    ir::Graph graph;
    std::vector<ir::ValueId> results;     ///< Of the operations, in their order.
    std::vector<ir::ValueId> parameters;  ///< By the number of the array.
  };

  /// The sequences of one trace: its results are known by their numbers. `residency` is
  /// that of its device; null: it has none.
  explicit TraceTrie(const Producer* trace, const Producer* residency = nullptr)
      : trace_(trace), residency_(residency) {
    clear();
  }

  /// The child of `at` that an operation leads to where it has been recorded there before; else
  /// `root`, also where an operand is not ready (`is_ready`). `given` is what the sequence up to
  /// `at` works with, and gets what the operation adds.
  ///
  /// Throws:  std::bad_alloc; `given` is then as before.
  /// Defined in trace_trie_match.h.
  [[nodiscard]] Node known(Node at, const Operation& operation, TraceInputs& given);

  /// A new child of `at` for an operation that leads to none yet and whose operands are ready.
  /// `given` as above; placeholders are in it.
  ///
  /// Throws:  std::bad_alloc, EnvironmentError; `given` is then as before.
  [[nodiscard]] Node add(Node at, const Operation& operation, TraceInputs& given);

  /// Whether an operand can be recorded as it is: a number, an array whose elements are there or on
  /// the device, or a result of the trace with elements of this type.
  [[nodiscard]] bool is_ready(const ops::View& operand) const {
    const Block* const block = block_of(operand);
    if (block == nullptr) {
      return true;
    }
    const std::uint64_t written = block->written.load(std::memory_order_acquire);
    if (written != lazy_elements) {
      return written == 0;
    }
    const LazyValue& lazy_value = *lazy_value_of(const_cast<Block&>(*block));
    return is_own(lazy_value, *block, operand) || is_on_device(lazy_value, operand.dtype());
  }
  /// Whether a lazy value lies on the device, with elements of this type.
  [[nodiscard]] bool is_on_device(const LazyValue& lazy_value, DType dtype) const noexcept {
    return residency_ != nullptr &&
           lazy_value.producer.load(std::memory_order_acquire) == residency_ &&
           lazy_value.dtype == dtype;
  }

  /// A number that is equal for what one line of a loop does in each turn.
  [[nodiscard]] std::uint64_t signature(Node node) const { return steps_[node].signature; }
  /// The hash of the signatures of the sequence (FlushPoints::extended).
  [[nodiscard]] std::uint64_t hash(Node node) const { return steps_[node].hash; }
  /// Whether there are checks of the operation that leads there, or of its regions.
  [[nodiscard]] bool is_checked(Node node) const { return steps_[node].is_checked; }
  /// How many results the sequence has.
  [[nodiscard]] std::uint32_t result_count(Node node) const {
    return steps_[node].first_result + steps_[node].result_count;
  }

  /// The graph, with parameters of these types before those that the sequence takes: for
  /// placeholders, whether or not it uses them.
  ///
  /// Cost:    linear in the sequence.
  [[nodiscard]] Recorded graph_of(Node node, std::span<const ir::Type> placeholders = {}) const;

  /// The operation that makes a result of the sequence, and the user's line of it.
  struct Maker {
    ir::Operation op;
    std::source_location where;
  };
  [[nodiscard]] Maker maker_of(Node node, std::uint32_t result) const;

  /// What an executor runs to make these results of the sequence, in ascending order; where it has
  /// not been made yet, from a cache. It is always the same executor.
  [[nodiscard]] std::shared_ptr<const PreparedGraph> plan_of(Node node,
                                                             std::span<const std::uint32_t> results,
                                                             const Executor& executor);

  /// Whether it holds more than programs with loops need.
  [[nodiscard]] bool is_large() const noexcept {
    return steps_.size() > most_steps || plan_count_ > most_plans;
  }
  /// Forgets everything.
  void clear();

 private:
  static constexpr std::size_t most_steps = 32768;
  static constexpr std::size_t most_plans = 256;
  // A node with more children than this gets a new one.
  static constexpr int most_looks = 16;

  struct Operand {
    enum class Kind : std::uint8_t {
      Result,  ///< Of the operation with this number.
      Array,   ///< With this number among those given.
      Number,  ///< In numbers_, baked.
      Scalar,  ///< Given.
    };

    Kind kind;
    std::uint32_t index;
    std::uint32_t type;
  };
  struct Step {
    ir::Operation op = ops::Op::add;
    bool has_check = false;
    bool is_checked = false;
    bool has_attributes = false;  // Or regions: then there is more to compare.
    bool gives = false;           // Arrays or scalars.
    std::uint32_t operand_count = 0;
    std::uint32_t result_count = 0;
    std::uint32_t first_operand = 0;  // In operands_.
    std::uint32_t first_type = 0;     // Of the results, in result_types_.
    std::uint32_t guard = 0;          // Of one with regions, its index in controls_.
    std::uint32_t first_result = 0;
    Node parent = root;
    Node first_child = root;   // root: none.
    Node next_sibling = root;  // root: none.
    std::uint64_t signature = 0;
    std::uint64_t hash = FlushPoints::empty_hash;  // Of the signatures that lead here.
  };
  static_assert(sizeof(Step) == 64);
  /// What a step with regions has instead of a guard.
  struct Control {
    std::vector<std::shared_ptr<const ir::Graph>> graphs;
    ir::ScanFields scan;
    std::vector<ir::ScalarKind> scalars;
    std::uint32_t checks;

    [[nodiscard]] bool passes(const Regions& regions, std::vector<ir::ScalarValue>& scalars) const;
  };
  struct TypeTraits {
    static std::uint64_t hash(const ir::Type& type) noexcept;
    static bool equal(const ir::Type& a, const ir::Type& b) noexcept { return a == b; }
  };
  struct GuardTraits {
    static std::uint64_t hash(const AttributeGuard& guard) noexcept;
    static bool equal(const AttributeGuard& a, const AttributeGuard& b) noexcept;
  };
  struct Planned {
    std::vector<std::uint32_t> results;
    std::shared_ptr<const PreparedGraph> plan;
  };

  /// `known` behind a step that is not the operation's, with the others that follow upon `at`.
  [[nodiscard]] Node known_behind(Node before, Node at, const Operation& operation,
                                  TraceInputs& given);
  [[nodiscard]] bool matches(const Step& step, const Operation& operation,
                             TraceInputs& given) const;
  /// Whether operands and attributes are those of the step; some of what they give is given even
  /// where they are not.
  [[nodiscard]] bool matches_given(const Step& step, const Operation& operation,
                                   TraceInputs& given) const;
  /// Whether the attributes, or the regions, are those of the step.
  [[nodiscard]] bool passes(const Step& step, const void* attributes, TraceInputs& given) const;
  [[nodiscard]] bool matches(const Operand& operand, const ops::View& view,
                             TraceInputs& given) const;
  [[nodiscard]] bool matches_new_array(const ops::View& view, TraceInputs& given) const;
  /// Whether a lazy value is the trace's, with elements of the view's type.
  [[nodiscard]] bool is_own(const LazyValue& lazy_value, const Block& block,
                            const ops::View& view) const {
    return lazy_value.producer.load(std::memory_order_relaxed) == trace_ &&
           lazy_value.dtype == view.dtype() && block.failure == nullptr;
  }
  [[nodiscard]] Operand operand_of(const ops::View& view, TraceInputs& given);
  void append(const Step& step, const std::source_location& where, Recorded& recorded) const;
  void append_control(const Step& step, const std::source_location& where,
                      const std::vector<ir::ValueId>& operands, const std::vector<ir::Type>& types,
                      Recorded& recorded) const;

  const Producer* trace_;
  const Producer* residency_;
  std::vector<Step> steps_;
  std::vector<std::source_location> wheres_;  // The users' lines, by step.
  std::vector<Operand> operands_;
  std::vector<std::uint32_t> result_types_;
  ir::detail::Pool<AttributeGuard, GuardTraits> guards_;
  std::vector<Control> controls_;
  std::vector<ops::Literal> numbers_;
  ir::detail::Pool<ir::Type, TypeTraits> types_;
  std::unordered_map<Node, std::vector<Planned>> plans_;
  std::size_t plan_count_ = 0;
};

}  // namespace ddx::backend::lazy
