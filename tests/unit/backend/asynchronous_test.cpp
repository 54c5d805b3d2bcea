#include "ddx/backend/asynchronous.h"

#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "backend/queue.h"
#include "tests/support/gated_device.h"
#include "tests/support/thrown.h"

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace asynchronous_test {

using testing::GatedDevice;

/// A tensor of ones that is not there before the gate opens: exp(0).
Tensor<float> late_ones(const Shape& shape) {
  return exp(Tensor<float>(shape, std::vector<float>(static_cast<std::size_t>(shape.count()), 0)));
}

std::vector<float> repeated(std::size_t count, float value) {
  return std::vector<float>(count, value);
}

TEST(Asynchronous, TheProgramGoesOnWhileAnOperationRuns) {
  GatedDevice gate;
  const auto y = late_ones({3});
  EXPECT_EQ(waiting_calls(), 1U);
  // Without a queue the operation above waits for this line in vain.
  gate.open();
  EXPECT_EQ(y.values(), repeated(3, 1));
  EXPECT_EQ(waiting_calls(), 0U);
}

TEST(Asynchronous, AChainKeepsItsOrder) {
  GatedDevice gate;
  auto x = late_ones({4});
  for (int i = 0; i < 40; ++i) {
    x = x * 2.0F - 1.0F;  // 1 stays 1.
    x += Tensor<float>(1.0F);
    x = x - 1.0F;
  }
  // Numbers differ if any two of these change places: (((1 + 3) * 5) - 2) * 7.
  x = (x + 3.0F) * 5.0F;
  x -= 2.0F;
  x *= 7.0F;
  EXPECT_GT(waiting_calls(), 100U);
  gate.open();
  EXPECT_EQ(x.values(), repeated(4, 126));
}

TEST(Asynchronous, AReaderSeesWhatWasThereWhenItWasCalled) {
  GatedDevice gate;
  auto a = late_ones({5});
  const auto before = a * 10.0F;
  const float* const storage = [&] {
    a += 1.0F;
    return static_cast<const float*>(a.array().fresh_data());
  }();
  const auto between = a * 10.0F;
  const Tensor<float> copy = a;
  a += 1.0F;
  const auto after = a * 10.0F;
  gate.open();
  EXPECT_EQ(before.values(), repeated(5, 10));
  EXPECT_EQ(between.values(), repeated(5, 20));
  EXPECT_EQ(copy.values(), repeated(5, 2));
  EXPECT_EQ(copy.elements().data(), storage) << "readers in the queue are no owners";
  EXPECT_EQ(after.values(), repeated(5, 30));
}

TEST(Asynchronous, UpdatesInPlaceTakeNoMemoryWhileTheyWait) {
  GatedDevice gate;
  auto a = late_ones({1000});
  const auto b = late_ones({1000});
  const auto before = memory_statistics();
  a += b;
  a *= b;
  a -= 0.5F;
  a = add_scaled(std::move(a), 2.0F, b);
  EXPECT_EQ(memory_statistics().allocations, before.allocations);
  EXPECT_EQ(waiting_calls(), 6U);
  gate.open();
  EXPECT_EQ(a.values(), repeated(1000, 3.5F));
}

TEST(Asynchronous, MemoryIsUsedAgainBeforeItsCallsAreDone) {
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  GatedDevice gate;
  auto x = late_ones({static_cast<std::int64_t>(mebibyte / sizeof(float))});
  reset_memory_peak();
  const auto before = memory_statistics();
  for (int i = 0; i < 200; ++i) {
    x = x * 1.0F + 0.0F;
  }
  EXPECT_EQ(waiting_calls(), 401U);
  EXPECT_LE(memory_statistics().peak, before.in_use + 2 * mebibyte);
  gate.open();
  EXPECT_EQ(x.elements().back(), 1);
}

TEST(Asynchronous, TheHostDoesNotWriteIntoMemoryThatCallsStillRead) {
  GatedDevice gate;
  std::optional<Tensor<float>> read = late_ones({100});
  const auto sum = *read + 1.0F;
  read.reset();  // Its block is free, though the addition has not read it yet.
  const Tensor<float> written({100}, repeated(100, 50));
  gate.open();
  EXPECT_EQ(sum.values(), repeated(100, 2));
  EXPECT_EQ(written.values(), repeated(100, 50));
}

TEST(Asynchronous, TheHostChangesATensorAfterThoseWhoReadIt) {
  GatedDevice gate;
  Tensor<float> x({100}, repeated(100, 3));
  const auto y = late_ones({100}) * x;
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    gate.open();
  });
  x.set({0}, 8);  // Waits for the product.
  opener.join();
  EXPECT_EQ(y.values(), repeated(100, 3));
  EXPECT_EQ(x.elements()[0], 8);
}

