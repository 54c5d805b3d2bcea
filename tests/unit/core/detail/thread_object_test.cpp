#include "core/detail/thread_object.h"

#include <atomic>
#include <gtest/gtest.h>
#include <new>
#include <thread>

namespace ddx::detail {
namespace {

struct Counted {
  Counted() { ++made; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { ++ended; }
  static inline std::atomic<int> made{0};
  static inline std::atomic<int> ended{0};
};

TEST(ThreadObject, IsMadeOnceForEachThreadAndEndsWithIt) {
  Counted* const own = ThreadObject<Counted>::get();
  EXPECT_EQ(ThreadObject<Counted>::get(), own);
  const int made = Counted::made;
  const int ended = Counted::ended;
  std::thread([&] {
    EXPECT_EQ(ThreadObject<Counted>::current(), nullptr);
    EXPECT_NE(ThreadObject<Counted>::get(), own);
    EXPECT_EQ(ThreadObject<Counted>::current(), ThreadObject<Counted>::get());
  }).join();
  EXPECT_EQ(Counted::made, made + 1);
  EXPECT_EQ(Counted::ended, ended + 1);
}

struct Refused {
  Refused() {
    if (is_refused) {
      throw std::bad_alloc();
    }
  }
  static inline bool is_refused = true;
};

TEST(ThreadObject, IsTriedAgainWhereItCouldNotBeMade) {
  EXPECT_THROW((void)ThreadObject<Refused>::get(), std::bad_alloc);
  Refused::is_refused = false;
  EXPECT_NE(ThreadObject<Refused>::get(), nullptr);
}

}  // namespace
}  // namespace ddx::detail
