#include "ddx/core/single_threaded.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <thread>

namespace ddx {
namespace {

TEST(IsSingleThreaded, IsFalseWhileThereIsAnotherThread) {
  bool there = true;
  std::thread([&] { there = is_single_threaded(); }).join();
  EXPECT_FALSE(there);
}

#if __has_include(<sys/single_threaded.h>)
TEST(IsSingleThreaded, IsTrueOfAProcessThatHasStartedNone) {
  EXPECT_EXIT(std::_Exit(is_single_threaded() ? 7 : 1), ::testing::ExitedWithCode(7), "");
}
#endif

}  // namespace
}  // namespace ddx
