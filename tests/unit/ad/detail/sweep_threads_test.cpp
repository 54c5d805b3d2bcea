#include "ad/detail/sweep_threads.h"

#include "ddx/ad/detail/memory_sweep.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <thread>
#include <vector>

namespace sweep_threads_test {

using ddx::detail::MemorySweep;
using ddx::detail::record_event;
using ddx::detail::reverse_event;
using ddx::detail::SweepThreads;

// The functions as the compiler calls them: by their names in LLVM IR.
void team_begin(MemorySweep* sweep) __asm__("ddx.rt.team_begin");
MemorySweep* team_member(MemorySweep* parent, std::uint32_t index,
                         std::uint32_t size) __asm__("ddx.rt.team_member");
void team_end(MemorySweep* sweep) __asm__("ddx.rt.team_end");
std::uint32_t team_begin_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_begin_reverse");
MemorySweep* team_enter_reverse(MemorySweep* parent,
                                std::uint32_t index) __asm__("ddx.rt.team_enter_reverse");
void team_run_reverse(MemorySweep* parent, std::uint32_t index, std::uint32_t count,
                      void (*body)(void*, std::uint32_t),
                      void* frame) __asm__("ddx.rt.team_run_reverse");
void team_turn_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_turn_reverse");
void team_leave_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_leave_reverse");
void team_end_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_end_reverse");
void team_barrier(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_barrier");
void team_barrier_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_barrier_reverse");
void team_ordered(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_ordered");
void team_end_ordered(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_end_ordered");

constexpr std::uint32_t team_size = 3;

/// Runs `work(index)` in as many threads as a team has members.
template <class Work>
void run_team(const Work& work) {
  std::vector<std::thread> threads;
  for (std::uint32_t i = team_size; i-- > 0;) {
    threads.emplace_back(work, i);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

TEST(SweepThreads, AddCotangentsOfATeamAtItsEnd) {
  MemorySweep sweep;
  const double x = 1;
  team_begin(&sweep);
  run_team([&](std::uint32_t index) { (void)team_member(&sweep, index, team_size); });
  team_end(&sweep);
  for (int i = 0; i < 2; ++i) {  // A reverse sweep may run again.
    sweep.begin_reverse();
    ASSERT_EQ(team_begin_reverse(&sweep), team_size);
    run_team([&](std::uint32_t index) {
      MemorySweep* const member = team_enter_reverse(&sweep, index);
      *member->place<double>(&x) += index + 1.0;
      team_turn_reverse(member);
      team_leave_reverse(member);
    });
    team_end_reverse(&sweep);
    EXPECT_EQ(*sweep.place<double>(&x), 6);
  }
}

TEST(SweepThreads, SeeWhatWasAddedBehindABarrier) {
  MemorySweep sweep;
  const double x = 1;
  double taken = 0;
  team_begin(&sweep);
  run_team(
      [&](std::uint32_t index) { team_barrier(team_size, team_member(&sweep, index, team_size)); });
  team_end(&sweep);
  sweep.begin_reverse();
  ASSERT_EQ(team_begin_reverse(&sweep), team_size);
  run_team([&](std::uint32_t index) {
    MemorySweep* const member = team_enter_reverse(&sweep, index);
    *member->place<double>(&x) += index + 1.0;  // Each read it behind the barrier.
    team_barrier_reverse(member);
    if (index == 1) {  // This one wrote it in front of it.
      taken = member->take<double>(&x);
    }
    team_turn_reverse(member);
    team_leave_reverse(member);
  });
  team_end_reverse(&sweep);
  EXPECT_EQ(taken, 6);
  EXPECT_EQ(*sweep.place<double>(&x), 0);
}

TEST(SweepThreads, CombineReductionsInTheOrderOfTheMembers) {
  MemorySweep sweep;
  std::vector<std::uint32_t> order;
  team_begin(&sweep);
  run_team([&](std::uint32_t index) {
    MemorySweep* const member = team_member(&sweep, index, team_size);
    for (int round = 0; round < 2; ++round) {
      team_ordered(team_size, member);
      order.push_back(index);
      team_end_ordered(team_size, member);
    }
  });
  team_end(&sweep);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 1, 2, 0, 1, 2}));
}

TEST(SweepThreads, PassALockInTheOppositeOrder) {
  MemorySweep sweep;
  const int lock = 0;
  team_begin(&sweep);
  MemorySweep* const members[2] = {team_member(&sweep, 0, 2), team_member(&sweep, 1, 2)};
  for (const int passing : {0, 1, 1, 0, 1, 0}) {
    record_event(*members[passing], &lock);  // It takes the lock,
    record_event(*members[passing], &lock);  // and gives it back.
  }
  for (int i = 0; i < 2; ++i) {
    sweep.begin_reverse();
    std::vector<int> order;
    const auto pass = [&](int passing) {
      for (int k = 0; k < 3; ++k) {
        reverse_event(*members[passing]);
        order.push_back(passing);
        reverse_event(*members[passing]);
      }
    };
    std::thread first(pass, 0);
    std::thread second(pass, 1);
    first.join();
    second.join();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 0, 1, 1, 0}));
  }
}

TEST(SweepThreads, RecordNothingBeforeTheFirstThread) {
  MemorySweep sweep;
  const int lock = 0;
  record_event(sweep, &lock);
  EXPECT_EQ(sweep.threads(), nullptr);
  sweep.begin_reverse();
  reverse_event(sweep);
}

TEST(SweepThreads, EndWithTheExceptionOfAMember) {
  MemorySweep sweep;
  team_begin(&sweep);
  run_team([&](std::uint32_t index) { (void)team_member(&sweep, index, team_size); });
  team_end(&sweep);
  const auto body = [](void* parent, std::uint32_t index) {
    MemorySweep* const member = team_enter_reverse(static_cast<MemorySweep*>(parent), index);
    if (index == 0) {
      throw std::out_of_range("member 0");
    }
    team_turn_reverse(member);  // Behind the turn of member 0, which it never takes.
    team_leave_reverse(member);
  };
  for (int i = 0; i < 2; ++i) {
    sweep.begin_reverse();
    ASSERT_EQ(team_begin_reverse(&sweep), team_size);
    // OpenMP gave one thread: the others are started.
    team_run_reverse(&sweep, 0, 1, body, &sweep);
    EXPECT_THROW(team_end_reverse(&sweep), std::out_of_range);
  }
}

}  // namespace sweep_threads_test
