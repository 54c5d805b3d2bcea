#include "ddx/tensor/cond.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <utility>
#include <vector>

namespace ddx {
namespace cond_test {

using testing::thrown;
using Numbers = Tensor<std::int64_t>;

const Device devices[] = {Device::naive(), Device::cpu(), Device::lazy()};

TEST(Cond, RunsTheFunctionThatIsChosen) {
  for (const Device device : devices) {
    const Numbers x({2}, {6, 9}, device);
    const Numbers captured({2}, {2, 3}, device);
    const auto chosen = [&](bool which) {
      return cond(
          Tensor<bool>(which, device), [&](const Numbers& a) { return a + captured; },
          [&](const Numbers& a) { return a * captured; }, x);
    };
    EXPECT_EQ(chosen(true).values(), (std::vector<std::int64_t>{8, 12})) << to_string(device);
    EXPECT_EQ(chosen(false).values(), (std::vector<std::int64_t>{12, 27})) << to_string(device);
  }
}

TEST(Cond, WhatIsNotChosenCannotFail) {
  for (const Device device : devices) {
    const Numbers none({2}, {0, 0}, device);
    const Numbers x({2}, {6, 9}, device);
    const auto divided = [&](bool which) {
      return cond(Tensor<bool>(which, device), [&] { return x / none; }, [&] { return x; });
    };
    EXPECT_EQ(divided(false).values(), (std::vector<std::int64_t>{6, 9})) << to_string(device);
    EXPECT_THROW((void)divided(true).values(), UsageError) << to_string(device);
  }
}

TEST(Cond, TellsWhatDoesNotFit) {
  for (const Device device : devices) {
    const Numbers x({2}, {6, 9}, device);
    EXPECT_EQ(thrown<UsageError>([&] {
                (void)cond(greater(x, std::int64_t{7}), [&] { return x; }, [&] { return x + x; });
              }),
              "cond: the condition has shape [2], not one element");
  }
  const Numbers x({2}, {6, 9}, Device::lazy());
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)cond(
                  greater(sum(x), std::int64_t{7}), [&] { return x; },
                  [&] { return concatenate(std::vector<Numbers>{x, x}); });
            }),
            "cond: tensor 0 of the result is i64 [2] at first and i64 [4] then");
  using Counted = std::pair<Numbers, int>;
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)cond(
                  greater(sum(x), std::int64_t{7}), [&] { return Counted(x, 1); },
                  [&] { return Counted(x, 2); });
            }),
            "cond: a number in the result, or the length of a list, is not the same as at first; "
            "what changes has to be an element of a tensor");
}

TEST(Cond, SymbolicZerosMayStandInOneBranchOrInBoth) {
  using Both = std::pair<Numbers, Numbers>;
  for (const Device device : devices) {
    const Numbers x(std::int64_t{6}, device);
    for (const bool which : {true, false}) {
      const Both one = cond(
          Tensor<bool>(which, device), [](const Numbers& a) { return Both(Numbers(), a); },
          [](const Numbers& a) { return Both(a, a + a); }, x);
      EXPECT_EQ(one.first.item(), which ? 0 : 6) << to_string(device);
      EXPECT_EQ(one.second.item(), which ? 6 : 12) << to_string(device);
      const Both other = cond(
          Tensor<bool>(which, device), [](const Numbers& a) { return Both(a, a + a); },
          [](const Numbers& a) { return Both(Numbers(), a); }, x);
      EXPECT_EQ(other.first.item(), which ? 6 : 0) << to_string(device);
      const Both both = cond(
          Tensor<bool>(which, device), [](const Numbers& a) { return Both(Numbers(), a); },
          [](const Numbers& a) { return Both(Numbers(), a + a); }, x);
      EXPECT_TRUE(both.first.is_symbolic_zero()) << to_string(device);
      EXPECT_EQ(both.second.item(), which ? 6 : 12) << to_string(device);
    }
  }
}

TEST(Cond, CapturesMayLieOnAnyDeviceOfTheHost) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<float> weight({2}, {1, 2}, device);
    const Tensor<float> x({2}, {3, 4}, Device::lazy());
    const auto chosen = [&](float bound) {
      return cond(greater(sum(x), bound), [&] { return weight * x; }, [&] { return x - weight; });
    };
    EXPECT_EQ(chosen(6).values(), (std::vector<float>{3, 8})) << device;
    EXPECT_EQ(chosen(7).values(), (std::vector<float>{2, 2})) << device;
  }
}

}  // namespace cond_test
}  // namespace ddx
