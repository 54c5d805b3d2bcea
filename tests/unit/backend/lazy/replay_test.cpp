#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/tensor.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend {
namespace replay_test {

/// The elements that a program has looked at.
using Seen = std::vector<std::vector<float>>;

/// A short program of operations that other seeds have in common with it: they begin alike, and
/// differ in an operation, an operand, a number, a shape, or in what is looked at and when.
Seen random_program(std::uint64_t seed, Device device, const Tensor<float>& a,
                    const Tensor<float>& b) {
  std::mt19937_64 random(seed);
  const auto choose = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
  std::vector<Tensor<float>> values{a.to(device), b.to(device)};
  Seen seen;
  const std::size_t length = 2 + choose(6);
  for (std::size_t i = 0; i < length; ++i) {
    const auto& x = values[values.size() - 1 - choose(2)];
    const auto& y = values[choose(values.size())];
    const float number = std::vector<float>{0.3F, 0.7F, 0.5F, 2}[choose(4)];
    switch (choose(7)) {
      case 0:
        values.push_back(x.shape() == y.shape() ? x + y : reshape(x, y.shape()) + y);
        break;
      case 1:
        values.push_back(x * number);
        break;
      case 2:
        values.push_back(add_scaled(x, number, reshape(y, x.shape())));
        break;
      case 3:
        values.push_back(x.rank() == 1 ? reshape(x, {2, 3}) : reshape(x, {6}));
        break;
      case 4:
        values.push_back(x * sum(y));
        break;
      case 5:
        values.push_back(tanh(x));
        break;
      default:
        seen.push_back(y.values());
        break;
    }
  }
  seen.push_back(values.back().values());
  return seen;
}

TEST(Replay, ProgramsThatBeginAlikeComputeWhatTheyDoEagerly) {
  const Tensor<float> a({6}, std::vector<float>{0.1F, -0.2F, 0.3F, 0.4F, -0.5F, 0.6F});
  const Tensor<float> b({2, 3}, std::vector<float>{1, 0.5F, -0.25F, 0.75F, 0.125F, -1});
  for (std::uint64_t run = 0; run < 1500; ++run) {
    // Each comes three times, among others.
    const std::uint64_t seed = (run * 7) % 500;
    const bool exchanged = run % 2 == 1;
    const auto& first = exchanged ? b : a;
    const auto& second = exchanged ? a : b;
    ASSERT_EQ(random_program(seed, Device::lazy(), first, second),
              random_program(seed, Device::cpu(), first, second))
        << "seed " << seed;
  }
}

TEST(Replay, AnOperandThatIsNowAnotherArrayIsSeen) {
  const Tensor<float> x({2}, std::vector<float>{1, 2}, Device::lazy());
  const Tensor<float> y({2}, std::vector<float>{10, 20}, Device::lazy());
  const auto product = [](const Tensor<float>& a, const Tensor<float>& b) {
    return ((a + b) * b).values();
  };
  EXPECT_EQ(product(x, x), (std::vector<float>{2, 8}));
  EXPECT_EQ(product(x, y), (std::vector<float>{110, 440}));
  EXPECT_EQ(product(x, x), (std::vector<float>{2, 8}));
  EXPECT_EQ(product(y, x), (std::vector<float>{11, 44}));
}

TEST(Replay, AStepThatThrowsHalfWayLeavesTheOthers) {
  Tensor<float> w({3}, std::vector<float>{1, 2, 3}, Device::lazy());
  const Tensor<float> wrong({2}, std::vector<float>{1, 2}, Device::lazy());
  const auto step = [&](const Tensor<float>& x) {
    const auto half = w * 0.25F;
    w = half + x;
    lazy_barrier();
  };
  const Tensor<float> x({3}, std::vector<float>{4, 4, 4}, Device::lazy());
  step(x);
  EXPECT_THROW(step(wrong), UsageError);
  step(x);
  EXPECT_EQ(w.values(), (std::vector<float>{5.0625F, 5.125F, 5.1875F}));
}

TEST(Replay, AStepOfAFailedOperandIsNotRecorded) {
  const Tensor<std::int32_t> zero({1}, std::vector<std::int32_t>{0}, Device::lazy());
  const Tensor<std::int32_t> one({1}, std::vector<std::int32_t>{1}, Device::lazy());
  const auto quotient = [&](const Tensor<std::int32_t>& divisor) {
    const auto q = one / divisor;
    lazy_barrier();
    return (q + one).values();
  };
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(quotient(one), std::vector<std::int32_t>{2});
    EXPECT_THROW((void)quotient(zero), UsageError);
  }
}

TEST(Replay, AKeyOfItsOwnGivesOtherNumbers) {
  const auto numbers = [](std::uint64_t seed, Device device) {
    return random_uniform<float>(RandomKey(seed), {5}, {}, device).values();
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    EXPECT_EQ(numbers(seed, Device::lazy()), numbers(seed, Device::cpu()));
  }
}

TEST(Replay, ManyShapesAreRightWhateverWasForgotten) {
  for (int turn = 0; turn < 2; ++turn) {
    for (Shape::Extent n = 1; n < 400; ++n) {
      const auto x =
          Tensor<float>({n}, std::vector<float>(static_cast<std::size_t>(n), 0.5F), Device::lazy());
      ASSERT_EQ(sum(x * 0.75F + x).item(), 0.875F * static_cast<float>(n));
    }
  }
}

TEST(Replay, AnotherThreadsResultIsAnArrayHere) {
  const Tensor<float> x({2}, std::vector<float>{1, 2}, Device::lazy());
  for (int turn = 0; turn < 3; ++turn) {
    Tensor<float> y;
    std::thread([&] { y = x * 0.75F; }).join();
    EXPECT_EQ((y + x).values(), (std::vector<float>{1.75F, 3.5F}));
  }
}

}  // namespace replay_test
}  // namespace ddx::backend
