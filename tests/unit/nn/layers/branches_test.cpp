#include "ddx/nn/layers/branches.h"

#include "ddx/ad/operators.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/identity.h"
#include "ddx/nn/merge.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/model_gradient.h"
#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::nn {
namespace branches_test {

const Dense<double> first{{.in = 3, .out = 2, .activation = Activation::Tanh, .key = RandomKey(1)}};
const Dense<double> second{{.in = 3, .out = 2, .key = RandomKey(2)}};
const Dense<double> third{{.in = 3, .out = 2, .key = RandomKey(3)}};

TEST(Branches, MergeTheResultsOfTheirLayers) {
  const auto x = random_normal<double>(RandomKey(4), {4, 3});
  const auto a = first(x);
  const auto b = second(x);
  const auto c = third(x);
  EXPECT_EQ(Branches({.how = Merge::Sum}, first, second, third)(x), a + b + c);
  EXPECT_EQ(Branches({.how = Merge::Average}, first, second)(x), (a + b) / 2.0);
  EXPECT_EQ(Branches({.how = Merge::Multiply}, first, second, third)(x), a * b * c);
  EXPECT_EQ(Branches({.how = Merge::Concatenate}, first, second, third)(x),
            concatenate(std::vector{a, b, c}, 1));
  EXPECT_EQ(Branches({.how = Merge::Stack, .axis = 1}, first, second)(x),
            stack(std::vector{a, b}, 1));
  EXPECT_EQ(Branches({.how = Merge::Concatenate, .axis = 0}, first)(x), a);
}

TEST(Branches, GradientAgreesWithDifferences) {
  const auto x = random_normal<double>(RandomKey(4), {4, 3});
  for (const Merge how :
       {Merge::Sum, Merge::Average, Merge::Multiply, Merge::Concatenate, Merge::Stack}) {
    ddx::testing::expect_gradient(Branches({.how = how}, first, second, third), x);
  }
}

TEST(Branches, ResultsThatDoNotFitAreAnError) {
  EXPECT_EQ(ddx::testing::thrown<UsageError>([] {
              (void)Branches({.how = Merge::Sum}, first, Identity())(zeros<double>({4, 3}));
            }),
            "stack: parts differ in shape; shapes [4, 2] and [4, 3] (here)");
}

}  // namespace branches_test
}  // namespace ddx::nn
