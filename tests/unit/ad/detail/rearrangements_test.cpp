#include "ddx/ad/detail/rearrangements.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <utility>
#include <vector>

namespace rearrangements_test {

namespace plain = ddx::detail::algorithms;

using Entry = std::pair<int, int>;

/// Equal by the first number alone, so that which of the equal entries stays shows in the second.
bool same(const Entry& a, const Entry& b) {
  return a.first == b.first;
}

bool before(const Entry& a, const Entry& b) {
  return a.first < b.first;
}

bool odd(const Entry& entry) {
  return entry.first % 2 == 1;
}

std::vector<Entry> entries(int count, int step) {
  std::vector<Entry> made;
  for (int i = 0; i < count; ++i) {
    made.push_back({i * step / 3 % 5, i});
  }
  return made;
}

TEST(Rearrangements, LeaveTheElementsThatTheLibraryLeaves) {
  for (int count = 0; count < 40; ++count) {
    for (const int step : {1, 2, 7}) {
      std::vector<Entry> ours = entries(count, step);
      std::vector<Entry> theirs = ours;
      std::vector<Entry> copied(ours.size());
      copied.erase(plain::unique_copy(ours.begin(), ours.end(), copied.begin(), same),
                   copied.end());
      ours.erase(plain::unique(ours.begin(), ours.end(), same), ours.end());
      theirs.erase(std::unique(theirs.begin(), theirs.end(), same), theirs.end());
      EXPECT_EQ(ours, theirs) << count;
      EXPECT_EQ(copied, theirs) << count;
      std::vector<Entry> erased = entries(count, step);
      theirs = erased;
      EXPECT_EQ(plain::used_erase_if(erased, odd), std::erase_if(theirs, odd));
      EXPECT_EQ(erased, theirs) << count;
    }
  }
}

TEST(Rearrangements, PartAsTheLibraryDoes) {
  for (int count = 0; count < 40; ++count) {
    for (const int step : {1, 2, 7}) {
      std::vector<Entry> ours = entries(count, step);
      std::vector<Entry> theirs = ours;
      EXPECT_EQ(plain::partition(ours.begin(), ours.end(), odd) - ours.begin(),
                std::partition(theirs.begin(), theirs.end(), odd) - theirs.begin());
      EXPECT_EQ(ours, theirs) << count;
      ours = entries(count, step);
      theirs.clear();
      std::ranges::copy_if(ours, std::back_inserter(theirs), odd);
      const auto middle = static_cast<std::ptrdiff_t>(theirs.size());
      std::ranges::copy_if(ours, std::back_inserter(theirs), std::not_fn(odd));
      EXPECT_EQ(plain::stable_partition(ours.begin(), ours.end(), odd) - ours.begin(), middle);
      EXPECT_EQ(ours, theirs) << count;
    }
  }
}

TEST(Rearrangements, MergeAsTheLibraryDoes) {
  for (int count = 0; count < 12; ++count) {
    for (int other = 0; other < 12; ++other) {
      std::vector<Entry> a = entries(count, 2);
      std::vector<Entry> b = entries(other, 7);
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      std::vector<Entry> ours(a.size() + b.size());
      std::vector<Entry> theirs(ours.size());
      EXPECT_EQ(plain::merge(a.begin(), a.end(), b.begin(), b.end(), ours.begin(), before),
                ours.end());
      std::merge(a.begin(), a.end(), b.begin(), b.end(), theirs.begin(), before);
      EXPECT_EQ(ours, theirs);
      std::vector<Entry> joined = a;
      joined.insert(joined.end(), b.begin(), b.end());
      plain::inplace_merge(joined.begin(), joined.begin() + count, joined.end(), before);
      EXPECT_EQ(joined, theirs);
    }
  }
}

TEST(Rearrangements, GoThroughTheFirstElements) {
  const std::vector<int> numbers{1, 2, 3, 4};
  int sum = 0;
  plain::for_each_n(numbers.begin(), 3, [&](int number) { sum = 10 * sum + number; });
  EXPECT_EQ(sum, 123);
  plain::for_each_n(numbers.begin(), 0, [&](int) { sum = 0; });
  EXPECT_EQ(sum, 123);
}

}  // namespace rearrangements_test
