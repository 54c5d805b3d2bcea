#include "ddx/ad/detail/object_tangents.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <thread>

namespace object_tangents_test {

using ddx::detail::add_object_tangent;
using ddx::detail::ObjectTangents;
using ddx::detail::tangent_in;

/// A class that is its own tangent.
struct Weight {
  using TangentVector = Weight;
  long grams = 0;
};
void ddx_accumulate(Weight& into, const Weight& from) {
  into.grams += from.grams;
}

TEST(ObjectTangents, AreSummedByAddress) {
  ObjectTangents objects;
  const std::array<Weight, 2> weights{};
  EXPECT_TRUE(objects.is_empty());
  EXPECT_FALSE(objects.take(&weights[0]));
  add_object_tangent(objects, &weights[0], Weight{2});
  add_object_tangent(objects, &weights[1], Weight{30});
  add_object_tangent(objects, &weights[0], Weight{5});
  EXPECT_EQ(tangent_in<Weight>(objects.copy(&weights[0])).grams, 7);
  EXPECT_EQ(tangent_in<Weight>(objects.take(&weights[0])).grams, 7);
  EXPECT_EQ(tangent_in<Weight>(objects.take(&weights[0])).grams, 0);
  EXPECT_EQ(tangent_in<Weight>(objects.take(&weights[1])).grams, 30);
}

TEST(ObjectTangents, AreReplaced) {
  ObjectTangents objects;
  const Weight weight;
  add_object_tangent(objects, &weight, Weight{2});
  add_object_tangent(objects, &weight + 1, Weight{9});
  objects.set(&weight, objects.take(&weight + 1));
  EXPECT_EQ(tangent_in<Weight>(objects.take(&weight)).grams, 9);
}

TEST(ObjectTangents, EndWithTheirMemory) {
  ObjectTangents objects;
  const std::array<Weight, 5> weights{};
  const auto fill = [&] {
    for (const Weight& weight : weights) {
      add_object_tangent(objects, &weight, Weight{1});
    }
  };
  const auto left = [&] {
    std::array<long, 5> grams{};
    for (std::size_t i = 0; i < weights.size(); ++i) {
      grams[i] = tangent_in<Weight>(objects.copy(&weights[i])).grams;
    }
    return grams;
  };
  fill();
  objects.clear(&weights[1], 2 * sizeof(Weight));
  EXPECT_EQ(left(), (std::array<long, 5>{1, 0, 0, 1, 1}));
  // A range of more objects than there are tangents.
  objects.clear(&weights[3], 1000 * sizeof(Weight));
  EXPECT_EQ(left(), (std::array<long, 5>{1, 0, 0, 0, 0}));
  fill();
  objects.reset();
  EXPECT_EQ(left(), (std::array<long, 5>{}));
}

TEST(ObjectTangents, OfSeveralThreads) {
  ObjectTangents objects;
  const Weight weight;
  const auto add_many = [&] {
    for (int i = 0; i < 1000; ++i) {
      add_object_tangent(objects, &weight, Weight{1});
    }
  };
  std::thread other(add_many);
  add_many();
  other.join();
  EXPECT_EQ(tangent_in<Weight>(objects.take(&weight)).grams, 2000);
}

}  // namespace object_tangents_test
