#include "ddx/ad/detail/arena.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace arena_test {

using ddx::detail::Arena;
using ddx::detail::ArenaScope;

/// Writes its name into a log when it ends.
class Witness {
 public:
  Witness() = default;
  Witness(std::string& log, char name) : log_(&log), name_(name) {}
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  ~Witness() {
    if (log_ != nullptr) {
      *log_ += name_;
    }
  }

  void watch(std::string& log, char name) {
    log_ = &log;
    name_ = name;
  }

 private:
  std::string* log_ = nullptr;
  char name_ = '?';
};

struct alignas(32) Wide {
  double lanes[4];
};

bool aligned(const void* pointer, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

TEST(Arena, ArraysToStreamBeginOnACacheLine) {
  Arena arena;
  for (std::size_t count = 32; count < 100; ++count) {
    (void)arena.alloc<char>(1);
    EXPECT_TRUE(aligned(arena.alloc<double>(count), 64)) << count;
  }
}

TEST(Arena, SmallObjectsHaveTheirOwnAlignment) {
  Arena arena;
  for (int i = 0; i < 10; ++i) {
    (void)arena.alloc<char>(1);
    EXPECT_TRUE(aligned(arena.alloc<Wide>(1), alignof(Wide)));
    (void)arena.alloc<char>(3);
    EXPECT_TRUE(aligned(arena.make<long double>(1.0L), alignof(long double)));
  }
}

TEST(Arena, BlocksDoNotOverlapWhateverTheirSizes) {
  Arena arena;
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  std::size_t size = 1;
  for (unsigned i = 0; i < 200; ++i, size = (size * 37 + 11) % 20011) {
    auto* const block = arena.alloc<unsigned char>(size);
    std::memset(block, static_cast<int>(i), size);
    blocks.emplace_back(block, size);
  }
  for (unsigned i = 0; i < 200; ++i) {
    const auto [block, length] = blocks[i];
    for (std::size_t k = 0; k < length; ++k) {
      ASSERT_EQ(block[k], i) << "block " << i << " byte " << k;
    }
  }
}

TEST(Arena, ZerosAreZeroInReusedMemory) {
  Arena arena;
  const Arena::Mark mark = arena.mark();
  std::memset(arena.alloc<double>(1000), 0xff, 1000 * sizeof(double));
  arena.release(mark);
  const double* const zeros = arena.zeros<double>(1000);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(zeros[i], 0.0) << i;
  }
}

TEST(Arena, ReleaseRunsDestructorsNewestFirstDownToTheMark) {
  std::string log;
  Arena arena;
  arena.make<Witness>(log, 'a');
  const Arena::Mark mark = arena.mark();
  arena.make<Witness>(log, 'b');
  (void)arena.alloc<double>(100000);
  arena.make<Witness>(log, 'c');
  arena.release(mark);
  EXPECT_EQ(log, "cb");
  arena.make<Witness>(log, 'd');
  EXPECT_EQ(log, "cb");
}

TEST(Arena, EndsWhatIsLeftWithItself) {
  std::string log;
  {
    Arena arena;
    arena.make<Witness>(log, 'a');
    arena.make<Witness>(log, 'b');
  }
  EXPECT_EQ(log, "ba");
}

TEST(Arena, AnArrayEndsLastElementFirst) {
  std::string log;
  {
    Arena arena;
    auto* const witnesses = arena.make_array<Witness>(3);
    witnesses[0].watch(log, '0');
    witnesses[1].watch(log, '1');
    witnesses[2].watch(log, '2');
  }
  EXPECT_EQ(log, "210");
}

TEST(Arena, MakeArrayValueInitialises) {
  Arena arena;
  const Arena::Mark mark = arena.mark();
  std::memset(arena.alloc<int>(8), 0xff, 8 * sizeof(int));
  arena.release(mark);
  const int* const numbers = arena.make_array<int>(8);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(numbers[i], 0);
  }
}

TEST(Arena, AConstructorThatThrowsLeavesNothingToEnd) {
  struct Thrower {
    explicit Thrower(std::string& text) : log(&text) { throw std::runtime_error("constructor"); }
    ~Thrower() { *log += "destroyed"; }
    std::string* log;
  };
  std::string log;
  {
    Arena arena;
    EXPECT_THROW(arena.make<Thrower>(log), std::runtime_error);
    arena.make<Witness>(log, 'w');
  }
  EXPECT_EQ(log, "w");
}

TEST(Arena, ReusesItsMemory) {
  Arena arena;
  const Arena::Mark mark = arena.mark();
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) {
      (void)arena.alloc<double>(1000);
    }
  };
  fill();
  const std::size_t held = arena.held_bytes();
  EXPECT_GE(held, 100 * 1000 * sizeof(double));
  for (int round = 0; round < 10; ++round) {
    arena.release(mark);
    fill();
  }
  EXPECT_EQ(arena.held_bytes(), held);
}

TEST(Arena, PassesOverAFreeChunkThatIsTooSmall) {
  Arena arena;
  const Arena::Mark empty = arena.mark();
  (void)arena.alloc<char>(1);
  arena.release(empty);
  (void)arena.alloc<char>(Arena::first_chunk_bytes);  // The chunk's header takes a part of it.
  EXPECT_GE(arena.held_bytes(), 2 * Arena::first_chunk_bytes);
}

