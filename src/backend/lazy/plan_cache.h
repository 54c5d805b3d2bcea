/// \file
/// Graphs that have been made ready to run, by their structure.

#pragma once

#include "ddx/ir/graph.h"

#include "backend/lazy/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ddx::backend::lazy {

/// Keeps the plans of the graphs that were used last. Of all threads.
class PlanCache {
 public:
  [[nodiscard]] static PlanCache& instance();

  /// The plan of a graph, made where none of its structure is kept.
  [[nodiscard]] std::shared_ptr<const Plan> plan_of(const ir::Graph& recorded);

 private:
  struct Entry {
    std::shared_ptr<const Plan> plan;
    std::uint64_t last_use = 0;
  };

  // Of a program whose graphs are all different, this many are kept for nothing.
  static constexpr std::size_t most_plans = 256;

  /// All there are, the one used last at the end.
  [[nodiscard]] std::vector<std::shared_ptr<const Plan>> plans();
  void drop_oldest();

  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Entry> entries_;
  std::uint64_t uses_ = 0;
};

}  // namespace ddx::backend::lazy
