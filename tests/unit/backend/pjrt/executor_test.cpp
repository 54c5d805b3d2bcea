// Tensors on a device of PJRT: recorded by the trace, run by XLA for CPUs.

#include "backend/pjrt/executor.h"

#include "ddx/backend/debug_nans.h"
#include "ddx/backend/lazy.h"
#include "ddx/backend/pjrt.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ir/text.h"
#include "ddx/tensor.h"
#include "ddx/tensor/cond.h"
#include "ddx/tensor/recorded_graph.h"
#include "ddx/tensor/while_loop.h"

#include "tests/support/thrown.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend {
namespace executor_test {

using ddx::testing::thrown;

Device xla() {
  static const Device device = [] {
    add_pjrt_plugin("executor_test",
                    DDX_PJRT_FOLDER "/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so");
    set_pjrt_options("executor_test", {.cpu_device_count = 2});
    return Device::pjrt("executor_test");
  }();
  return device;
}

std::uint64_t compiled() {
  return pjrt_statistics("executor_test").compiled;
}

/// 0, 1, 2, ... of so many extents.
Tensor<float> counted(const Shape& shape, Device device = xla()) {
  return reshape(iota<float>(shape.count(), device), shape);
}

// Equal scalars are passed once; those that were equal by chance take another program, once.
TEST(PjrtDevice, ScalarsThatWereEqualMayDiffer) {
  const Tensor<float> x({3}, {1, -1, 10}, xla());
  const auto run = [&](float factor, float offset) { return (x * factor + offset).values(); };
  EXPECT_EQ(run(3, 3), (std::vector<float>{6, 0, 33}));
  EXPECT_EQ(run(4, 4), (std::vector<float>{8, 0, 44}));  // Here it is seen that they change.
  const auto before = compiled();
  EXPECT_EQ(run(5, 5), (std::vector<float>{10, 0, 55}));
  EXPECT_EQ(compiled(), before);
  EXPECT_EQ(run(4, 5), (std::vector<float>{9, 1, 45}));
  EXPECT_EQ(compiled(), before + 1);
  EXPECT_EQ(run(6, 6), (std::vector<float>{12, 0, 66}));
  EXPECT_EQ(run(6, 7), (std::vector<float>{13, 1, 67}));
  EXPECT_EQ(compiled(), before + 1);
}

TEST(PjrtDevice, ComputesWhatIsRecordedWhenSomebodyLooks) {
  const Tensor<float> x({2, 2}, {1, 2, 3, 4}, xla());
  const auto before = lazy_statistics().flushes;
  const auto y = matmul(x, x) + 0.5F;
  EXPECT_EQ(lazy_statistics().flushes, before);
  EXPECT_EQ(y.device(), xla());
  EXPECT_EQ(y.values(), (std::vector<float>{7.5, 10.5, 15.5, 22.5}));
  EXPECT_EQ(lazy_statistics().flushes, before + 1);
}

TEST(PjrtDevice, ResultsOfOneProgramAreArgumentsOfTheNext) {
  Tensor<float> x = counted({64, 64});
  for (int i = 0; i < 5; ++i) {
    x = x + 1.0F;
    lazy_barrier();
  }
  EXPECT_EQ(x.elements()[0], 5);
  EXPECT_EQ(sum(x).item(), 64.0F * 64 * (64 * 64 - 1) / 2 + 5 * 64 * 64);
  // Looked at, and used on.
  EXPECT_EQ((x * 2.0F).elements().back(), 2 * (64 * 64 - 1 + 5));
}

TEST(PjrtDevice, AnotherShapeOfTheSameElementsIsNoMatter) {
  const auto x = counted({2, 3}) * 2.0F;
  lazy_barrier();
  EXPECT_EQ((reshape(x, {3, 2}) + 1.0F).values(), (std::vector<float>{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ((reshape(x, {6}) + 2.0F).values(), (std::vector<float>{2, 4, 6, 8, 10, 12}));
}

TEST(PjrtDevice, ALoopCompilesOneProgramWhateverItsNumbers) {
  Tensor<float> x = counted({8});
  const auto turn = [&](float rate) {
    x = x * rate + sum(x) * 0.2F;
    lazy_barrier();
  };
  turn(0.3F);
  turn(0.3F);  // The first one had the start, and not the array, as an operand.
  const auto before = compiled();
  for (int i = 0; i < 8; ++i) {
    turn(0.3F + 0.01F * static_cast<float>(i));
  }
  EXPECT_EQ(compiled(), before);
}

TEST(PjrtDevice, WritingToATensorLeavesWhatWasSent) {
  Tensor<float> x({2048}, std::vector<float>(2048, 1), xla());  // Large enough to be shared.
  const auto twice = x * 2.0F;
  lazy_barrier();
  x.mutable_elements()[7] = 5;
  EXPECT_EQ(twice.elements()[7], 2);
  EXPECT_EQ((x * 2.0F).elements()[7], 10);
  EXPECT_EQ((x * 3.0F).elements()[6], 3);
}

TEST(PjrtDevice, WritingToAResultLeavesTheOthersThatHaveIt) {
  Tensor<float> x = counted({2048}) + 1.0F;
  const Tensor<float> same = x;
  x.mutable_elements()[0] = 9;
  EXPECT_EQ(same.elements()[0], 1);
  EXPECT_EQ((x + same).elements()[0], 10);
}

TEST(PjrtDevice, EmptyArraysAndNumbersAreArrays) {
  const auto empty = zeros<float>({0, 3}, xla());
  EXPECT_EQ((empty + 1.0F).values(), std::vector<float>());
  EXPECT_EQ(sum(empty).item(), 0);
  const Tensor<float> one(2.0F, xla());
  EXPECT_EQ((one * one).item(), 4);
  const auto made = empty * 2.0F;
  lazy_barrier();
  EXPECT_EQ((made + 1.0F).values(), std::vector<float>());
}

TEST(PjrtDevice, AResultThatIsAParameterIsThatArray) {
  const Tensor<float> x({3}, {1, 2, 3}, xla());
  const auto same = x + 0.0F * 0.0F;
  const auto other = reshape(counted({4}) + 1.0F, {2, 2});
  lazy_barrier();
  const auto again = transpose(transpose(other));
  EXPECT_EQ(again.values(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(same.values(), (std::vector<float>{1, 2, 3}));
}

TEST(PjrtDevice, MovesToOtherDevicesAndBack) {
  const auto x = counted({3}) + 1.0F;
  EXPECT_EQ((x.to(Device::cpu()) * 2.0F).values(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ((x.to(Device::lazy()) * 3.0F).to(xla()).values(), (std::vector<float>{3, 6, 9}));
  const Device second = Device::pjrt("executor_test", 1);
  EXPECT_EQ((x.to(second) + 1.0F).values(), (std::vector<float>{2, 3, 4}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)(x + x.to(second)); }),
            "add: operands lie on devices pjrt:executor_test:0 and pjrt:executor_test:1; shapes "
            "[3] and [3]");
}

TEST(PjrtDevice, RandomNumbersAreThoseOfEveryDevice) {
  const auto numbers = [](Device device) {
    return random_uniform<float>(RandomKey(7), {33}, {}, device).values();
  };
  EXPECT_EQ(numbers(xla()), numbers(Device::naive()));
}

// What a check says is what it says on other devices: the program says only that there is
// something.
std::string message_of_labels(Device device) {
  const Tensor<float> scores({2, 3}, {1, 2, 3, 4, 5, 6}, device);
  const Tensor<std::int32_t> labels({2}, {1, 7}, device);
  return thrown<UsageError>([&] { (void)softmax_cross_entropy(scores * 2.0F, labels).item(); });
}

TEST(PjrtDevice, AFailedCheckSaysWhatIsWrongAndWhere) {
  const std::string expected = message_of_labels(Device::cpu());
  EXPECT_NE(expected.find("7"), std::string::npos) << expected;
  EXPECT_EQ(message_of_labels(xla()), expected);
}

TEST(PjrtDevice, WhatDoesNotDependOnAFailedCheckIsThere) {
  const Tensor<std::int32_t> a({2}, {6, 8}, xla());
  const Tensor<std::int32_t> b({2}, {3, 0}, xla());
  const auto quotient = a / b;
  const auto depends = quotient + 1;
  const auto sum_of_both = a + b;
  EXPECT_EQ(sum_of_both.values(), (std::vector<std::int32_t>{9, 8}));
  EXPECT_NE(thrown<UsageError>([&] { (void)depends.values(); }).find("div"), std::string::npos);
  EXPECT_NE(thrown<UsageError>([&] { (void)quotient.values(); }).find("div"), std::string::npos);
}

TEST(PjrtDevice, AFailureThatNobodyHasLookedAtReachesLaterPrograms) {
  const Tensor<std::int32_t> a({2}, {6, 8}, xla());
  const Tensor<std::int32_t> b({2}, {3, 0}, xla());
  auto x = a / b;
  auto unaffected = a + 0;
  for (int i = 0; i < 100; ++i) {  // More than may be unsettled.
    lazy_barrier();
    x = x + 1;
    unaffected = unaffected + 1;
  }
  EXPECT_EQ(unaffected.values(), (std::vector<std::int32_t>{106, 108}));
  EXPECT_NE(thrown<UsageError>([&] { (void)x.values(); }).find("div"), std::string::npos);
  // Also when the first one has been looked at before.
  EXPECT_NE(thrown<UsageError>([&] { (void)(x * 2).values(); }).find("div"), std::string::npos);
}

TEST(PjrtDevice, AFailureIsNotLaidOnWhatIsComputedBesideItsConsequences) {
  const Tensor<std::int32_t> a({2}, {6, 8}, xla());
  const Tensor<std::int32_t> b({2}, {3, 0}, xla());
  const auto x = a / b;
  lazy_barrier();
  // What stands in the place of the failed elements may fail the check of this division too.
  const auto y = a / (x - x);
  const auto unaffected = a + 1;
  lazy_barrier();
  EXPECT_EQ(unaffected.values(), (std::vector<std::int32_t>{7, 9}));
  EXPECT_EQ(thrown<UsageError>([&] { (void)y.values(); }),
            thrown<UsageError>([&] { (void)x.values(); }));
}

TEST(PjrtDevice, LoopsAndBranchesAreOperationsOfThePrograms) {
  const Tensor<float> start(1.0F, xla());
  const auto doubled = while_loop([](const Tensor<float>& x) { return less(x, 100.0F); },
                                  [](const Tensor<float>& x) { return x * 2.0F; }, start);
  EXPECT_EQ(doubled.device(), xla());
  EXPECT_EQ(doubled.item(), 128);
  const auto counted_turns =
      while_loop([](const Tensor<float>& x) { return less(x, 100.0F); },
                 [](const Tensor<float>& x) { return x * 2.0F; }, start, {.most_turns = 3});
  EXPECT_EQ(counted_turns.item(), 8);
  const auto picked =
      cond(less(start, 0.0F), [&] { return start - 1.0F; }, [&] { return start + 1.0F; });
  EXPECT_EQ(picked.item(), 2);
}

TEST(PjrtDevice, WhatWasRecordedCanBeSeen) {
  const auto x = counted({2});
  lazy_barrier();
  const std::string text = ir::to_text(ddx::recorded_graph(exp(x)));
  EXPECT_NE(text.find("exp"), std::string::npos) << text;
}

TEST(PjrtDevice, NansAreTracedByTheKernelsOfTheHost) {
  set_debug_nans(true);
  const Tensor<float> x({2}, {1, -1}, xla());
  const std::string message = thrown<UsageError>([&] { (void)sqrt(x).values(); });
  set_debug_nans(false);
  EXPECT_NE(message.find("sqrt"), std::string::npos) << message;
}

TEST(PjrtDevice, EightThreadsShareResults) {
  constexpr std::size_t threads = 8;
  Tensor<float> shared = counted({256}) + 1.0F;
  std::vector<float> sums(threads);
  {
    std::vector<std::jthread> running;
    for (std::size_t i = 0; i < threads; ++i) {
      running.emplace_back([&, i] {
        Tensor<float> own = shared;
        for (int turn = 0; turn < 20; ++turn) {
          own = own + shared * 0.5F;
          if (turn % 7 == 3) {
            lazy_barrier();
          }
        }
        sums[i] = sum(own).item();
      });
    }
  }
  for (const float one : sums) {
    EXPECT_EQ(one, 11 * 256.0F * 257 / 2);
  }
}

TEST(PjrtDevice, APluginThatIsNotThereIsAnErrorOfTheFirstOperation) {
  const Device nowhere = Device::pjrt("nowhere");
  const Tensor<float> x({2}, {1, 2}, nowhere);
  EXPECT_TRUE(thrown<EnvironmentError>([&] {
                (void)(x + 1.0F);
              }).starts_with("open PJRT devices: no plugin named nowhere"));
  const Device many = Device::pjrt(xla().platform(), 9);
  const Tensor<float> y({2}, {1, 2}, many);
  EXPECT_NE(thrown<UsageError>([&] { (void)(y + 1.0F); }), "nothing was thrown");
}

}  // namespace executor_test
}  // namespace ddx::backend
