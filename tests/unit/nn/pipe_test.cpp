#include "ddx/nn/pipe.h"

#include "ddx/nn/layers/dense.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>
#include <vector>

namespace elsewhere {

/// A layer of a user's own, in the user's namespace.
struct Doubling {
  ddx::Tensor<double> operator()(const ddx::Tensor<double>& x) const { return x + x; }
};

}  // namespace elsewhere

namespace pipe_test {

template <class Left, class Right>
concept Pipes = requires(const Left& left, const Right& right) { left | right; };

TEST(Pipe, AppliesLayersFromLeftToRight) {
  ddx::nn::Dense<double> dense{{.in = 2, .out = 1}};
  dense.weight = ddx::Tensor<double>({2, 1}, std::vector<double>{3, 4});
  const ddx::Tensor<double> x{{1.0, 10.0}};
  const auto y = x | elsewhere::Doubling() | dense;
  EXPECT_EQ(y.values(), (std::vector<double>{86}));
}

TEST(Pipe, ExistsOnlyForLayersThatTakeTheInput) {
  static_assert(Pipes<ddx::Tensor<double>, elsewhere::Doubling>);
  static_assert(!Pipes<ddx::Tensor<float>, elsewhere::Doubling>);
  static_assert(!Pipes<ddx::Tensor<double>, int>);
}

}  // namespace pipe_test
