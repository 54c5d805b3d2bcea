#include "ddx/data/text/encoded_text.h"

#include "ddx/core/error.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace ddx::data {
namespace encoded_text_test {

using ddx::testing::message_of;

using Ids = std::vector<std::int32_t>;

Ids numbers(std::int64_t count) {
  Ids ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

TEST(EncodedText, ATextKeepsItsBeginning) {
  auto ids = numbers(5);
  truncate_text(ids, 5);
  EXPECT_EQ(ids.size(), 5U);
  truncate_text(ids, 2);
  EXPECT_EQ(ids, (Ids{0, 1}));
  truncate_text(ids, 0);
  EXPECT_TRUE(ids.empty());
}

TEST(EncodedText, TheLongestGivesWayOneByOne) {
  // The definition: drop the last id of the longer text until both fit; of equal ones, of the one
  // that was shorter to begin with (of the first where they were equal).
  for (std::int64_t m = 0; m <= 7; ++m) {
    for (std::int64_t n = 0; n <= 7; ++n) {
      for (std::int64_t limit = 0; limit <= 15; ++limit) {
        auto a = m;
        auto b = n;
        while (a + b > limit) {
          (a > b || (a == b && m <= n) ? a : b) -= 1;
        }
        auto first = numbers(m);
        auto second = numbers(n);
        truncate_pair(first, second, limit, Truncation::LongestFirst);
        EXPECT_EQ(first, numbers(a)) << m << " " << n << " " << limit;
        EXPECT_EQ(second, numbers(b)) << m << " " << n << " " << limit;
      }
    }
  }
}

TEST(EncodedText, OneTextAloneGivesWay) {
  auto first = numbers(3);
  auto second = numbers(4);
  truncate_pair(first, second, 5, Truncation::OnlyFirst);
  EXPECT_EQ(first, numbers(1));
  EXPECT_EQ(second, numbers(4));
  truncate_pair(first, second, 2, Truncation::OnlySecond);
  EXPECT_EQ(first, numbers(1));
  EXPECT_EQ(second, numbers(1));
}

TEST(EncodedText, WhatCannotBeMadeShortEnoughIsAnError) {
  auto first = numbers(3);
  auto second = numbers(4);
  EXPECT_EQ(
      message_of<UsageError>([&] { truncate_pair(first, second, 4, Truncation::OnlyFirst); }),
      "truncate: the pair is too long by 3 ids, the first text, which alone may give way, has "
      "3");
  EXPECT_EQ(
      message_of<UsageError>([&] { truncate_pair(first, second, 2, Truncation::OnlySecond); }),
      "truncate: the pair is too long by 5 ids, the second text, which alone may give way, has 4");
  EXPECT_EQ(message_of<UsageError>([&] { truncate_text(first, -1); }),
            "truncate: a limit of -1 ids is left for the text beside the special tokens");
  EXPECT_EQ(first, numbers(3));
  EXPECT_EQ(second, numbers(4));
}

}  // namespace encoded_text_test
}  // namespace ddx::data
