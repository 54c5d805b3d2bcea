#include "ddx/data/collate.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/data/epoch.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <utility>
#include <vector>

namespace ddx::data {
namespace collate_test {

using ddx::testing::message_of;
using Floats = Tensor<float>;

template <class T>
std::span<const T> span_of(const std::vector<T>& samples) {
  return samples;
}

TEST(Collate, StacksTensorsAlongANewAxis) {
  const std::vector<Floats> samples = {Floats{{1, 2}, {3, 4}}, Floats{{5, 6}, {7, 8}},
                                       Floats{{9, 10}, {11, 12}}};
  EXPECT_EQ(collate(span_of(samples)), Floats({3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  const std::vector<Tensor<bool>> flags = {Tensor<bool>(true), Tensor<bool>(false)};
  EXPECT_EQ(collate(span_of(flags)), (Tensor<bool>{true, false}));
}

TEST(Collate, NumbersAndPairsBecomeTensors) {
  const std::vector<std::int32_t> labels = {3, 1, 2};
  EXPECT_EQ(collate(span_of(labels)), (Tensor<std::int32_t>{3, 1, 2}));
  const std::vector<std::pair<Floats, std::int32_t>> samples = {{Floats{1, 2}, 7},
                                                                {Floats{3, 4}, 8}};
  const auto [inputs, targets] = collate(span_of(samples));
  EXPECT_EQ(inputs, (Floats{{1, 2}, {3, 4}}));
  EXPECT_EQ(targets, (Tensor<std::int32_t>{7, 8}));
}

TEST(Collate, OtherShapesAndNoneAreErrors) {
  const std::vector<Floats> samples = {Floats{1, 2}, Floats{3, 4}, Floats{5}};
  EXPECT_EQ(message_of<UsageError>([&] { (void)collate(span_of(samples)); }),
            "collate: sample 2 has shape [1], sample 0 has shape [2]");
  EXPECT_EQ(message_of<UsageError>([] { (void)collate(std::span<const Floats>()); }),
            "collate: no samples: the shape of a batch of none is not known");
}

TEST(PaddedCollate, FillsAfterOrBeforeTheElements) {
  const std::vector<Floats> samples = {Floats{1, 2}, Floats{3}, zeros<float>({0})};
  EXPECT_EQ(padded_collate(span_of(samples)), (Floats{{1, 2}, {3, 0}, {0, 0}}));
  EXPECT_EQ(padded_collate(span_of(samples), {.value = -1, .at_start = true}),
            (Floats{{1, 2}, {-1, 3}, {-1, -1}}));
}

TEST(PaddedCollate, FillsAlongEveryAxis) {
  const std::vector<Floats> samples = {Floats{{1, 2, 3}}, Floats{{4}, {5}}};
  EXPECT_EQ(padded_collate(span_of(samples), {.value = 9}),
            Floats({2, 2, 3}, {1, 2, 3, 9, 9, 9, 4, 9, 9, 5, 9, 9}));
  EXPECT_EQ(padded_collate(span_of(samples), {.value = 9, .at_start = true}),
            Floats({2, 2, 3}, {9, 9, 9, 1, 2, 3, 9, 9, 4, 9, 9, 5}));
}

TEST(PaddedCollate, OtherRanksAreAnError) {
  const std::vector<Floats> samples = {Floats{1, 2}, Floats{{1}}};
  EXPECT_EQ(message_of<UsageError>([&] { (void)padded_collate(span_of(samples)); }),
            "padded_collate: sample 1 has shape [1, 1], sample 0 has shape [2]");
}

TEST(Collated, MakesADataSetOfSamples) {
  const std::vector<std::int32_t> samples = {10, 20, 30};
  const Collated data(samples, [](auto batch) { return collate(batch); });
  static_assert(Dataset<decltype(data)>);
  EXPECT_EQ(data.size(), 3);
  EXPECT_EQ(data.batch(std::vector<std::int64_t>{2, 0}), (Tensor<std::int32_t>{30, 10}));
}

}  // namespace collate_test
}  // namespace ddx::data
