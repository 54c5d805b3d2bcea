#include "ddx/ad/detail/heaps.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace heaps_test {

namespace plain = ddx::detail::algorithms;

using Entry = std::pair<int, int>;

/// Orders by the first number alone, so that the order of equal entries shows in the second.
bool before(const Entry& a, const Entry& b) {
  return a.first < b.first;
}

std::vector<Entry> entries(int count) {
  std::vector<Entry> made;
  for (int i = 0; i < count; ++i) {
    made.push_back({i * 7 % 5, i});
  }
  return made;
}

TEST(Heaps, MoveEqualElementsAsTheLibraryDoes) {
  for (int count = 0; count < 40; ++count) {
    std::vector<Entry> ours = entries(count);
    std::vector<Entry> theirs = ours;
    plain::make_heap(ours.begin(), ours.end(), before);
    std::make_heap(theirs.begin(), theirs.end(), before);
    EXPECT_EQ(ours, theirs) << count;
    ours.push_back({3, 100});
    theirs.push_back({3, 100});
    plain::push_heap(ours.begin(), ours.end(), before);
    std::push_heap(theirs.begin(), theirs.end(), before);
    EXPECT_EQ(ours, theirs) << count;
    plain::pop_heap(ours.begin(), ours.end(), before);
    std::pop_heap(theirs.begin(), theirs.end(), before);
    EXPECT_EQ(ours, theirs) << count;
    ours.pop_back();
    theirs.pop_back();
    plain::sort_heap(ours.begin(), ours.end(), before);
    std::sort_heap(theirs.begin(), theirs.end(), before);
    EXPECT_EQ(ours, theirs) << count;
  }
}

}  // namespace heaps_test
