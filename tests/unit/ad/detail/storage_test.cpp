#include "ddx/ad/detail/storage.h"

#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace storage_test {

using ddx::detail::Storage;

struct Pieces {
  Pieces(std::shared_ptr<int> one, std::vector<double> two)
      : first(std::move(one)), second(std::move(two)) {}
  std::shared_ptr<int> first;
  std::vector<double> second;
};

TEST(Storage, EndsACompleteObjectWithItsScope) {
  const auto owner = std::make_shared<int>(1);
  {
    Storage<Pieces> storage;
    std::construct_at(&storage.get().first, owner);
    std::construct_at(&storage.get().second, 3, 2.5);
    storage.complete();
    EXPECT_EQ(owner.use_count(), 2);
    EXPECT_EQ(storage.get().second[2], 2.5);
  }
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(Storage, LeavesAnIncompleteObjectAlone) {
  const auto owner = std::make_shared<int>(1);
  try {
    Storage<Pieces> storage;
    std::construct_at(&storage.get().second, 3, 2.5);
    std::destroy_at(&storage.get().second);
    throw std::runtime_error("before the first member");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(owner.use_count(), 1);
  }
}

TEST(Storage, OfATrivialTypeCostsNothing) {
  struct Point {
    double x, y;
  };
  EXPECT_TRUE(std::is_trivially_destructible_v<Storage<Point>>);
  EXPECT_EQ(sizeof(Storage<Point>), sizeof(Point));
  Storage<Point> storage;
  storage.get().x = 1.0;
  storage.complete();
  EXPECT_EQ(storage.get().x, 1.0);
}

}  // namespace storage_test
