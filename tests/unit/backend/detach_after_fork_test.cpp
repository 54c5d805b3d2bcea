#include "backend/detach_after_fork.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>
#include <utility>

namespace ddx::backend {
namespace detach_after_fork_test {

TEST(ForgetThread, AsksNothingOfTheThread) {
  std::thread thread([] {});
  const pthread_t handle = thread.native_handle();
  detach_after_fork(std::move(thread));
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(pthread_join(handle, nullptr), 0);  // It has not been detached.
}

TEST(ForgetThread, TakesNoneAsWell) {
  detach_after_fork(std::thread());
}

}  // namespace detach_after_fork_test
}  // namespace ddx::backend
