#include "backend/lazy/plan_cache.h"

#include "ddx/ir/graph.h"

#include "backend/lazy/plan.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>

namespace ddx::backend::lazy {

PlanCache& PlanCache::instance() {
  // Never destroyed: what static tensors have recorded is run when they are looked at.
  static auto* const cache = new PlanCache;
  return *cache;
}

std::shared_ptr<const Plan> PlanCache::plan_of(const ir::Graph& recorded) {
  const std::uint64_t hash = recorded.hash();
  {
    const std::scoped_lock lock(mutex_);
    const auto [begin, end] = entries_.equal_range(hash);
    const auto found = std::find_if(
        begin, end, [&](const auto& entry) { return entry.second.plan->recorded() == recorded; });
    if (found != end) {
      found->second.last_use = ++uses_;
      return found->second.plan;
    }
  }
  // Two threads may make equal plans at one time: one of them is dropped later.
  auto plan = std::make_shared<const Plan>(recorded);
  const std::scoped_lock lock(mutex_);
  if (entries_.size() >= most_plans) {
    drop_oldest();
  }
  entries_.emplace(hash, Entry{plan, ++uses_});
  ++made_;
  return plan;
}

std::uint64_t PlanCache::made() const {
  const std::scoped_lock lock(mutex_);
  return made_;
}

void PlanCache::drop_oldest() {
  entries_.erase(std::ranges::min_element(entries_, {},
                                          [](const auto& entry) { return entry.second.last_use; }));
}

}  // namespace ddx::backend::lazy
