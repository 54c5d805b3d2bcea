#include "ddx/tensor/kron.h"

#include "ddx/core/error.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>

namespace ddx {
namespace kron_test {

using testing::thrown;

TEST(Outer, HasAllProducts) {
  EXPECT_EQ(outer(Tensor<std::int32_t>{1, 2}, Tensor<std::int32_t>{3, 4, 5}),
            (Tensor<std::int32_t>{{3, 4, 5}, {6, 8, 10}}));
  EXPECT_EQ(outer(zeros<float>({4, 2}), zeros<float>({3})).shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(outer(zeros<float>({0}), zeros<float>({3})).shape(), (Shape{0, 3}));
}

TEST(Kron, RepeatsTheRightMatrix) {
  const Tensor<float> a{{1, 2}, {3, 4}};
  const Tensor<float> b{{0, 5}};
  EXPECT_EQ(kron(a, b), (Tensor<float>{{0, 5, 0, 10}, {0, 15, 0, 20}}));
  EXPECT_EQ(kron(b, a), (Tensor<float>{{0, 0, 5, 10}, {0, 0, 15, 20}}));
}

TEST(Kron, StretchesLeadingAxes) {
  const Tensor<float> a({2, 1, 1}, {1, 2});
  EXPECT_EQ(kron(a, Tensor<float>{{3, 4}}), (Tensor<float>{{{3, 4}}, {{6, 8}}}));
  EXPECT_EQ(kron(zeros<float>({2, 0, 3}), zeros<float>({4, 5})).shape(), (Shape{2, 0, 15}));
}

TEST(Kron, NamesWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] { (void)kron(Tensor<float>{1, 2}, Tensor<float>{{1}}); }),
            "kron: the operand is no matrix; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)kron(ones<float>({1, 1, 1, 1, 1, 2, 2}), ones<float>({2, 2})); }),
            "kron: more than 4 leading axes; shapes [1, 1, 1, 1, 1, 2, 2] and [2, 2] (here)");
}

}  // namespace kron_test
}  // namespace ddx
