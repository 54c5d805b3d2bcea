#include "backend/forget_thread.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>
#include <utility>

namespace ddx::backend {
namespace forget_thread_test {

TEST(ForgetThread, AsksNothingOfTheThread) {
  std::thread thread([] {});
  const pthread_t handle = thread.native_handle();
  forget(std::move(thread));
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(pthread_join(handle, nullptr), 0);  // It has not been detached.
}

TEST(ForgetThread, TakesNoneAsWell) {
  forget(std::thread());
}

}  // namespace forget_thread_test
}  // namespace ddx::backend
