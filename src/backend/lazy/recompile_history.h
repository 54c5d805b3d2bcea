/// \file
/// What has been compiled lately, and why.

#pragma once

#include "ddx/backend/recompiles.h"
#include "ddx/core/detail/fork_gate.h"
#include "ddx/ir/graph.h"

#include "backend/lazy/executor.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

namespace ddx::backend::lazy {

/// The latest compilations. Of all threads.
class RecompileHistory {
 public:
  [[nodiscard]] static RecompileHistory& instance();

  [[nodiscard]] bool is_kept() const noexcept { return most_.load(std::memory_order_relaxed) > 0; }
  void keep(std::size_t most);

  /// Adds a graph that has been made ready, where `known` are those that were there before, the
  /// latest last. Where there is no memory to remember it, it is left out.
  void add(const ir::Graph& graph, std::chrono::nanoseconds compile_time,
           std::span<const std::shared_ptr<const PreparedGraph>> known) noexcept;

  [[nodiscard]] std::vector<Recompile> recompiles() const;

 private:
  std::atomic<std::size_t> most_{0};
  mutable ddx::detail::ForkSafeMutex mutex_;
  std::deque<Recompile> history_;
  std::uint64_t count_ = 0;
};

}  // namespace ddx::backend::lazy
