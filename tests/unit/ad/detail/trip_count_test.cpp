#include "ddx/ad/detail/trip_count.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace trip_count_test {

using ddx::detail::any_counter;
using ddx::detail::counter_at;
using ddx::detail::endless_trips;
using ddx::detail::trip_count;
using ddx::detail::trip_count_inclusive;

/// Counts by running the loop, in a type wide enough for no step to overflow.
std::size_t counted(long long begin, long long end, long long step, bool inclusive) {
  std::size_t trips = 0;
  for (long long i = begin;
       step > 0 ? (inclusive ? i <= end : i < end) : (inclusive ? i >= end : i > end); i += step) {
    ++trips;
  }
  return trips;
}

template <class Counter, class Step>
void expect_counts(Counter lowest) {
  for (int begin = int{lowest}; begin < 12; ++begin) {
    for (int end = int{lowest}; end < 12; ++end) {
      for (int step = -4; step <= 4; ++step) {
        if (step == 0 || (step < 0 && !std::numeric_limits<Step>::is_signed)) {
          continue;
        }
        const auto b = static_cast<Counter>(begin);
        const auto e = static_cast<Counter>(end);
        const auto s = static_cast<Step>(step);
        const std::string what =
            std::to_string(begin) + " to " + std::to_string(end) + " by " + std::to_string(step);
        EXPECT_EQ(trip_count(b, e, s), counted(begin, end, step, false)) << what;
        EXPECT_EQ(trip_count_inclusive(b, e, s), counted(begin, end, step, true)) << what;
      }
    }
  }
}

TEST(TripCount, AgreesWithTheLoop) {
  expect_counts<int, int>(-12);
  expect_counts<signed char, int>(-12);
  expect_counts<std::int16_t, long long>(-12);
  expect_counts<int, unsigned long long>(-12);
  expect_counts<unsigned char, int>(0);
  expect_counts<std::uint16_t, signed char>(0);
}

TEST(TripCount, AgreesWithTheLoopForWideUnsignedCounters) {
  for (unsigned begin = 0; begin < 12; ++begin) {
    for (unsigned end = 0; end < 12; ++end) {
      EXPECT_EQ(trip_count(begin, end, 3U), counted(begin, end, 3, false));
      EXPECT_EQ(trip_count(begin, end, -1), counted(begin, end, -1, false));
      EXPECT_EQ(trip_count(std::size_t{begin}, std::size_t{end}, -5),
                counted(begin, end, -5, false));
      EXPECT_EQ(trip_count_inclusive(std::size_t{begin}, std::size_t{end}, -5L),
                counted(begin, end, -5, true));
    }
  }
}

TEST(TripCount, ReachesFromOneEndOfTheTypeToTheOther) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(trip_count(least, most, 1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(trip_count(most, least, -1), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(trip_count(least, most, most), 3U);
  EXPECT_EQ(trip_count(most, least, least), 2U);  // At most and at -1.
  EXPECT_EQ(trip_count(std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 1),
            std::numeric_limits<unsigned>::max());
}

TEST(TripCount, MixedSignsCompareAsInCpp) {
  // -1 < std::size_t{5} is false in C++: -1 becomes the largest size.
  EXPECT_EQ(trip_count(-1, std::size_t{5}, 1), 0U);
  EXPECT_EQ(trip_count(0, std::size_t{5}, 1), 5U);
}

TEST(TripCount, ALoopThatNeverEndsSaysSo) {
  EXPECT_EQ(trip_count(0, 5, 0), endless_trips);
  EXPECT_EQ(trip_count(5, 5, 0), 0U);
  EXPECT_EQ(trip_count_inclusive(5, 5, 0), endless_trips);
  EXPECT_EQ(trip_count_inclusive(std::size_t{0}, std::numeric_limits<std::size_t>::max(), 1),
            endless_trips);
}

TEST(CounterAt, AgreesWithTheLoop) {
  for (const int step : {1, -1, 3, -4}) {
    int i = 5;
    for (std::size_t number = 0; number < 7; ++number, i += step) {
      EXPECT_EQ(counter_at<int>(5, number, step), i);
      EXPECT_EQ(counter_at<long>(5, number, step), i);
      EXPECT_EQ(counter_at<std::int16_t>(std::int16_t{5}, number, step), i);
      EXPECT_EQ(counter_at<std::size_t>(100U, number, step), static_cast<std::size_t>(95 + i));
    }
  }
}

TEST(CounterAt, HasNoOverflowAtTheEndsOfTheType) {
  constexpr int least = std::numeric_limits<int>::min();
  constexpr int most = std::numeric_limits<int>::max();
  EXPECT_EQ(counter_at<int>(least, std::numeric_limits<unsigned>::max(), 1), most);
  EXPECT_EQ(counter_at<int>(most, std::numeric_limits<unsigned>::max(), -1), least);
}

TEST(AnyCounter, IsTheCounter) {
  EXPECT_EQ(any_counter(-3), -3);
  EXPECT_EQ(any_counter(std::numeric_limits<std::size_t>::max()),
            std::numeric_limits<std::size_t>::max());
}

TEST(TripCount, IsKnownWhenCompiling) {
  static_assert(trip_count(0, 10, 3) == 4);
  static_assert(trip_count_inclusive(10, 0, -5) == 3);
}

}  // namespace trip_count_test
