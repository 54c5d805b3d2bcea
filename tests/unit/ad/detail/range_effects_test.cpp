#include "ddx/ad/detail/range_effects.h"

#include "ddx/ad/detail/memory_sweep.h"
#include "ddx/ad/detail/memory_tangents.h"

#include <gtest/gtest.h>

namespace ddx::detail {
namespace {

/// Two numbers each, and the places of their tangents or cotangents.
struct Places {
  explicit Places(auto& owner) {
    for (int i = 0; i < 2; ++i) {
      from[i] = owner.template place<double>(&a[i]);
      to[i] = owner.template place<double>(&b[i]);
    }
  }

  double a[2] = {};
  double b[2] = {};
  double* from[2] = {};
  double* to[2] = {};
};

TEST(RangeEffects, GiveCotangentsBackAlongTangentsThatMoved) {
  MemoryTangents tangents;
  MemorySweep sweep;
  const Places places(tangents);
  *places.from[0] = 1;
  void* const outer[] = {&sweep};
  const Observers observers("s", outer);
  observers.begin();
  tangents.move(places.b, places.a, sizeof places.a, observers);
  EXPECT_EQ(*places.to[0], 1);
  tangents.reset();  // As at the end of a differential: the record alone knows what moved.
  sweep.begin_reverse();
  *sweep.place<double>(places.to[0]) = 5;
  reverse_effects(sweep);
  EXPECT_EQ(*sweep.place<double>(places.from[0]), 5);
  EXPECT_EQ(*sweep.place<double>(places.to[0]), 0);
}

TEST(RangeEffects, GiveTheCotangentOfASumToBothSummands) {
  MemorySweep inner;
  MemorySweep outer;
  const Places places(inner);
  *places.to[1] = 2;  // The other one is zero, which has a cotangent, too.
  void* const objects[] = {&outer};
  const Observers observers("s", objects);
  observers.begin();
  inner.move(places.b, places.a, sizeof places.a, observers);
  EXPECT_EQ(*places.from[1], 2);
  outer.begin_reverse();
  *outer.place<double>(places.from[0]) = 5;
  *outer.place<double>(places.from[1]) = 6;
  *outer.place<double>(places.to[0]) = 7;
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(places.from[0]), 5);
  EXPECT_EQ(*outer.place<double>(places.to[0]), 5);
  EXPECT_EQ(*outer.place<double>(places.to[1]), 6);
}

TEST(RangeEffects, AreReversedCallByCall) {
  MemorySweep inner;
  MemorySweep outer;
  const Places places(inner);
  void* const objects[] = {&outer};
  const Observers observers("s", objects);
  observers.begin();
  inner.clear(places.a, sizeof(double), observers);
  observers.begin();
  inner.clear(&places.a[1], sizeof(double), observers);
  outer.begin_reverse();
  *outer.place<double>(places.from[0]) = 5;
  *outer.place<double>(places.from[1]) = 6;
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(places.from[0]), 5);
  EXPECT_EQ(*outer.place<double>(places.from[1]), 0);
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(places.from[0]), 0);
}

TEST(RangeEffects, SeparateUsesOfTheSameMemory) {
  MemoryTangents tangents;
  MemorySweep inner;
  MemorySweep outer;
  const Places of_tangents(tangents);
  const Places of_cotangents(inner);
  void* const objects[] = {&outer};
  const Observers observers("s", objects);
  observers.begin();
  tangents.end_use(observers);
  observers.begin();
  inner.end_reverse(observers);
  outer.begin_reverse();
  *outer.place<double>(of_tangents.from[0]) = 5;
  *outer.place<double>(of_cotangents.from[0]) = 6;
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(of_cotangents.from[0]), 0);
  EXPECT_EQ(*outer.place<double>(of_tangents.from[0]), 5);
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(of_tangents.from[0]), 0);
}

/// Reverse mode over forward mode over reverse mode: the outermost sees the tangents, too.
TEST(RangeEffects, AreSeenByAllDerivativesAround) {
  MemorySweep inner;
  MemoryTangents tangents;
  MemorySweep outer;
  const Places places(inner);
  double* const to = tangents.place<double>(places.to[0]);
  double* const from = tangents.place<double>(places.from[0]);
  *places.to[0] = 2;
  *to = 3;
  *from = 4;
  void* const objects[] = {&tangents, &outer};
  const Observers observers("ts", objects);
  observers.begin();
  inner.move(places.b, places.a, sizeof places.a, observers);
  EXPECT_EQ(*places.from[0], 2);
  EXPECT_EQ(*from, 7);
  EXPECT_EQ(*to, 0);
  outer.begin_reverse();
  *outer.place<double>(from) = 5;
  *outer.place<double>(places.from[0]) = 6;
  reverse_effects(outer);
  EXPECT_EQ(*outer.place<double>(from), 5);
  EXPECT_EQ(*outer.place<double>(to), 5);
  EXPECT_EQ(*outer.place<double>(places.to[0]), 6);
}

}  // namespace
}  // namespace ddx::detail
