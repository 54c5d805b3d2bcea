#include "ddx/ad/detail/memory.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace memory_test {

using namespace ddx::detail;

TEST(Memory, CotangentsOfAScopeAreItsOwn) {
  Arena arena;
  const double x = 2;
  const ArenaScope outer(arena);
  cotangent_of(arena, x) = 3;
  {
    const ArenaScope inner(arena);
    EXPECT_EQ(cotangent_of(arena, x), 0);
    cotangent_of(arena, x) = 5;
  }
  EXPECT_EQ(cotangent_of(arena, x), 3);
}

TEST(Memory, APartIsFoundByItsDistance) {
  struct Pair {
    int id;
    double x;
  };
  Arena arena;
  const Pair pair{1, 2};
  cotangent_of(arena, pair.x) = 3;
  EXPECT_EQ(cotangent_at<double>(arena, &pair, offsetof(Pair, x)), 3);
}

TEST(Memory, ASecondSweepBeginsAtZero) {
  Arena arena;
  const double x = 2;
  for (int sweep = 0; sweep < 2; ++sweep) {
    const ArenaScope scope(arena);
    EXPECT_EQ(cotangent_of(arena, x), 0);
    cotangent_of(arena, x) += 1;
  }
}

TEST(Memory, TangentsOfAScopeAreItsOwn) {
  const double x = 2;
  const TangentScope outer;
  tangent_of(x) = 3;
  {
    const TangentScope inner;
    EXPECT_EQ(tangent_of(x), 0);
    tangent_of(x) = 5;
  }
  EXPECT_EQ(tangent_of(x), 3);
}

struct alignas(64) Wide {
  double x;
};

TEST(Memory, AllocatesAsANewExpression) {
  auto* const narrow = allocate<double>();
  ::new (static_cast<void*>(narrow)) double(4);
  const std::unique_ptr<double> owner(narrow);
  auto* const wide = allocate<Wide>();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide) % 64, 0U);
  ::new (static_cast<void*>(wide)) Wide{5};
  const std::unique_ptr<Wide> wide_owner(wide);
  EXPECT_EQ(*owner + wide_owner->x, 9);
}

// Leaks are the address sanitizer's to find.
TEST(Memory, GivesBackWhatWasNotFinished) {
  const auto attempt = [](bool fails) {
    auto* const place = allocate<double>();
    Unfinished<double> unfinished(place);
    if (fails) {
      throw std::runtime_error("not made");
    }
    *place = 6;
    unfinished.finish();
    return std::unique_ptr<double>(place);
  };
  EXPECT_THROW(attempt(true), std::runtime_error);
  EXPECT_EQ(*attempt(false), 6);
}

}  // namespace memory_test
