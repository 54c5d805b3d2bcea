#include "ddx/ad/detail/reused.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace reused_test {

struct Counted {
  static inline std::size_t made = 0;
  static inline std::size_t ended = 0;

  Counted() { ++made; }
  ~Counted() { ++ended; }
  void reset() noexcept { value = 0; }

  int value = 0;
};

using Reused = ddx::detail::Reused<Counted>;

TEST(Reused, IsResetAndKept) {
  const Counted* first = nullptr;
  {
    const Reused object;
    object->value = 5;
    first = object.get();
  }
  const Reused again;
  EXPECT_EQ(again.get(), first);
  EXPECT_EQ(again->value, 0);
  const Reused another;
  EXPECT_NE(another.get(), first);
}

TEST(Reused, AThreadKeepsFew) {
  std::thread([] {
    Counted::made = Counted::ended = 0;
    {
      const std::vector<Reused> many(10);
      EXPECT_EQ(Counted::made, 10U);
    }
    EXPECT_EQ(Counted::ended, 10 - Reused::most_kept);
  }).join();
  EXPECT_EQ(Counted::ended, 10U);  // With the thread.
}

TEST(Reused, MovesToAnotherThread) {
  std::optional<Reused> object;
  std::thread([&] {
    Reused made;
    made->value = 5;
    object = std::move(made);
  }).join();
  EXPECT_EQ((*object)->value, 5);
}

}  // namespace reused_test
