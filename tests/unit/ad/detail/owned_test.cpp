#include "ddx/ad/detail/owned.h"

#include <gtest/gtest.h>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using ddx::detail::make_owned;
using ddx::detail::Owned;
using ddx::detail::Shared;

/// Counts how many of its kind are alive.
struct OwnedBase {
  explicit OwnedBase(int& alive) : alive_(&alive) { ++alive; }
  OwnedBase(const OwnedBase&) = delete;
  OwnedBase& operator=(const OwnedBase&) = delete;
  virtual ~OwnedBase() { --*alive_; }

 private:
  int* alive_;
};
struct OwnedDerived final : OwnedBase {
  using OwnedBase::OwnedBase;
};

TEST(Owned, EndsItsObjectOnce) {
  int alive = 0;
  {
    Owned<OwnedBase> first = make_owned<OwnedDerived>(alive);
    Owned<OwnedBase> second = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_TRUE(second);
    first = std::move(second);
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
  static_assert(!std::is_copy_constructible_v<Owned<int>>);
  static_assert(!std::is_constructible_v<Owned<OwnedDerived>, Owned<OwnedBase>>);
}

TEST(Owned, ReleaseGivesTheObjectUp) {
  int alive = 0;
  Owned<OwnedDerived> owner = make_owned<OwnedDerived>(alive);
  OwnedDerived* const object = owner.release();
  EXPECT_EQ(owner.get(), nullptr);
  EXPECT_EQ(alive, 1);
  delete object;
}

TEST(Shared, TheLastOwnerEndsTheObject) {
  int alive = 0;
  Shared<const OwnedBase> outer;
  {
    const Shared<OwnedDerived> made = Shared<OwnedDerived>::make(alive);
    outer = made;
    EXPECT_EQ(outer.get(), made.get());
  }
  EXPECT_EQ(alive, 1);
  const Shared<const OwnedBase> other = std::move(outer);
  EXPECT_FALSE(outer);
  outer = other;
  outer = {};
  EXPECT_EQ(alive, 1);
  outer = Shared<OwnedBase>(make_owned<OwnedDerived>(alive));
  EXPECT_EQ(alive, 2);
  outer = {};
  EXPECT_EQ(alive, 1);
}

TEST(Shared, ForgetsTheTypeButNotTheDestructor) {
  int alive = 0;
  {
    const Shared<const void> forgotten(new OwnedDerived(alive));
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Shared, IsCopiedInSeveralThreads) {
  int alive = 0;
  {
    const Shared<OwnedDerived> shared = Shared<OwnedDerived>::make(alive);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([shared] {
        for (int k = 0; k < 10000; ++k) {
          const Shared<OwnedDerived> copy = shared;
          ASSERT_TRUE(copy);
        }
      });
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    EXPECT_EQ(alive, 1);
  }
  EXPECT_EQ(alive, 0);
}

}  // namespace
