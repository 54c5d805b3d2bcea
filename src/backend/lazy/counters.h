/// \file
/// What the lazy device counts.

#pragma once

#include "ddx/backend/lazy.h"
#include "ddx/ir/cost.h"

#include <atomic>
#include <chrono>
#include <cstdint>

namespace ddx::backend::lazy {

/// What running a graph once takes: known when it is made ready, except for what its regions take.
struct RunCost {
  std::uint64_t kernels = 0;     ///< Launches: a loop is one.
  std::uint64_t operations = 0;  ///< In them.
  ir::Cost work;

  RunCost& operator+=(const RunCost& other) noexcept {
    kernels += other.kernels;
    operations += other.operations;
    work += other.work;
    return *this;
  }
};

/// Counts of all threads together, each exact, not all of one moment.
class Counters {
 public:
  using Duration = std::chrono::steady_clock::duration;

  [[nodiscard]] static Counters& instance() noexcept;

  void count_hit() noexcept;
  void count_compile(Duration time) noexcept;
  void count_run(const RunCost& cost, Duration time) noexcept;

  /// All but what is counted elsewhere.
  [[nodiscard]] LazyStatistics statistics() const noexcept;

 private:
  using Count = std::atomic<std::uint64_t>;

  Count hits_{0};
  Count compiled_{0};
  Count compile_nanoseconds_{0};
  Count run_nanoseconds_{0};
  Count kernels_{0};
  Count operations_{0};
  Count flops_{0};
  Count bytes_read_{0};
  Count bytes_written_{0};
};

}  // namespace ddx::backend::lazy
