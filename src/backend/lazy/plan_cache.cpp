#include "backend/lazy/plan_cache.h"

#include "ddx/ir/graph.h"

#include "backend/lazy/counters.h"
#include "backend/lazy/executor.h"
#include "backend/lazy/recompile_history.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace ddx::backend::lazy {

PlanCache& PlanCache::instance() {
  // Never destroyed: what static tensors have recorded is run when they are looked at.
  static auto* const cache = new PlanCache;
  return *cache;
}

std::shared_ptr<const PreparedGraph> PlanCache::plan_of(const ir::Graph& recorded,
                                                        const Executor& executor) {
  const std::uint64_t hash = recorded.hash();
  {
    const std::scoped_lock lock(mutex_);
    if (auto known = find(hash, recorded, executor)) {
      Counters::instance().count_hit();
      return known;
    }
  }
  const auto begin = std::chrono::steady_clock::now();
  auto plan = executor.prepare(recorded);
  const auto time = std::chrono::steady_clock::now() - begin;
  Counters::instance().count_compile(time);
  if (RecompileHistory& history = RecompileHistory::instance(); history.is_kept()) {
    history.add(recorded, time, plans());
  }
  const std::scoped_lock lock(mutex_);
  // Another thread may have made an equal one meanwhile, and be compiling it.
  if (auto known = find(hash, recorded, executor)) {
    return known;
  }
  if (entries_.size() >= most_plans) {
    drop_oldest();
  }
  entries_.emplace(hash, Entry{plan, &executor, ++uses_});
  return plan;
}

std::shared_ptr<const PreparedGraph> PlanCache::find(std::uint64_t hash, const ir::Graph& recorded,
                                                     const Executor& executor) {
  const auto [begin, end] = entries_.equal_range(hash);
  const auto found = std::find_if(begin, end, [&](const auto& entry) {
    return entry.second.executor == &executor && entry.second.plan->recorded() == recorded;
  });
  if (found == end) {
    return nullptr;
  }
  found->second.last_use = ++uses_;
  return found->second.plan;
}

std::vector<std::shared_ptr<const PreparedGraph>> PlanCache::plans() {
  const std::scoped_lock lock(mutex_);
  std::vector<const Entry*> entries;
  for (const auto& [hash, entry] : entries_) {
    entries.push_back(&entry);
  }
  std::ranges::sort(entries, {}, &Entry::last_use);
  std::vector<std::shared_ptr<const PreparedGraph>> plans;
  for (const Entry* entry : entries) {
    plans.push_back(entry->plan);
  }
  return plans;
}

void PlanCache::drop_oldest() {
  entries_.erase(std::ranges::min_element(entries_, {},
                                          [](const auto& entry) { return entry.second.last_use; }));
}

}  // namespace ddx::backend::lazy
