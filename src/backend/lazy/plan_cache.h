/// \file
/// Graphs that have been made ready to run, by their structure.

#pragma once

#include "ddx/ir/graph.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace ddx::backend::lazy {

/// A graph that is ready to run.
struct Plan {
  /// Where a result of the recorded graph comes from: a result of the graph to run, or a parameter.
  struct Source {
    bool is_parameter;
    std::size_t place;
  };

  explicit Plan(const ir::Graph& from);

  ir::Graph recorded;
  ir::Graph runnable;
  std::vector<Source> sources;
};

/// Keeps the plans of the graphs that were used last. Of all threads.
class PlanCache {
 public:
  [[nodiscard]] static PlanCache& instance();

  /// The plan of a graph, made where none of its structure is kept.
  [[nodiscard]] std::shared_ptr<const Plan> plan_of(const ir::Graph& recorded);

  /// How many plans have been made.
  [[nodiscard]] std::uint64_t made() const;

 private:
  struct Entry {
    std::shared_ptr<const Plan> plan;
    std::uint64_t last_use = 0;
  };

  // Of a program whose graphs are all different, this many are kept for nothing.
  static constexpr std::size_t most_plans = 256;

  void drop_oldest();

  mutable std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Entry> entries_;
  std::uint64_t uses_ = 0;
  std::uint64_t made_ = 0;
};

}  // namespace ddx::backend::lazy
