/// \file
/// Replicas of one program that train together.

#pragma once

#include "ddx/distributed/detail/collective.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ddx::distributed {

/// The replicas of a program, seen from one of them: processes that a launcher started
/// (`join_group`), threads (`run_on_threads`), or this program alone. A value: copies are the same
/// membership, which ends with the last of them.
///
/// The replicas of a group call the same collective operations in the same order, each from one
/// thread. Calls that differ are errors that name both; a replica that ends or does not respond in
/// time is an error that names it, on all others. After such an error the group is unusable: every
/// later operation throws the first error again.
class ProcessGroup {
 public:
  /// This program alone: every collective operation returns its argument.
  ProcessGroup() = default;
  /// For code that creates groups.
  explicit ProcessGroup(std::shared_ptr<detail::Collective> collective) noexcept
      : collective_(std::move(collective)) {}

  /// The number of this replica, in [0, size()).
  [[nodiscard]] std::int64_t rank() const noexcept { return collective_ ? collective_->rank() : 0; }
  /// The number of replicas.
  [[nodiscard]] std::int64_t size() const noexcept { return collective_ ? collective_->size() : 1; }
  /// Whether this is the first replica: the one that prints and writes files.
  [[nodiscard]] bool is_first() const noexcept { return rank() == 0; }

  /// Returns once all replicas have called it.
  ///
  /// Throws:  UsageError if another replica calls a different operation, EnvironmentError if one
  ///          does not respond.
  void barrier() const;

  /// Notifies the other replicas that this one gives up: they do not wait for it, and their next
  /// collective operation throws with this reason. Does nothing in a group of one.
  void give_up(const std::string& reason) const noexcept;

  /// The implementation; null for a group of one. For the collective operations.
  [[nodiscard]] detail::Collective* collective() const noexcept { return collective_.get(); }

  friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;

 private:
  std::shared_ptr<detail::Collective> collective_;
};

}  // namespace ddx::distributed
