/// The functions that derivatives of parallel regions of OpenMP call, under the names that the
/// compiler knows.

#include "ddx/ad/detail/memory_sweep.h"

#include "ad/detail/sweep_threads.h"

#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace ddx::detail {

namespace {

struct TeamRecord {
  std::uint64_t size;
  std::uint64_t unused;
};
static_assert(sizeof(TeamRecord) == 16);

/// Records a number.
void push_number(MemorySweep& sweep, std::uint64_t number) {
  ::new (static_cast<void*>(sweep.push(sizeof(TeamRecord)))) TeamRecord{number, 0};
}

std::uint64_t pop_number(MemorySweep& sweep) noexcept {
  return reinterpret_cast<const TeamRecord*>(sweep.pop(sizeof(TeamRecord)))->size;
}

}  // namespace

/// Before a parallel region, in the thread that starts it.
void team_begin(MemorySweep* sweep) __asm__("ddx.rt.team_begin");
void team_begin(MemorySweep* sweep) {
  SweepThreads::of(*sweep).turn.set(0);
}

/// Returns the sweep of member `index` of a team of `size`.
MemorySweep* team_member(MemorySweep* parent, std::uint32_t index,
                         std::uint32_t size) __asm__("ddx.rt.team_member");
MemorySweep* team_member(MemorySweep* parent, std::uint32_t index, std::uint32_t size) {
  SweepThreads& team = SweepThreads::of(*parent);
  MemorySweep& sweep = team.member(index);
  SweepThreads& member = SweepThreads::of(sweep);
  member.team = &team;
  member.index = index;
  member.size = size;
  member.rounds = 0;
  if (index == 0) {
    team.team_size = size;
  }
  return &sweep;
}

/// Behind the region.
void team_end(MemorySweep* sweep) __asm__("ddx.rt.team_end");
void team_end(MemorySweep* sweep) {
  push_number(*sweep, SweepThreads::of(*sweep).team_size);
}

/// Before the reverse of the region. Returns the size of the team.
std::uint32_t team_begin_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_begin_reverse");
std::uint32_t team_begin_reverse(MemorySweep* sweep) {
  SweepThreads& team = SweepThreads::of(*sweep);
  team.team_size = static_cast<std::uint32_t>(pop_number(*sweep));
  team.turn.set(0);
  team.publish();
  return team.team_size;
}

/// In each of `count` threads of OpenMP that run the reverse: runs `body(frame, i)` for each member
/// of the team. There may be fewer threads than members.
void team_run_reverse(MemorySweep* parent, std::uint32_t index, std::uint32_t count,
                      void (*body)(void*, std::uint32_t),
                      void* frame) __asm__("ddx.rt.team_run_reverse");
void team_run_reverse(MemorySweep* parent, std::uint32_t index, std::uint32_t count,
                      void (*body)(void*, std::uint32_t), void* frame) {
  const std::uint32_t size = SweepThreads::of(*parent).team_size;
  // OpenMP lets no exception out of a region.
  const auto run = [parent, body, frame](std::uint32_t member) noexcept {
    try {
      body(frame, member);
    } catch (...) {
      SweepThreads::of(*parent).common().fail(std::current_exception());
    }
  };
  std::vector<std::thread> others;
  for (std::uint32_t i = count; index == 0 && i < size; ++i) {
    others.emplace_back(run, i);
  }
  if (index < size) {
    run(index);
  }
  for (std::thread& other : others) {
    other.join();
  }
}

/// Returns the sweep of member `index`, for its reverse.
MemorySweep* team_enter_reverse(MemorySweep* parent,
                                std::uint32_t index) __asm__("ddx.rt.team_enter_reverse");
MemorySweep* team_enter_reverse(MemorySweep* parent, std::uint32_t index) {
  SweepThreads& team = SweepThreads::of(*parent);
  MemorySweep& sweep = team.member(index);
  SweepThreads& member = SweepThreads::of(sweep);
  member.size = team.team_size;
  member.rounds = 0;
  member.observe();
  return &sweep;
}

