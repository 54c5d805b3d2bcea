/// \file
/// Graphs as StableHLO programs, for every compiler that reads them.

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

/// What devices do with a result of the graph before it is returned.
enum class CollectiveKind : std::uint8_t {
  AllReduce,          ///< The sum over a group.
  AllGather,          ///< The parts of a group one after another along an axis.
  ReduceScatter,      ///< Of the sum over a group, each device one part along an axis.
  AllToAll,           ///< Parts along an axis exchanged, put together along `concatenated`.
  CollectivePermute,  ///< From device to device; zeros where nothing comes.
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

/// How a graph is emitted.
struct EmitOptions {
  /// For each parameter of the graph, whether its memory may be written over. Empty: for none.
  std::vector<bool> donated = {};
  std::int64_t replicas = 1;
  std::int64_t partitions = 1;
  /// What the shardings below name.
  Mesh mesh = {};
  /// For each parameter of the graph how it is spread over the mesh. Empty: not said.
  std::vector<std::optional<Sharding>> parameter_shardings = {};
  /// The same for each result of the graph.
  std::vector<std::optional<Sharding>> result_shardings = {};
  /// In their order, each on what the one before has made of the same result.
  std::vector<Collective> collectives = {};
  /// Whether products of f32 may be computed of fewer digits where the hardware is faster then.
  bool fast_products = false;
};

/// A parameter that stands for a scalar of the graph.
struct ScalarParameter {
  ir::ScalarId scalar{};
  /// Of a number what it is to be converted to, of rank 0; of a key u32[4]: the words of its state,
  /// each half low word first.
  ir::Type type;

  friend bool operator==(const ScalarParameter&, const ScalarParameter&) = default;
};

/// A program and how it is called: its parameters are those of the graph, and then `scalars`; its
/// results are those of the graph, and then for each check of the graph a bool[] that says whether
/// elements were what the operation cannot work with. Results that depend on a failed check have no
/// meaning.
struct Emitted {
  Module module;
  std::vector<ScalarParameter> scalars;
};

/// Emits a graph. A number that operations of several dtypes use is given once for each of them; a
/// scalar that nobody uses is not given.
///
/// DTypes:  those of 16 bits are computed in f32 and rounded once; sums are kept in f32.
/// Throws:  UsageError that names the operation and the reason where StableHLO cannot express it,
///          or where the options do not fit the graph.
/// Cost:    linear in the graph.
[[nodiscard]] Emitted emit(const ir::Graph& graph, const EmitOptions& options = {});

/// Why an operation cannot be emitted for a dtype of its key operand; empty where it can.
[[nodiscard]] std::string_view unsupported_reason(ops::Op op, DType key) noexcept;

}  // namespace ddx::stablehlo
