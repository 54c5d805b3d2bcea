/// \file
/// What a group of replicas can do together: the closed seam behind ProcessGroup.

#pragma once

#include "ddx/distributed/reduction.h"
#include "ddx/tensor/detail/array.h"

#include <cstddef>
#include <cstdint>
#include <future>
#include <source_location>
#include <string>

namespace ddx::distributed::detail {

/// The operations of a group. Leave is its end.
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

/// One operation, as every replica of a group asks for it.
struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::Barrier;
  const char* operation = "";  ///< The function that the user called, for errors.
  Reduction reduction = Reduction::Sum;
  std::int64_t root = 0;  ///< The replica whose array a broadcast gives to all.
  /// How much this replica's array counts in a sum or a mean; where it is 0, not even a NaN does.
  double weight = 1;
  std::source_location where = {};
};

/// How the replicas of a group reach each other. An implementation is a folder or file of
/// src/distributed: processes that send bytes; later, the devices of one plugin. Each replica calls
/// the same operations in the same order, and each call gives one array for one array.
class Collective {
 public:
  Collective() = default;
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  [[nodiscard]] virtual std::int64_t rank() const noexcept = 0;
  [[nodiscard]] virtual std::int64_t size() const noexcept = 0;

  /// Does it, together with the other replicas.
  ///
  /// Throws:  UsageError where the replicas' calls differ, EnvironmentError where one of them does
  ///          not come. The group is then of no use any more.
  [[nodiscard]] virtual ddx::detail::Array run(const CollectiveCall& call,
                                               const ddx::detail::Array& operand) = 0;

  /// As run, while the caller goes on; in the order of the calls. The operand's elements are there,
  /// and nobody writes them until it is done.
  [[nodiscard]] virtual std::future<ddx::detail::Array> submit(
      const CollectiveCall& call, const ddx::detail::Array& operand) = 0;

  /// Tells the other replicas that this one gives up, so that they need not wait for it.
  virtual void give_up(const std::string& reason) noexcept = 0;
};

}  // namespace ddx::distributed::detail
