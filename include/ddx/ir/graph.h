/// \file
/// A computation as data: values of known shape and dtype, and the operations that compute them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/detail/pool.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/op.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <vector>

namespace ddx::ir {

/// The type of a value.
struct Type {
  Shape shape;
  DType dtype = DType::f32;

  friend bool operator==(const Type&, const Type&) = default;
};

/// The size of a value's elements in memory.
[[nodiscard]] inline std::size_t bytes_of(const Type& type) noexcept {
  return static_cast<std::size_t>(type.shape.count()) * info(type.dtype).bytes;
}

/// A parameter of a graph, or the result of one of its nodes. Numbered in the order of creation.
enum class ValueId : std::uint32_t {};

/// A number passed to a run of the graph, such as a learning rate or a random key.
enum class ScalarId : std::uint32_t {};

/// Marks a run-time field whose value is in the attributes.
inline constexpr ScalarId baked{0xFFFFFFFF};

/// For each run-time field of a node's attributes, in order, the source of its value.
using ScalarFields = std::array<ScalarId, ops::max_run_time_fields>;
inline constexpr ScalarFields all_baked{baked, baked, baked};

/// A requirement on elements (ops::Check), passed to a run of the graph.
enum class CheckId : std::uint32_t {};

/// Marks an operation without requirements on its elements.
inline constexpr CheckId unchecked{0xFFFFFFFF};

/// The kind of a scalar: an element of any dtype, or a RandomKey.
enum class ScalarKind : std::uint8_t { Number, Key };

class Graph;

/// A graph used as a region of another one. Equal regions share a number.
enum class RegionId : std::uint32_t {};

/// How the operands of a scan are divided, and how it iterates over the slices.
struct ScanFields {
  std::uint32_t carries = 0;  ///< The first operands, and as many results.
  std::uint32_t slices = 0;   ///< The operands behind them; the others are invariants.
  std::int64_t trips = 0;     ///< Number of iterations: the leading extent of every slice.
  bool reverse = false;       ///< Whether it starts at the last slice. Results stay in place.

  friend bool operator==(const ScanFields&, const ScanFields&) = default;
};

/// An operation with regions, to be appended.
///
/// - `cond`: operands p (bool[]) and those that both regions take; each returns the node's results.
/// - `while_loop`: operands are the carry, as many values as there are results, and invariants.
///   Both regions take all of them; the condition returns a bool[], the body the next carry.
/// - `scan`: the body takes the carry, one slice each (the leading axis dropped), and the
///   invariants. It returns the next carry, and values that are stacked along a new leading axis:
///   the results are the last carry and the stacks.
///
/// A region sees nothing of the surrounding graph except its parameters, which are the operands,
/// and the scalars and checks that the node lists, in their order.
struct ControlFlow {
  Control control;
  std::vector<ValueId> operands;
  std::vector<std::shared_ptr<const Graph>> regions;  ///< As many as control_table says.
  ScanFields scan = {};
  std::vector<ScalarId> scalars = {};  ///< For each scalar of the regions, one of this graph.
  std::vector<CheckId> checks = {};    ///< For each check of the regions, one of this graph.
};

/// A view of an operation in a graph, valid until the graph changes. An operation with regions has
/// no attributes, no scalars of its own and no check; any other has none of the last fields.
struct Node {
  Operation op;
  std::span<const ValueId> operands;
  const ops::Attributes& attributes;
  ScalarFields scalars;
  CheckId check;
  ValueId first_result;  ///< The other results have the following numbers.
  std::size_t result_count;
  std::source_location where;  ///< The user's line, if known.
  std::span<const RegionId> regions;
  ScanFields scan;
  std::span<const ScalarId> region_scalars;
  std::span<const CheckId> region_checks;

  [[nodiscard]] ValueId result(std::size_t i = 0) const noexcept {
    return static_cast<ValueId>(static_cast<std::uint32_t>(first_result) + i);
  }
};

/// Operations in an executable order, each on earlier values, so a graph is acyclic by
/// construction. A graph is a value. Nodes are only appended; a pass builds a new graph.
///
/// An operand that is a `full` of rank 0 is a number: a constant, or, if its field is a scalar, a
/// run-time value.
class Graph {
 public:
  // Not inline: what the members need to be copied and destroyed takes 0.1 s to compile.
  Graph();
  Graph(const Graph& other);
  Graph(Graph&& other) noexcept;
  Graph& operator=(const Graph& other);
  Graph& operator=(Graph&& other) noexcept;
  ~Graph();

  /// Appends a parameter: an array passed to a run.
  ValueId add_parameter(const Type& type);

  /// Appends a scalar.
  ScalarId add_scalar(ScalarKind kind);

  /// Appends checks, each for the one node that names it, and returns the first.
  CheckId add_checks(std::uint32_t count = 1);

  /// Appends an operation and returns its first result. Types are checked by `verify`. The spans
  /// may not point into this graph.
  ///
  /// Throws:  InternalError if an operand, a scalar or a check is not of this graph.
  ValueId add_node(ops::Op op, std::span<const ValueId> operands, const ops::Attributes& attributes,
                   std::span<const Type> results, const ScalarFields& scalars = all_baked,
                   const std::source_location& where = {}, CheckId check = unchecked);
  ValueId add_node(ops::Op op, std::initializer_list<ValueId> operands,
                   const ops::Attributes& attributes, const Type& result,
                   const ScalarFields& scalars = all_baked, const std::source_location& where = {});

