#include "ddx/nn/summary.h"

#include "ddx/ad/differentiable.h"
#include "ddx/core/random_key.h"
#include "ddx/nn/layers/branches.h"
#include "ddx/nn/layers/convolution.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/flatten.h"
#include "ddx/nn/layers/frozen.h"
#include "ddx/nn/layers/residual.h"
#include "ddx/nn/layers/sequential.h"
#include "ddx/nn/layers/time_distributed.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace summary_test {

TEST(Summary, ShowsTheLayersOfASequence) {
  const Sequential model{Frozen{Conv2D<float>{{.in = 1, .out = 2, .kernel = {3, 3}}}},
                         Flatten<float>(), Dense<float>{{.in = 8, .out = 3}}};
  EXPECT_EQ(summary(model, zeros<float>({5, 4, 4, 1})),
            "layer            class    output        parameters\n"
            "first            Frozen   [5, 2, 2, 2]          20\n"
            "rest.first       Flatten  [5, 8]                 0\n"
            "rest.rest.first  Dense    [5, 3]                27\n"
            "Sequential -> [5, 3]: 47 parameters, 27 of them trained\n");
}

struct Pair {
  Dense<float> first{{.in = 2, .out = 2}};
  Dense<float> second{{.in = 2, .out = 1, .bias = false}};
  [[nodiscard]] Tensor<float> operator()(const Tensor<float>& x) const { return second(first(x)); }
  DDX_DIFFERENTIABLE(Pair, first, second)
};

TEST(Summary, ListsWhatIsInOtherClasses) {
  EXPECT_EQ(summary(Pair(), zeros<float>({3, 2})),
            "layer    class  output  parameters\n"
            "first    Dense  -                6\n"
            "second   Dense  -                2\n"
            "(model)  Pair   [3, 1]           8\n"
            "Pair -> [3, 1]: 8 parameters, 8 of them trained\n");
}

TEST(Summary, LooksIntoCombinedLayers) {
  const TimeDistributed model{
      Residual{Branches({.how = Merge::Concatenate}, Dense<float>{{.in = 4, .out = 1}},
                        Dense<float>{{.in = 4, .out = 3}})}};
  EXPECT_EQ(summary(model, zeros<float>({2, 3, 4})),
            "layer                          class     output  parameters\n"
            "layer.layer.layers.first       Dense     [6, 1]           5\n"
            "layer.layer.layers.rest.first  Dense     [6, 3]          15\n"
            "layer.shortcut                 Identity  [6, 4]           0\n"
            "TimeDistributed -> [2, 3, 4]: 20 parameters, 20 of them trained\n");
}

TEST(Summary, ClassesAreNamedWithoutNamespacesAndArguments) {
  EXPECT_EQ(detail::class_name<Tensor<float>>(), "Tensor");
  EXPECT_EQ((detail::class_name<Sequential<Pair, Dense<double>>>()), "Sequential");
  EXPECT_EQ(detail::class_name<Pair>(), "Pair");
  EXPECT_EQ(detail::class_name<Residual<Dense<float>>::TangentVector>(), "TangentVector");
}

}  // namespace summary_test
}  // namespace ddx::nn
