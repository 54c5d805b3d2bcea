/// \file
/// Graphs that have been made ready to run, by their structure.

#pragma once

#include "ddx/core/detail/fork_gate.h"
#include "ddx/ir/graph.h"

#include "backend/lazy/executor.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ddx::backend::lazy {

/// Keeps the plans of the graphs that were used last. Of all threads.
class PlanCache {
 public:
  [[nodiscard]] static PlanCache& instance();

  /// What an executor runs of a graph, made ready where none of its structure is kept.
  [[nodiscard]] std::shared_ptr<const PreparedGraph> plan_of(const ir::Graph& recorded,
                                                             const Executor& executor);

 private:
  struct Entry {
    std::shared_ptr<const PreparedGraph> plan;
    const Executor* executor = nullptr;
    std::uint64_t last_use = 0;
  };

  // Of a program whose graphs are all different, this many are kept for nothing.
  static constexpr std::size_t most_plans = 256;

  /// What is kept of a graph, and counts as used now; null where nothing is.
  [[nodiscard]] std::shared_ptr<const PreparedGraph> find(std::uint64_t hash,
                                                          const ir::Graph& recorded,
                                                          const Executor& executor);
  /// All there are, the one used last at the end.
  [[nodiscard]] std::vector<std::shared_ptr<const PreparedGraph>> plans();
  void drop_oldest();

  ddx::detail::ForkSafeMutex mutex_;
  std::unordered_multimap<std::uint64_t, Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace ddx::backend::lazy
