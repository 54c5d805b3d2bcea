#include "ddx/ad/detail/checkpointed_loop.h"

#include "ddx/ad/detail/binomial_schedule.h"
#include "ddx/core/error.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>

namespace checkpointed_loop_test {

/// How many states there are, and the most there were.
struct Census {
  int alive = 0;
  int most = 0;
};
Census census;

/// A state that knows its step.
struct State {
  std::size_t step = 0;

  explicit State(std::size_t at) : step(at) { begin(); }
  State(const State& other) : step(other.step) { begin(); }
  State& operator=(const State&) = default;
  ~State() { --census.alive; }

 private:
  static void begin() { census.most = std::max(census.most, ++census.alive); }
};

struct Counts {
  std::size_t advanced = 0;
  std::size_t reversed = 0;
};

/// Reverses `steps` steps, after a first run to the end if `runs`.
Counts reverse_all(ddx::detail::Snapshots<State>& snapshots, std::size_t steps, bool runs) {
  Counts counts;
  const auto advance = [&](const State& state, std::size_t k) {
    EXPECT_EQ(state.step, k);
    ++counts.advanced;
    return State(k + 1);
  };
  if (runs && steps > 0) {
    EXPECT_EQ(snapshots.sweep_forward(steps, advance).step, steps - 1);
  }
  snapshots.sweep_back(steps, advance, [&](const State& state, std::size_t k) {
    EXPECT_EQ(state.step, k);
    ++counts.reversed;
    EXPECT_EQ(k, steps - counts.reversed);
  });
  return counts;
}

std::size_t least_advances(std::size_t steps, std::size_t memory) {
  const std::size_t r = ddx::detail::repetitions(steps, memory);
  return r == 0 ? 0 : r * steps - ddx::detail::binomial(memory + 1, r - 1);
}

TEST(Snapshots, AreTakenByTheBinomialScheduleAndBoundMemory) {
  for (const std::size_t memory : {1U, 2U, 3U, 5U, 10U}) {
    for (const std::size_t steps : {0U, 1U, 2U, 3U, 10U, 57U, 1000U}) {
      if (memory < 2 && steps > 100) {
        continue;
      }
      census = {};
      ddx::detail::Snapshots<State> snapshots(memory, State(0));
      for (const bool runs : {true, false}) {  // The second time, nothing but the start is left.
        const Counts counts = reverse_all(snapshots, steps, runs);
        EXPECT_EQ(counts.reversed, steps);
        EXPECT_EQ(counts.advanced, least_advances(steps, memory)) << steps << " by " << memory;
      }
      // Those that are held, one that moves, and the one that it becomes.
      EXPECT_LE(census.most, static_cast<int>(memory) + 2);
    }
  }
}

TEST(Snapshots, OfNoStatesAreAnError) {
  try {
    const ddx::detail::Snapshots<int> none(0, 1);
    ADD_FAILURE() << "no error";
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(std::string(error.what()),
              "checkpointed_loop: memory for 0 states; at least 1 must be held");
  }
}

}  // namespace checkpointed_loop_test
