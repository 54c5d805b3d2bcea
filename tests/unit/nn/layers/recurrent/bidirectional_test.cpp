#include "ddx/nn/layers/recurrent/bidirectional.h"

#include "ddx/core/random_key.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reverse.h"
#include "ddx/tensor/splitting.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace bidirectional_test {

TEST(Bidirectional, MergesEqualSteps) {
  const Bidirectional<BasicCell<double>> joined({.in = 2, .hidden = 3, .key = RandomKey(5)});
  Bidirectional<BasicCell<double>> other = joined;
  const auto x = random_normal<double>(RandomKey(1), {2, 4, 2});
  const auto halves = split_equally(joined(x), 2, 2);
  EXPECT_EQ(halves[0], joined.forwards(x));
  EXPECT_EQ(reverse(halves[1], {1}), joined.backwards(reverse(x, {1})));
  other.merge = Merge::Sum;
  EXPECT_EQ(other(x), halves[0] + halves[1]);
  other.merge = Merge::Average;
  EXPECT_EQ(other(x), (halves[0] + halves[1]) / 2);
  other.merge = Merge::Multiply;
  EXPECT_EQ(other(x), halves[0] * halves[1]);
}

TEST(Bidirectional, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(1), {2, 3, 2});
  for (const Merge merge : {Merge::Concatenate, Merge::Sum, Merge::Average, Merge::Multiply}) {
    ddx::testing::expect_gradient(
        Bidirectional<GRUCell<double>>({.in = 2, .hidden = 2, .key = RandomKey(5)}, merge), x);
  }
}

}  // namespace bidirectional_test
}  // namespace ddx::nn
