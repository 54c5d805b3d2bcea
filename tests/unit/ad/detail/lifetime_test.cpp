#include "ddx/ad/detail/lifetime.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

namespace {

/// Notes when it ends; the constructor of number 3 throws.
struct Noted {
  static inline std::vector<int> ended;
  static inline int begun = 0;

  Noted() : number(begun) {
    if (begun == 3) {
      throw std::runtime_error("number 3");
    }
    ++begun;
  }
  Noted(const Noted&) = delete;
  Noted& operator=(const Noted&) = delete;
  ~Noted() { ended.push_back(number); }

  int number;
};

TEST(Lifetime, AConstructorThatThrowsEndsThoseBeforeItBackward) {
  Noted::begun = 0;
  Noted::ended.clear();
  alignas(Noted) std::byte room[5 * sizeof(Noted)];
  auto* const objects = reinterpret_cast<Noted*>(room);
  EXPECT_THROW(ddx::detail::construct_values(objects, 5), std::runtime_error);
  EXPECT_EQ(Noted::ended, (std::vector<int>{2, 1, 0}));
}

TEST(Lifetime, ObjectsEndBackwardAndArraysByElements) {
  Noted::begun = 0;
  Noted::ended.clear();
  using Pair = Noted[2];
  alignas(Noted) std::byte room[sizeof(Pair)];
  auto* const objects = reinterpret_cast<Noted*>(room);
  ddx::detail::construct_values(objects, 2);
  EXPECT_TRUE(Noted::ended.empty());
  ddx::detail::destroy(*reinterpret_cast<Pair*>(room));
  EXPECT_EQ(Noted::ended, (std::vector<int>{0, 1}));
}

TEST(Lifetime, NumbersBeginAsZeros) {
  double numbers[3] = {1, 2, 3};
  ddx::detail::construct_values(numbers, 2);
  EXPECT_EQ(numbers[0], 0);
  EXPECT_EQ(numbers[1], 0);
  EXPECT_EQ(numbers[2], 3);
}

}  // namespace
