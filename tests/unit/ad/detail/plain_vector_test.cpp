#include "ddx/ad/detail/plain_vector.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <utility>

namespace plain_vector_test {

using ddx::detail::PlainVector;

TEST(PlainVector, KeepsItsObjectsAsItGrows) {
  PlainVector<int> numbers;
  EXPECT_TRUE(numbers.empty());
  for (int i = 0; i < 100; ++i) {
    numbers.push_back(i * i);
  }
  EXPECT_EQ(numbers.size(), 100U);
  EXPECT_EQ(numbers[7], 49);
  EXPECT_EQ(numbers.back(), 99 * 99);
}

TEST(PlainVector, TakesACopyOfAnObjectOfItsOwn) {
  PlainVector<int> numbers;
  numbers.push_back(5);
  for (int i = 0; i < 10; ++i) {
    numbers.push_back(numbers[0]);
  }
  EXPECT_EQ(numbers.back(), 5);
}

TEST(PlainVector, TruncationLeavesTheFirst) {
  PlainVector<int> numbers;
  numbers.push_back(1);
  numbers.push_back(2);
  numbers.truncate(1);
  EXPECT_EQ(numbers.size(), 1U);
  EXPECT_EQ(numbers.back(), 1);
  numbers.truncate(3);
  EXPECT_EQ(numbers.size(), 1U);
}

TEST(PlainVector, MovesWithItsObjects) {
  PlainVector<int> numbers;
  numbers.push_back(3);
  PlainVector<int> other(std::move(numbers));
  EXPECT_EQ(other.back(), 3);
  PlainVector<int> third;
  third = std::move(other);
  EXPECT_EQ(third[0], 3);
}

TEST(PlainVector, ThrowsWhereThereIsNoMemory) {
  PlainVector<char> bytes;
  EXPECT_THROW(bytes.reserve(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace plain_vector_test
