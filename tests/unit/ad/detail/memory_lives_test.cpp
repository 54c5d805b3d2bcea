#include "ddx/ad/detail/memory_lives.h"

#include "ddx/core/error.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace ddx::detail {
namespace {

TEST(MemoryLives, BeginWithoutCotangents) {
  double object[4] = {1, 2, 3, 4};
  MemorySweep sweep;
  sweep.begin_reverse();
  begin_of_life(sweep, object, sizeof object);
  *sweep.place<double>(&object[1]) = 0;
  begin_of_life(sweep, object, sizeof object);
}

TEST(MemoryLives, ThatBeginWithACotangentThrow) {
  double object[4] = {1, 2, 3, 4};
  MemorySweep sweep;
  sweep.begin_reverse();
  *sweep.place<double>(&object[1]) = 7;
  EXPECT_THROW(begin_of_life(sweep, object, sizeof object), UsageError);
  begin_of_life(sweep, &object[2], 2 * sizeof(double));
}

TEST(MemoryLives, AreMovedByReallocation) {
  MemorySweep sweep;
  auto* old = static_cast<double*>(std::malloc(2 * sizeof(double)));
  ASSERT_NE(old, nullptr);
  const void* const first = &old[0];
  const void* const second = &old[1];
  // Large enough to be elsewhere.
  void* const outer[] = {&sweep};
  auto* made = static_cast<double*>(reallocate(old, std::size_t{1} << 22, Observers("s", outer)));
  ASSERT_NE(made, nullptr);
  sweep.begin_reverse();
  *sweep.place<double>(&made[0]) = 3;
  *sweep.place<double>(&made[1]) = 4;
  reverse_effects(sweep);
  EXPECT_EQ(*sweep.place<double>(first), 3);
  EXPECT_EQ(*sweep.place<double>(second), 4);
  std::free(made);
}

}  // namespace
}  // namespace ddx::detail
