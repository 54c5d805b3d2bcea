/// \file
/// Emits graphs as StableHLO programs.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ddx::stablehlo {

/// A collective operation on a result of the graph before it is returned.
enum class CollectiveKind : std::uint8_t {
  AllReduce,          ///< The sum over a group.
  AllGather,          ///< The parts of a group concatenated along an axis.
  ReduceScatter,      ///< Each device gets one part, along an axis, of the sum over a group.
  AllToAll,           ///< Parts along an axis exchanged, concatenated along `concatenated`.
  CollectivePermute,  ///< From device to device; zeros without a sender.
};

/// A collective operation on one result.
struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  std::size_t result = 0;
  std::size_t axis = 0;          ///< Of AllGather, ReduceScatter and AllToAll (what is split).
  std::size_t concatenated = 0;  ///< Of AllToAll.
  /// The devices of each group, all of one size; of CollectivePermute pairs of sender and receiver.
  std::vector<std::vector<std::int64_t>> groups = {};
};

/// How the memory of a parameter may be used.
struct ParameterMemory {
  Donation donation = Donation::None;
  std::size_t aliased = 0;  ///< Of Donation::Result: the result of the graph that overwrites it.
};

/// How a graph is emitted.
struct EmitOptions {
  /// For each parameter of the graph. Empty: each is only read.
  std::vector<ParameterMemory> memory = {};
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  /// The mesh of the shardings below.
  Mesh mesh = {};
  /// For each parameter of the graph its partition over the mesh. Empty: unspecified.
  std::vector<std::optional<Sharding>> parameter_shardings = {};
  /// The same for each result of the graph.
  std::vector<std::optional<Sharding>> result_shardings = {};
  /// For each scalar of the graph the first number that is equal to it in every run, which is
  /// passed in its place; itself if there is none. Empty: each is passed.
  std::vector<ir::ScalarId> equal_scalars = {};
  /// In order, each on the result of the previous one.
  std::vector<Collective> collectives = {};
  /// Whether products of f32 may be computed with less precision if the hardware is faster then.
  bool fast_products = false;
};

/// The place of a scalar of the graph in an array.
struct ScalarPlace {
  ir::ScalarId scalar{};
  /// For a number the dtype to convert to, of rank 0; for a key u32[4]: the words of its state,
  /// each half low word first.
  ir::Type type;
  std::int64_t first = 0;  ///< The element of the array where it begins.

  friend bool operator==(const ScalarPlace&, const ScalarPlace&) = default;
};

/// A parameter that holds all scalars of one dtype, one behind the other: a run transfers one array
/// and not each scalar by itself.
struct ScalarArray {
  ir::Type type;  ///< Of rank 1.
  std::vector<ScalarPlace> scalars;

  friend bool operator==(const ScalarArray&, const ScalarArray&) = default;
};

/// A program and its calling convention. Its parameters are those of the graph, then `scalars`. Its
/// results are those of the graph, then, if the graph has n checks, a bool[n]: true for each check
/// whose elements were invalid for its operation. Results that depend on a failed check have no
/// meaning.
struct Emitted {
  Module module;
  std::vector<ScalarArray> scalars;
};

/// Emits a graph. A number that operations of several dtypes use is passed once for each of them;
/// equal ones are passed once, and an unused one is not passed.
///
/// DTypes:  16-bit types are computed in f32 and rounded once; sums are kept in f32.
/// Throws:  UsageError that names the operation and the reason if StableHLO cannot express it, or
///          if the options do not fit the graph.
/// Cost:    linear in the graph.
[[nodiscard]] Emitted emit(const ir::Graph& graph, const EmitOptions& options = {});

/// Why an operation cannot be emitted for a dtype of its key operand; empty if it can.
[[nodiscard]] std::string_view unsupported_reason(ops::Op op, DType key) noexcept;

}  // namespace ddx::stablehlo
