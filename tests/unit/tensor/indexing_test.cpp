#include "ddx/tensor/indexing.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <source_location>
#include <string>
#include <vector>

namespace ddx {
namespace {

using testing::thrown;

const Tensor<float> matrix{{1, 2, 3}, {4, 5, 6}};

TEST(Gather, TakesSlicesInAnyOrder) {
  EXPECT_EQ(gather(matrix, Tensor<std::int32_t>{1, 0, 1}),
            (Tensor<float>{{4, 5, 6}, {1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(gather(matrix, Tensor<std::int32_t>(2), -1), (Tensor<float>{3, 6}))
      << "a scalar index drops the axis";
}

TEST(Gather, RejectsIndicesOutside) {
  EXPECT_EQ(thrown<UsageError>([] { (void)gather(matrix, Tensor<std::int32_t>{0, 2}); }),
            "gather: index 2 at position 1 is not in [0, 2) (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)gather(matrix, Tensor<std::int32_t>{-1}); }),
            "gather: index -1 at position 0 is not in [0, 2) (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)gather(matrix, Tensor<std::int32_t>{0}, 2); }),
            "gather: axis 2 is not in [-2, 2); shape [2, 3] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)gather(matrix, zeros<std::int32_t>({1, 1, 1, 1, 1, 1, 1, 1})); }),
            "gather: the result has rank 9, above the largest supported, 8; shape [2, 3] (here)");
}

TEST(Gather, NamesTheFirstIndexOutsideWhereverItStands) {
  constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t highest = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t place : {0, 1, 7, 8, 30, 35, 36}) {
    for (const std::int32_t index : {-1, 2, lowest, highest}) {
      std::vector<std::int32_t> values(37);
      values[static_cast<std::size_t>(place)] = index;
      values[36] = index;
      const Tensor<std::int32_t> indices({37}, values);
      EXPECT_EQ(thrown<UsageError>([&] { (void)gather(matrix, indices); }),
                "gather: index " + std::to_string(index) + " at position " + std::to_string(place) +
                    " is not in [0, 2) (here)");
    }
  }
}

TEST(OneHot, MarksTheIndex) {
  EXPECT_EQ(one_hot<float>(Tensor<std::int32_t>{1, 3, -1}, 3),
            (Tensor<float>{{0, 1, 0}, {0, 0, 0}, {0, 0, 0}}));
  EXPECT_EQ(thrown<UsageError>([] { (void)one_hot<float>(Tensor<std::int32_t>{1, 3}, -1); }),
            "one_hot: depth -1 is negative; shape [2] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)one_hot<float>(zeros<std::int32_t>({1, 1, 1, 1, 1, 1, 1, 1}), 2); }),
            "one_hot: the result has rank 9, above the largest supported, 8; shape [1, 1, 1, 1, 1, "
            "1, 1, 1] (here)");
}

TEST(Accessors, HaveDerivatives) {
  const Tensor<double> x{{1, 2}, {3, 4}};
  const auto element = element_vjp(x, {1, -1});
  EXPECT_EQ(element.value, 4);
  EXPECT_EQ(element.pullback(5), (Tensor<double>{{0, 0}, {0, 5}}));
  const auto item = item_vjp(Tensor<double>({1, 1}, {3}), std::source_location::current());
  EXPECT_EQ(item.value, 3);
  EXPECT_EQ(item.pullback(2), Tensor<double>({1, 1}, {2}));
  const auto moved = to_vjp(x, Device::cpu());
  EXPECT_EQ(moved.value.device(), Device::cpu());
  EXPECT_EQ(moved.pullback(moved.value).device(), x.device());
}

}  // namespace
}  // namespace ddx
