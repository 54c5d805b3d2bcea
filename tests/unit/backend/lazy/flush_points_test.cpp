#include "backend/lazy/flush_points.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <set>

namespace ddx::backend::lazy {
namespace flush_points_test {

/// Flush points, with the hash that the steps of a trace would know.
class Points {
 public:
  bool add(std::uint64_t signature) {
    hash_ = FlushPoints::extended(hash_, signature);
    return points_.add(signature, hash_);
  }
  void learn() { points_.learn(); }
  void begin() {
    points_.begin();
    hash_ = FlushPoints::empty_hash;
  }
  [[nodiscard]] std::size_t count() const { return points_.count(); }

 private:
  FlushPoints points_;
  std::uint64_t hash_ = FlushPoints::empty_hash;
};

/// Adds the signatures of a loop with turns of this length, from some place in it on, until a flush
/// or `most` are there. Returns how many were added.
std::size_t add_turns(Points& points, std::size_t turn, std::size_t& place, std::size_t most) {
  for (std::size_t added = 1; added <= most; ++added) {
    if (points.add(1000 * turn + place++ % turn)) {
      return added;
    }
  }
  return most;
}

TEST(FlushPoints, ALoopIsFlushedAfterWholeTurns) {
  Points points;
  std::size_t place = 0;
  EXPECT_EQ(add_turns(points, 30, place, 1000), 1000U) << "there is nothing to know yet";
  points.learn();
  points.begin();
  for (int flush = 0; flush < 5; ++flush) {
    EXPECT_EQ(add_turns(points, 30, place, 1000), 150U);
    points.begin();
  }
}

TEST(FlushPoints, ALongTurnIsFlushedAfterEachOne) {
  Points points;
  std::size_t place = 7;
  add_turns(points, 300, place, 1000);
  points.learn();
  points.begin();
  EXPECT_EQ(add_turns(points, 300, place, 1000), 300U);
}

/// The places in turns of this length at which a trace is flushed, from the operation `from` on,
/// with a flush after the most operations as well.
std::set<std::size_t> flushes_of_turns(std::size_t turn, std::size_t from, std::size_t count) {
  Points points;
  std::set<std::size_t> flushes;
  for (std::size_t i = 1; i <= count; ++i) {
    if (points.add(1000 + i % turn)) {
      points.begin();
      if (i >= from) {
        flushes.insert(i % turn);
      }
    }
  }
  return flushes;
}

TEST(FlushPoints, ATurnOfMoreThanThreeFitInATraceIsLearned) {
  EXPECT_EQ(flushes_of_turns(4000, 40'000, 400'000).size(), 1U);
}

TEST(FlushPoints, ATurnThatIsLongerThanATraceIsFlushedAtTheSamePlaces) {
  EXPECT_EQ(flushes_of_turns(10'000, 60'000, 400'000).size(), 2U);
  EXPECT_EQ(flushes_of_turns(20'000, 120'000, 400'000).size(), 3U);
  EXPECT_EQ(flushes_of_turns(FlushPoints::most, 60'000, 400'000).size(), 1U);
}

TEST(FlushPoints, AnotherSequenceIsNotCut) {
  Points points;
  std::size_t place = 0;
  add_turns(points, 30, place, 1000);
  points.learn();
  points.begin();
  place += 1;
  EXPECT_EQ(add_turns(points, 30, place, 1000), 1000U);
}

TEST(FlushPoints, WhatDoesNotRepeatTeachesNothing) {
  Points points;
  for (std::uint64_t i = 0; i < 500; ++i) {
    EXPECT_FALSE(points.add(i * i));
  }
  EXPECT_EQ(points.count(), 500U);
  points.learn();
  points.begin();
  EXPECT_EQ(points.count(), 0U);
  for (std::uint64_t i = 0; i < 500; ++i) {
    EXPECT_FALSE(points.add(i * i));
  }
}

TEST(FlushPoints, TwoLoopsAreBothKnown) {
  Points points;
  for (const std::size_t turn : {130U, 140U}) {
    std::size_t place = 0;
    add_turns(points, turn, place, 3 * turn);
    points.learn();
    points.begin();
  }
  std::size_t place = 0;
  EXPECT_EQ(add_turns(points, 130, place, 1000), 130U);
  points.begin();
  place = 0;
  EXPECT_EQ(add_turns(points, 140, place, 1000), 140U);
}

}  // namespace flush_points_test
}  // namespace ddx::backend::lazy
