#include "ddx/tensor/similarity.h"

#include "ddx/core/error.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>

namespace ddx {
namespace similarity_test {

using testing::thrown;

// (3, 4) and (4, 3): 24 / 25.
TEST(CosineSimilarity, OfVectorsAlongAxes) {
  const Tensor<double> a{{3, 4}, {1, 0}, {1, 2}};
  const Tensor<double> b{{4, 3}, {0, 5}, {-2, -4}};
  EXPECT_TRUE(all_close(cosine_similarity(a, b), Tensor<double>{0.96, 0, -1}));
  EXPECT_TRUE(all_close(cosine_distance(a, b), Tensor<double>{0.04, 1, 2}));
  EXPECT_TRUE(all_close(cosine_similarity(a, Tensor<double>{1, 0}),
                        Tensor<double>{0.6, 1, 0.2 * std::sqrt(5.0)}));
  EXPECT_NEAR(cosine_similarity(a, a, {.axes = {}}).item(), 1, 1e-15);
}

TEST(CosineSimilarity, OfZerosIsZeroAndOfGiantsFinite) {
  EXPECT_EQ(cosine_similarity(Tensor<float>{0, 0}, Tensor<float>{1, 2}).item(), 0);
  EXPECT_TRUE(all_close(cosine_similarity(Tensor<float>{3e30F, 4e30F}, Tensor<float>{4e30F, 3e30F}),
                        Tensor<float>(0.96F)));
}

TEST(CosineSimilarity, RejectsWhatDoesNotFit) {
  EXPECT_EQ(thrown<UsageError>([] {
              (void)cosine_similarity(Tensor<float>{1, 2}, Tensor<float>{1, 2}, {.axes = {1}});
            }),
            "max: axis 1 is not in [-1, 1); shape [2] (here)");
}

}  // namespace similarity_test
}  // namespace ddx