TEST(Asynchronous, LookingAtElementsWaitsForThem) {
  const auto opened_soon = [](GatedDevice& gate) {
    return std::thread([&gate] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      gate.open();
    });
  };
  const std::array<void (*)(), 8> looks{
      [] { EXPECT_EQ(late_ones({}).item(), 1); },
      [] { EXPECT_EQ(late_ones({2}).elements()[1], 1); },
      [] { EXPECT_EQ((late_ones({2})[{-1}]), 1); },
      [] { EXPECT_EQ(late_ones({2}), (Tensor<float>{1, 1})); },
      [] { EXPECT_EQ(to_string(late_ones({2})), to_string(Tensor<float>{1, 1})); },
      [] { EXPECT_EQ(late_ones({2}).to(Device::naive()) + 1.0F, (Tensor<float>{2, 2})); },
      [] { EXPECT_EQ(from_dlpack<float>(to_dlpack(late_ones({2}))), (Tensor<float>{1, 1})); },
      [] { EXPECT_EQ(det(late_ones({1, 1})).item(), 1); },
  };
  for (const auto look : looks) {
    GatedDevice gate;
    auto opener = opened_soon(gate);
    look();
    opener.join();
  }
}

TEST(Asynchronous, ManyOperandsWaitTogether) {
  GatedDevice gate;
  std::vector<Tensor<float>> parts;
  for (int i = 0; i < 100; ++i) {
    parts.push_back(late_ones({2}) * static_cast<float>(i));
  }
  const auto all = concatenate<float>(parts, 0);
  parts.clear();
  gate.open();
  for (std::size_t i = 0; i < 200; ++i) {
    ASSERT_EQ(all.elements()[i], static_cast<float>(i / 2)) << i;
  }
}

TEST(Asynchronous, TheQueueIsBounded) {
  GatedDevice gate;
  std::atomic<int> issued{0};
  Tensor<float> result;
  std::thread issuer([&] {
    auto x = late_ones({2});
    for (int i = 0; i < 3000; ++i) {
      x += 1.0F;
      ++issued;
    }
    result = x;
  });
  while (waiting_calls() < most_waiting_calls) {
    std::this_thread::yield();
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(waiting_calls(), most_waiting_calls);
  EXPECT_LE(issued.load(), static_cast<int>(most_waiting_calls));
  gate.open();
  issuer.join();
  EXPECT_EQ(result.values(), repeated(2, 3001));
}

TEST(Asynchronous, SmallWorkIsDoneAtOnceWhereItsOperandsAreThere) {
  GatedDevice gate;
  (void)set_break_even(1000);
  const Tensor<float> x{1, 2};
  const auto here = x + 1.0F;
  EXPECT_EQ(waiting_calls(), 0U);
  const auto large = Tensor<float>({1000}, repeated(1000, 1)) + 1.0F;
  (void)large.values();
  (void)set_break_even(0);
  const auto late = late_ones({2});
  (void)set_break_even(1000);
  const auto later = late + 1.0F;
  EXPECT_EQ(waiting_calls(), 2U);
  const auto meanwhile = x + 2.0F;
  EXPECT_EQ(waiting_calls(), 2U);
  EXPECT_EQ(meanwhile.values(), (std::vector<float>{3, 4}));
  gate.open();
  EXPECT_EQ(later.values(), repeated(2, 2));
  EXPECT_EQ(here.values(), (std::vector<float>{2, 3}));
}

TEST(Asynchronous, ASmallUpdateWaitsForThoseWhoReadWhatItChanges) {
  GatedDevice gate;
  Tensor<float> x{1, 2};
  const auto product = late_ones({2}) * x;
  (void)set_break_even(1000);
  x += 10.0F;  // x is there, but the product has not read it yet.
  gate.open();
  EXPECT_EQ(product.values(), (std::vector<float>{1, 2}));
  EXPECT_EQ(x.values(), (std::vector<float>{11, 12}));
}

TEST(Asynchronous, IsChosenPerDevice) {
  const bool before = is_asynchronous(Device::cpu());
  set_asynchronous(Device::cpu(), true);
  EXPECT_TRUE(is_asynchronous(Device::cpu()));
  EXPECT_FALSE(is_asynchronous(Device::naive()));
  set_asynchronous(Device::cpu(), false);
  EXPECT_FALSE(is_asynchronous(Device::cpu()));
  set_asynchronous(Device::naive(), false);
  EXPECT_EQ(testing::thrown<UsageError>([] { set_asynchronous(Device::naive(), true); }),
            "set_asynchronous: device naive computes at the call; device cpu need not");
  set_asynchronous(Device::cpu(), before);
}

TEST(Asynchronous, TurningItOffWaitsForAllThatIsQueued) {
  std::vector<Tensor<float>> results;
  {
    GatedDevice gate;
    for (int i = 0; i < 20; ++i) {
      results.push_back(late_ones({2}) + static_cast<float>(i));
    }
    gate.open();
    set_asynchronous(Device::cpu(), false);
    EXPECT_EQ(waiting_calls(), 0U);
    set_asynchronous(Device::cpu(), true);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].values(), repeated(2, static_cast<float>(i + 1)));
  }
}

}  // namespace asynchronous_test
}  // namespace ddx::backend
