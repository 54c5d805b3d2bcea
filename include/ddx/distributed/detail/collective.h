/// \file
/// The operations of a group of replicas: the interface behind ProcessGroup.

#pragma once

#include "ddx/distributed/detail/future_declaration.h"
#include "ddx/distributed/reduction.h"
#include "ddx/tensor/detail/array.h"

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <string>

namespace ddx::distributed::detail {

/// The operations of a group. Leave is the last one.
enum class CollectiveKind : std::uint8_t {
  AllReduce,
  AllGather,
  ReduceScatter,
  Broadcast,
  AllToAll,
  Barrier,
  Leave,
};

/// Renders as "all_reduce" and so on.
[[nodiscard]] const char* to_string(CollectiveKind kind) noexcept;

/// One operation, as each replica of a group calls it.
struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::Barrier;
  const char* operation = "";  ///< The function that the user called, for errors.
  Reduction reduction = Reduction::Sum;
  std::int64_t root = 0;  ///< The replica whose array a broadcast sends to all.
  /// The weight of this replica's array in a sum or a mean; with 0, even a NaN does not count.
  double weight = 1;
  std::source_location where = {};
};

/// How the replicas of a group communicate. An implementation is a folder or file of
/// src/distributed: processes that send bytes; later, the devices of one plugin. Each replica calls
/// the same operations in the same order, and each call returns one array for one array.
class Collective {
 public:
  Collective() = default;
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  [[nodiscard]] virtual std::int64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::int64_t size() const noexcept = 0;

  /// Runs the operation, together with the other replicas.
  ///
  /// Throws:  UsageError if the replicas' calls differ, EnvironmentError if one of them does not
  ///          respond. The group is then unusable.
  [[nodiscard]] virtual ddx::detail::Array run(const CollectiveCall& call,
                                               const ddx::detail::Array& operand) = 0;

  /// Like run, in the background, in the order of the calls. The operand's elements are ready, and
  /// must not be written until the operation is done.
  [[nodiscard]] virtual std::future<ddx::detail::Array> submit(
      const CollectiveCall& call, const ddx::detail::Array& operand) = 0;

  /// Notifies the other replicas that this one gives up, so that they do not wait for it.
  virtual void give_up(const std::string& reason) noexcept = 0;
};

}  // namespace ddx::distributed::detail
