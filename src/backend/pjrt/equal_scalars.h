/// \file
/// Scalars of a graph that are equal in every run.

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"

#include <span>
#include <vector>

namespace ddx::backend::pjrt {

/// Which scalars of a graph have been equal, bit for bit, in all of its runs: an optimiser passes
/// the same numbers with each tensor. A program that takes each of them once is smaller, and the
/// updates of tensors of one shape are the same kernel, which XLA compiles once. Scalars that were
/// equal by chance are separated by the first run in which they differ; programs that were compiled
/// before are compiled again then. After some separations each scalar is its own for good, so that
/// happens a few times at most. Keys are their own. Of one thread at a time.
class EqualScalars {
 public:
  /// Looks at the scalars of the next run. True if earlier programs do not fit them.
  ///
  /// Cost:    linear in the scalars; n log n in the first run and where some are separated.
  [[nodiscard]] bool update(std::span<const ir::ScalarValue> values);

  /// For each scalar the first that is equal to it; empty: each is its own.
  [[nodiscard]] const std::vector<ir::ScalarId>& first_equal() const noexcept { return first_; }

 private:
  static constexpr int most_separations = 3;

  void separate(std::span<const ir::ScalarValue> values);

  std::vector<ir::ScalarId> first_;
  bool is_known_ = false;  // A run has been looked at.
  int separations_ = 0;
};

}  // namespace ddx::backend::pjrt