  /// Appends an operation with regions and returns its first result, as above.
  ///
  /// Throws:  InternalError if an operand, a scalar or a check is not of this graph, if a constant
  ///          scalar or no check is named, or if the number of regions is wrong.
  ValueId add_control(const ControlFlow& flow, std::span<const Type> results,
                      const std::source_location& where = {});

  /// Sets the results of the graph, replacing earlier ones. A value may occur repeatedly.
  ///
  /// Throws:  InternalError if one is not a value of this graph.
  void set_results(std::vector<ValueId> results);

  [[nodiscard]] std::span<const ValueId> parameters() const noexcept;
  [[nodiscard]] std::span<const ScalarKind> scalars() const noexcept;
  [[nodiscard]] std::size_t check_count() const noexcept { return check_count_; }
  [[nodiscard]] std::span<const ValueId> results() const noexcept;

  [[nodiscard]] std::size_t node_count() const noexcept { return nodes_.size(); }
  /// Requires i < node_count().
  [[nodiscard]] Node node(std::size_t i) const noexcept;

  /// The number of different regions of its nodes.
  [[nodiscard]] std::size_t region_count() const noexcept { return regions_.size(); }
  /// Requires a region of this graph.
  [[nodiscard]] const Graph& region(RegionId id) const noexcept {
    return *regions_[static_cast<std::size_t>(id)];
  }
  /// The same, as an owner.
  [[nodiscard]] const std::shared_ptr<const Graph>& shared_region(RegionId id) const noexcept {
    return regions_[static_cast<std::size_t>(id)];
  }

  [[nodiscard]] std::size_t value_count() const noexcept { return values_.size(); }
  /// Requires a value of this graph, as do the following.
  [[nodiscard]] const Type& type(ValueId value) const noexcept {
    return types_[values_[index(value)].type];
  }
  /// The node that computes the value; none for a parameter.
  [[nodiscard]] std::optional<std::size_t> producer(ValueId value) const noexcept;

  /// Whether two graphs compute the same in the same way: everything except the users' lines is
  /// equal.
  /// Cost:    linear in the graphs.
  friend bool operator==(const Graph& a, const Graph& b) noexcept;
  /// A hash that is equal for equal graphs, in every process.
  /// Cost:    linear in the graph.
  [[nodiscard]] std::uint64_t hash() const noexcept;

  /// The index of a value in an array with one element per value.
  [[nodiscard]] static constexpr std::size_t index(ValueId value) noexcept {
    return static_cast<std::size_t>(value);
  }
  [[nodiscard]] static constexpr std::size_t index(ScalarId scalar) noexcept {
    return static_cast<std::size_t>(scalar);
  }
  [[nodiscard]] static constexpr std::size_t index(CheckId check) noexcept {
    return static_cast<std::size_t>(check);
  }

 private:
  static constexpr std::uint32_t no_node = 0xFFFFFFFF;

  struct Value {
    std::uint32_t type;
    std::uint32_t node;

    friend bool operator==(const Value&, const Value&) = default;
  };
  struct Record {
    Operation op;
    std::uint32_t first_operand;
    std::uint32_t operand_count;
    std::uint32_t attributes;  // For a node with regions, its index in controls_.
    ScalarFields scalars;
    CheckId check;
    ValueId first_result;
    std::uint32_t result_count;
    std::source_location where;
  };
  /// The additional data of a node with regions.
  struct ControlRecord {
    std::vector<RegionId> regions;
    ScanFields scan;
    std::vector<ScalarId> scalars;
    std::vector<CheckId> checks;

    friend bool operator==(const ControlRecord&, const ControlRecord&) = default;
  };
  struct TypeTraits {
    static std::uint64_t hash(const Type& type) noexcept;
    static bool equal(const Type& a, const Type& b) noexcept { return a == b; }
  };
  struct AttributesTraits {
    static std::uint64_t hash(const ops::Attributes& a) noexcept { return ops::hash_of(a); }
    static bool equal(const ops::Attributes& a, const ops::Attributes& b) noexcept {
      return ops::identical(a, b);
    }
  };

  struct RegionTraits {
    static std::uint64_t hash(const std::shared_ptr<const Graph>& region) noexcept;
    static bool equal(const std::shared_ptr<const Graph>& a,
                      const std::shared_ptr<const Graph>& b) noexcept;
  };

  void check_ids(Operation op, std::span<const ValueId> operands, std::span<const ScalarId> scalars,
                 std::span<const CheckId> checks) const;
  ValueId append(Record record, std::span<const ValueId> operands, std::span<const Type> results);
  ValueId add_value(const Type& type, std::uint32_t node);

  std::vector<Value> values_;
  std::vector<Record> nodes_;
  std::vector<ValueId> operands_;
  detail::Pool<Type, TypeTraits> types_;
  detail::Pool<ops::Attributes, AttributesTraits> attributes_;
  detail::Pool<std::shared_ptr<const Graph>, RegionTraits> regions_;
  std::vector<ControlRecord> controls_;
  std::vector<ValueId> parameters_;
  std::vector<ScalarKind> scalars_;
  std::uint32_t check_count_ = 0;
  std::vector<ValueId> results_;
};

/// How often each value is an operand or a result of the graph.
[[nodiscard]] std::vector<std::uint32_t> use_counts(const Graph& graph);

}  // namespace ddx::ir
