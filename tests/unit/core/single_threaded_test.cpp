#include "ddx/core/single_threaded.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace ddx {
namespace single_threaded_test {

// First: a process that has had another thread does not count as one again.
#if __has_include(<sys/single_threaded.h>)
TEST(IsSingleThreaded, IsTrueOfAProcessThatHasStartedNone) {
  EXPECT_EXIT(std::_Exit(is_single_threaded() ? 7 : 1), ::testing::ExitedWithCode(7), "");
}
#endif

TEST(IsSingleThreaded, IsFalseWhileThereIsAnotherThread) {
  bool there = true;
  std::thread([&] { there = is_single_threaded(); }).join();
  EXPECT_FALSE(there);
}

}  // namespace single_threaded_test
}  // namespace ddx
