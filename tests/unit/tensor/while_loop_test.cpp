#include "ddx/tensor/while_loop.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace while_loop_test {

using testing::thrown;
using Numbers = Tensor<std::int64_t>;

const Device devices[] = {Device::naive(), Device::cpu(), Device::lazy()};

TEST(WhileLoop, TurnsAsLongAsTheConditionHolds) {
  for (const Device device : devices) {
    // Collatz from 7: 22 11 34 17 52 26 13 40 20 10 5 16 8 4 2 1.
    using State = std::pair<Numbers, Numbers>;
    const auto [last, turns] =
        while_loop([](const State& s) { return greater(s.first, std::int64_t{1}); },
                   [](const State& s) {
                     const auto half = s.first / std::int64_t{2};
                     const auto odd = equal(half + half, s.first - 1);
                     return State(select(odd, s.first * std::int64_t{3} + 1, half), s.second + 1);
                   },
                   State(Numbers(std::int64_t{7}, device), Numbers(std::int64_t{0}, device)));
    EXPECT_EQ(last.item(), 1) << to_string(device);
    EXPECT_EQ(turns.item(), 16) << to_string(device);
  }
}

TEST(WhileLoop, EndsAfterTheMostTurns) {
  for (const Device device : devices) {
    const auto always = [](const Numbers& x) { return greater(sum(x), std::int64_t{0}); };
    const auto doubled = [](const Numbers& x) { return x + x; };
    const Numbers start({2}, {1, 3}, device);
    const auto after = [&](std::int64_t most) {
      return while_loop(always, doubled, start, {.most_turns = most}).values();
    };
    EXPECT_EQ(after(4), (std::vector<std::int64_t>{16, 48})) << to_string(device);
    EXPECT_EQ(after(0), (std::vector<std::int64_t>{1, 3})) << to_string(device);
  }
}

TEST(WhileLoop, TellsWhatDoesNotFit) {
  for (const Device device : devices) {
    const Numbers start({2}, {1, 3}, device);
    const auto both = [](const Numbers& x) { return greater(x, std::int64_t{0}); };
    const auto one = [](const Numbers& x) { return greater(sum(x), std::int64_t{0}); };
    const auto doubled = [](const Numbers& x) { return x + x; };
    EXPECT_EQ(thrown<UsageError>([&] { (void)while_loop(both, doubled, start); }),
              "while_loop: the condition has shape [2], not one element");
    EXPECT_EQ(thrown<UsageError>([&] {
                (void)while_loop(
                    one, [](const Numbers& x) { return concatenate(std::vector<Numbers>{x, x}); },
                    start);
              }),
              "while_loop: tensor 0 of the state is i64 [2] at first and i64 [4] then");
    EXPECT_EQ(
        thrown<UsageError>([&] { (void)while_loop(one, doubled, start, {.most_turns = -2}); }),
        "while_loop: at most -2 turns");
  }
}

TEST(WhileLoop, WhoLooksWhileItIsRecordedIsTold) {
  const auto looking = [](const Numbers& x) { return Tensor<bool>(sum(x).item() < 9); };
  const auto doubled = [](const Numbers& x) { return x + x; };
  EXPECT_THROW((void)while_loop(looking, doubled, Numbers({2}, {1, 3}, Device::lazy())),
               UsageError);
  EXPECT_EQ(while_loop(looking, doubled, Numbers({2}, {1, 3})).values(),
            (std::vector<std::int64_t>{4, 12}));
}

TEST(WhileLoop, SymbolicZerosStayUntilATurnAddsToThem) {
  using State = std::pair<Numbers, Numbers>;
  const auto is_small = [](const State& s) { return less(s.second, std::int64_t{8}); };
  for (const Device device : devices) {
    const State start(Numbers(), Numbers(std::int64_t{1}, device));
    const State kept = while_loop(
        is_small, [](const State& s) { return State(s.first, s.second + s.second); }, start);
    EXPECT_TRUE(kept.first.is_symbolic_zero()) << to_string(device);
    EXPECT_EQ(kept.second.item(), 8) << to_string(device);
    const State added = while_loop(
        is_small, [](const State& s) { return State(s.first + s.second, s.second + s.second); },
        start);
    EXPECT_EQ(added.first.item(), 7) << to_string(device);
    EXPECT_EQ(added.second.item(), 8) << to_string(device);
  }
}

TEST(WhileLoop, CapturesMayLieOnAnyDeviceOfTheHost) {
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    const Tensor<float> factor({1}, {2}, device);
    const Tensor<float> bound({1}, {100}, device);
    const auto last = while_loop([&](const Tensor<float>& x) { return less(x, bound); },
                                 [&](const Tensor<float>& x) { return x * factor; },
                                 Tensor<float>({1}, {3}, Device::lazy()));
    EXPECT_EQ(last.values(), (std::vector<float>{192})) << device;
  }
}

}  // namespace while_loop_test
}  // namespace ddx