/// At the end of a member's reverse: the turn is the member's until team_leave_reverse.
void team_turn_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_turn_reverse");
void team_turn_reverse(MemorySweep* sweep) {
  SweepThreads& member = SweepThreads::of(*sweep);
  member.wait_for_turn(member.index);
  member.publish();
}

void team_leave_reverse(MemorySweep* sweep) noexcept __asm__("ddx.rt.team_leave_reverse");
void team_leave_reverse(MemorySweep* sweep) noexcept {
  SweepThreads& member = SweepThreads::of(*sweep);
  member.end_turn(member.index);
}

/// Behind the reverse of the region.
void team_end_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_end_reverse");
void team_end_reverse(MemorySweep* sweep) {
  SweepThreads& team = SweepThreads::of(*sweep);
  team.observe();
  team.common().rethrow_failure();
  if (sweep->layer() == nullptr) {
    team.common().cotangents.settle();
  }
}

/// A barrier in a team of `size`, beside the barrier itself.
void team_barrier(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_barrier");
void team_barrier(std::uint32_t size, MemorySweep* sweep) {
  push_number(*sweep, size);
}

/// Its reverse: a barrier at which the members publish in the order of their numbers.
void team_barrier_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_barrier_reverse");
void team_barrier_reverse(MemorySweep* sweep) {
  if (pop_number(*sweep) <= 1) {
    return;
  }
  SweepThreads& member = SweepThreads::of(*sweep);
  const std::uint32_t all = (member.rounds + 1) * member.size;
  member.wait_for_turn(member.index);
  member.publish();
  member.end_turn(member.index);
  member.team->turn.wait_until(
      [all](std::uint32_t now) { return static_cast<std::int32_t>(now - all) >= 0; });
  member.observe();
}

/// The begin of the part of a reduction that the members run one after the other, in the order of
/// their numbers.
void team_ordered(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_ordered");
void team_ordered(std::uint32_t size, MemorySweep* sweep) {
  push_number(*sweep, size);
  if (size > 1) {
    SweepThreads& member = SweepThreads::of(*sweep);
    member.wait_for_turn(member.index);
  }
}

void team_end_ordered(std::uint32_t size, MemorySweep* sweep) __asm__("ddx.rt.team_end_ordered");
void team_end_ordered(std::uint32_t size, MemorySweep* sweep) {
  push_number(*sweep, size);
  if (size > 1) {
    SweepThreads& member = SweepThreads::of(*sweep);
    member.end_turn(member.index);
  }
}

void team_end_ordered_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_end_ordered_reverse");
void team_end_ordered_reverse(MemorySweep* sweep) {
  if (pop_number(*sweep) > 1) {
    SweepThreads& member = SweepThreads::of(*sweep);
    member.wait_for_turn(member.size - 1 - member.index);
    member.observe();
  }
}

void team_ordered_reverse(MemorySweep* sweep) __asm__("ddx.rt.team_ordered_reverse");
void team_ordered_reverse(MemorySweep* sweep) {
  if (pop_number(*sweep) > 1) {
    SweepThreads& member = SweepThreads::of(*sweep);
    member.publish();
    member.end_turn(member.size - 1 - member.index);
  }
}

/// An event at a lock of OpenMP.
void memory_event(const void* object, MemorySweep* sweep) __asm__("ddx.rt.event");
void memory_event(const void* object, MemorySweep* sweep) {
  record_event(*sweep, object);
}

/// One that happened if `has_happened` is not zero.
void memory_event_if(std::uint32_t has_happened, const void* object,
                     MemorySweep* sweep) __asm__("ddx.rt.event_if");
void memory_event_if(std::uint32_t has_happened, const void* object, MemorySweep* sweep) {
  has_happened != 0 ? record_event(*sweep, object) : record_no_event(*sweep);
}

void memory_event_reverse(MemorySweep* sweep) __asm__("ddx.rt.event_reverse");
void memory_event_reverse(MemorySweep* sweep) {
  reverse_event(*sweep);
}

}  // namespace ddx::detail
