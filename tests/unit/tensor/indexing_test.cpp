#include "ddx/tensor/indexing.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/along_axis.h"
#include "ddx/tensor/batch_gather.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/scatter.h"
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
namespace indexing_test {

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

constexpr std::int64_t past_32_bits = std::int64_t{1} << 32;  // Its low 32 bits are 0.

TEST(IndicesOf64Bits, ChooseAsThoseOf32) {
  using Long = Tensor<std::int64_t>;
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const auto x = matrix.to(device);
    const auto rows = Long{1, 0, 1}.to(device);
    EXPECT_EQ(gather(x, rows), (Tensor<float>{{4, 5, 6}, {1, 2, 3}, {4, 5, 6}})) << device;
    EXPECT_EQ(take_along_axis(x, Long{{2}, {0}}.to(device)), (Tensor<float>{{3}, {4}})) << device;
    EXPECT_EQ(batch_gather(x, Long{{2}, {0}}.to(device)), (Tensor<float>{{3}, {4}})) << device;
    EXPECT_EQ(segment_sum(x, Long{1, 1}.to(device), 2), (Tensor<float>{{0, 0, 0}, {5, 7, 9}}))
        << device;
    EXPECT_EQ(scatter_add(x, Long{1}.to(device), Tensor<float>{{10, 20, 30}}.to(device)),
              (Tensor<float>{{1, 2, 3}, {14, 25, 36}}))
        << device;
    EXPECT_EQ(one_hot<float>(Long{1, -1, past_32_bits, 0, past_32_bits + 1}.to(device), 2),
              (Tensor<float>{{0, 1}, {0, 0}, {0, 0}, {1, 0}, {0, 0}}))
        << device;
    const auto pullback = gather_vjp(x, rows, 0, std::source_location::current()).pullback;
    EXPECT_EQ(pullback(Tensor<float>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}.to(device)),
              (Tensor<float>{{4, 5, 6}, {8, 10, 12}}))
        << device;
    EXPECT_EQ(
        thrown<UsageError>([&] { (void)gather(x, Long{0, past_32_bits}.to(device)).values(); }),
        "gather: index 4294967296 at position 1 does not fit into 32 bits; shape [2] (here)")
        << device;
    EXPECT_EQ(thrown<UsageError>([&] { (void)gather(x, Long{0, 2}.to(device)).values(); }),
              "gather: index 2 at position 1 is not in [0, 2) (here)")
        << device;
  }
}

}  // namespace indexing_test
}  // namespace ddx
