#include "ddx/tensor/sorting.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

namespace ddx {
namespace sorting_test {

using testing::thrown;
using Ints = Tensor<std::int32_t>;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST(Argsort, KeepsTheOrderOfEqualElements) {
  EXPECT_EQ(argsort(Tensor<float>{2, 1, 2, 1}), (Ints{1, 3, 0, 2}));
  EXPECT_EQ(argsort(Tensor<float>{2, 1, 2, 1}, {.descending = true}), (Ints{0, 2, 1, 3}));
  EXPECT_EQ(argsort(Tensor<float>{nan, 1, INFINITY}), (Ints{1, 2, 0}));
  EXPECT_EQ(argsort(Tensor<float>{1, nan, 2}, {.descending = true}), (Ints{1, 2, 0}));
  EXPECT_EQ(argsort(Tensor<bool>{true, false}), (Ints{1, 0}));
}

TEST(Sort, WorksAlongAnyAxis) {
  const Tensor<float> x{{3, 1, 2}, {1, 5, 0}};
  EXPECT_EQ(sort(x), (Tensor<float>{{1, 2, 3}, {0, 1, 5}}));
  EXPECT_EQ(sort(x, {.axis = 0}), (Tensor<float>{{1, 1, 0}, {3, 5, 2}}));
  EXPECT_EQ(sort(x, {.axis = 0, .descending = true}), (Tensor<float>{{3, 5, 2}, {1, 1, 0}}));
  EXPECT_EQ(sort(Tensor<float>({3, 0}, std::vector<float>())).shape(), (Shape{3, 0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)sort(Tensor<float>(1)); }),
            "argsort: axis -1 is not in [0, 0); shape [] (here)");
}

TEST(TopK, TakesTheLargest) {
  const auto best = top_k(Tensor<float>{{1, 7, 7, 3}, {9, 0, 8, 9}}, 2);
  EXPECT_EQ(best.values, (Tensor<float>{{7, 7}, {9, 9}}));
  EXPECT_EQ(best.indices, (Ints{{1, 2}, {0, 3}}));
  EXPECT_EQ(top_k(matrix, 1, 0).indices, (Ints{{1, 1, 1}}));
  EXPECT_EQ(top_k(matrix, 0).values.shape(), (Shape{2, 0}));
  EXPECT_EQ(thrown<UsageError>([] { (void)top_k(matrix, 4); }),
            "top_k: count 4 is not in [0, 3]; shape [2, 3] (here)");
}

TEST(Median, IsTheMiddleOrBetweenTheMiddleTwo) {
  EXPECT_EQ(median(Tensor<float>{{3, 1, 2}, {9, 0, 8}}), (Tensor<float>{2, 8}));
  EXPECT_EQ(median(matrix, 0), (Tensor<float>{2.5F, 3.5F, 4.5F}));
  EXPECT_EQ(median(Tensor<float>{4}).item(), 4);
  EXPECT_EQ(thrown<UsageError>([] { (void)median(Tensor<float>({2, 0}, std::vector<float>())); }),
            "median: there is no element on axis -1; shape [2, 0] (here)");
}

}  // namespace sorting_test
}  // namespace ddx