TEST(Arena, KeepsOnlyABoundedAmountWhenEmpty) {
  Arena arena;
  const Arena::Mark empty = arena.mark();
  (void)arena.alloc<char>(10);
  const Arena::Mark occupied = arena.mark();
  (void)arena.alloc<char>(Arena::kept_bytes + 1);
  arena.release(occupied);
  EXPECT_GT(arena.held_bytes(), Arena::kept_bytes);
  arena.release(empty);
  EXPECT_LE(arena.held_bytes(), Arena::kept_bytes);
  EXPECT_GT(arena.held_bytes(), 0U);
  std::memset(arena.alloc<char>(1000), 1, 1000);
}

TEST(Arena, KeepsMoreWhereItIsNeededAgainAndNotForEver) {
  Arena arena;
  const Arena::Mark empty = arena.mark();
  const auto use = [&](std::size_t bytes) {
    char* const place = arena.alloc<char>(bytes);
    arena.release(empty);
    return place;
  };
  (void)use(Arena::kept_bytes + 1);
  EXPECT_LE(arena.held_bytes(), Arena::kept_bytes) << "once may be once only";
  char* const again = use(Arena::kept_bytes + 1);
  EXPECT_GT(arena.held_bytes(), Arena::kept_bytes);
  for (int i = 1; i < Arena::patience; ++i) {
    (void)use(10);
  }
  EXPECT_EQ(use(Arena::kept_bytes + 1), again);
  for (int i = 1; i < Arena::patience; ++i) {
    (void)use(10);
    EXPECT_GT(arena.held_bytes(), Arena::kept_bytes);
  }
  (void)use(10);
  EXPECT_LE(arena.held_bytes(), Arena::kept_bytes);
  EXPECT_GT(arena.held_bytes(), 0U);
  (void)use(Arena::kept_bytes + 1);
  EXPECT_LE(arena.held_bytes(), Arena::kept_bytes) << "the need before that is forgotten";
}

TEST(Arena, AnAbsurdSizeIsBadAllocAndTheArenaLivesOn) {
  Arena arena;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW((void)arena.alloc<double>(most), std::bad_alloc);
  EXPECT_THROW((void)arena.alloc<double>(most / 2), std::bad_alloc);
#if !__has_feature(address_sanitizer)  // Which ends the program instead of throwing.
  EXPECT_THROW((void)arena.alloc<char>(most / 2 - 100), std::bad_alloc);
#endif
  int* const number = arena.make<int>(5);
  EXPECT_EQ(*number, 5);
}

TEST(Arena, AnEmptyArrayIsNotNull) {
  Arena arena;
  EXPECT_NE(arena.alloc<double>(0), nullptr);
}

TEST(Arena, IsSmallUntilItLeavesTheSecondCache) {
  Arena arena;
  const Arena::Mark empty = arena.mark();
  EXPECT_TRUE(arena.is_small());
  (void)arena.alloc<double>(10);
  EXPECT_TRUE(arena.is_small());
  (void)arena.alloc<double>(200000);
  EXPECT_FALSE(arena.is_small());
  arena.release(empty);
  EXPECT_TRUE(arena.is_small());
}

TEST(ArenaScope, GivesBackWhatItTook) {
  std::string log;
  Arena arena;
  double* first = nullptr;
  {
    const ArenaScope scope(arena);
    first = scope.arena().alloc<double>(4);
    scope.arena().make<Witness>(log, 'w');
  }
  EXPECT_EQ(log, "w");
  const ArenaScope again(arena);
  EXPECT_EQ(again.arena().alloc<double>(4), first);
}

TEST(ArenaScope, AnInnerScopeLeavesTheOuterObjectsAlone) {
  std::string log;
  const ArenaScope outer;
  outer.arena().make<Witness>(log, 'o');
  double* const numbers = outer.arena().alloc<double>(3);
  numbers[2] = 7.0;
  {
    const ArenaScope inner;
    EXPECT_EQ(&inner.arena(), &outer.arena());
    inner.arena().make<Witness>(log, 'i');
    std::memset(inner.arena().alloc<double>(100000), 0xff, 100000 * sizeof(double));
  }
  EXPECT_EQ(log, "i");
  EXPECT_EQ(numbers[2], 7.0);
}

TEST(ArenaScope, ReleasesWhenAnExceptionPasses) {
  std::string log;
  Arena arena;
  try {
    const ArenaScope scope(arena);
    scope.arena().make<Witness>(log, 'w');
    throw std::runtime_error("passes");
  } catch (const std::runtime_error&) {
    log += "!";
  }
  EXPECT_EQ(log, "w!");
}

TEST(ArenaScope, EachThreadHasItsOwnArena) {
  const Arena* here = &ddx::detail::thread_arena();
  const Arena* there = nullptr;
  std::thread([&] { there = &ddx::detail::thread_arena(); }).join();
  EXPECT_NE(here, there);
}

}  // namespace arena_test
