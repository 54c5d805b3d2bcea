#include "ddx/nn/detail/step_count.h"

#include "ddx/core/device.h"
#include "ddx/nn/path.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/scan.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/virtual_devices.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <utility>

namespace ddx::nn::detail {
namespace step_count_test {

TEST(StepCount, CountsStepsInANumber) {
  StepCount count;
  EXPECT_EQ(count.taken(), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(count.next().is_known());
    EXPECT_EQ(count.next().value(), i + 1);
    count.advance();
    EXPECT_EQ(count.taken(), i + 1);
  }
}

TEST(StepCount, IsANumberToVisitors) {
  StepCount count;
  count.advance();
  auto visit = [](const Path& path, std::int64_t& number) {
    EXPECT_EQ(to_string(path), "steps");
    EXPECT_EQ(number, 1);
    number = 41;
  };
  const Path root;
  count.visit_state(Path(root, "steps"), visit);
  count.advance();
  EXPECT_EQ(count.taken(), 42);
}

// What a step computes of its number: the sum of all of them, and the count goes on outside.
TEST(StepCount, GoesOnInStagedFunctionsOfAllDevices) {
  using State = std::pair<StepCount, Tensor<double>>;
  const auto step = [](State state) {
    EXPECT_FALSE(state.first.next().is_known());
    state.second = state.second + state.first.next().computed<double>();
    state.first.advance();
    return state;
  };
  for (const Device device : {Device::lazy(), ddx::testing::first_virtual_device()}) {
    State state(StepCount(), Tensor<double>(0.0, device));
    state.first.advance();
    const auto turn = [&](const State& carry, const std::tuple<>&) { return step(carry); };
    state = scan(turn, state, std::tuple<>(), {.turns = 4});
    state = scan(turn, state, std::tuple<>(), {.turns = 2});
    EXPECT_EQ(state.second.item(), 2 + 3 + 4 + 5 + 6 + 7);
    EXPECT_EQ(state.first.taken(), 7);
    state.first.advance();
    EXPECT_EQ(state.first.taken(), 8);
  }
  const auto compiled = compile(step);
  State state(StepCount(), Tensor<double>(0.0));
  state = compiled(compiled(state));
  EXPECT_TRUE(state.first.next().is_known()) << "computed at once";
  EXPECT_EQ(state.first.next().value(), 3);
  EXPECT_EQ(state.second.item(), 1 + 2);
}

}  // namespace step_count_test
}  // namespace ddx::nn::detail
