#include "ddx/backend/lazy.h"

#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ddx::backend {
namespace lazy_test {

constexpr Device lazy = Device::lazy();

Tensor<float> row(std::vector<float> values) {
  return Tensor<float>(Shape{static_cast<Shape::Extent>(values.size())}, values, lazy);
}

/// What a body has made the lazy device do.
LazyStatistics done_by(const std::function<void()>& body) {
  const LazyStatistics before = lazy_statistics();
  body();
  const LazyStatistics after = lazy_statistics();
  return {.recorded = after.recorded - before.recorded,
          .flushes = after.flushes - before.flushes,
          .compiled = after.compiled - before.compiled};
}

/// The text of the error that looking at the elements throws.
template <class Scalar>
std::string error_of(const Tensor<Scalar>& tensor) {
  try {
    (void)tensor.values();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(Lazy, RunsWhenSomebodyLooks) {
  const auto x = row({1, 2, 3});
  std::optional<Tensor<float>> y;
  const auto recording = done_by([&] { y = (x * x + x) * 0.25F; });
  EXPECT_EQ(recording.recorded, 3U);
  EXPECT_EQ(recording.flushes, 0U);
  EXPECT_EQ(y->shape(), Shape({3}));
  EXPECT_EQ(y->device(), lazy);
  EXPECT_FALSE(y->is_symbolic_zero());
  const auto looking = done_by([&] {
    EXPECT_EQ(y->values(), (std::vector<float>{0.5F, 1.5F, 3}));
    EXPECT_EQ(y->values(), (std::vector<float>{0.5F, 1.5F, 3}));
  });
  EXPECT_EQ(looking.flushes, 1U);
}

TEST(Lazy, RunsAllThatIsStillOwnedAtOnce) {
  const auto x = row({1, 2, 3});
  const auto twice = x + x;
  const auto total = sum(twice);
  const auto done = done_by([&] {
    EXPECT_EQ(total.item(), 12);
    EXPECT_EQ(twice.values(), (std::vector<float>{2, 4, 6}));
  });
  EXPECT_EQ(done.flushes, 1U);
}

TEST(Lazy, WhatNobodyOwnsIsNotRun) {
  const auto done = done_by([] {
    {
      const auto x = row({1, 2});
      const auto y = x * x;
    }
    lazy_barrier();
  });
  EXPECT_EQ(done.recorded, 1U);
  EXPECT_EQ(done.flushes, 0U);
}

TEST(Lazy, EqualStepsAreCompiledOnce) {
  auto w = row({1, 2, 3, 4});
  const auto step = [&w](float rate) {
    w -= rate * (w * 2.0F - 1.0F);
    lazy_barrier();
  };
  step(0.3F);
  const auto done = done_by([&] {
    for (int i = 1; i < 50; ++i) {
      step(0.01F * static_cast<float>(i));
    }
  });
  EXPECT_EQ(done.flushes, 49U);
  EXPECT_EQ(done.compiled, 0U) << "another rate is the same graph";
  std::vector<float> expected{1, 2, 3, 4};
  for (float& v : expected) {
    v -= 0.3F * (v * 2.0F - 1.0F);
    for (int i = 1; i < 50; ++i) {
      v -= 0.01F * static_cast<float>(i) * (v * 2.0F - 1.0F);
    }
  }
  const auto values = w.values();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(values[i], expected[i], 1e-5F);
  }
}

TEST(Lazy, AnAttributeThatProgramsComputeIsNoOtherGraph) {
  const auto x = row({1, 2});
  const auto step = [&x](double scale) {
    return add_scaled(x, static_cast<float>(scale), x).values()[1];
  };
  EXPECT_EQ(step(0.25), 2.5F);
  const auto done = done_by([&] { EXPECT_EQ(step(0.75), 3.5F); });
  EXPECT_EQ(done.compiled, 0U);
}

TEST(Lazy, ANumberThatRewritesUseIsAGraphOfItsOwn) {
  const auto scaled = [](float factor) { return (row({3, 4}) * factor).values(); };
  EXPECT_EQ(scaled(0.75F), (std::vector<float>{2.25F, 3}));
  const auto done = done_by([&] {
    EXPECT_EQ(scaled(-0.75F), (std::vector<float>{-2.25F, -3}));
    EXPECT_EQ(scaled(1), (std::vector<float>{3, 4}));
    EXPECT_EQ(scaled(0), (std::vector<float>{0, 0}));
  });
  EXPECT_EQ(done.compiled, 2U);
}

TEST(Lazy, CopiesAreIndependent) {
  auto x = row({1, 2, 3});
  const auto y = x * 2.0F;
  x.set({0}, 10);
  auto z = x;
  z += y;
  const auto w = x + 1.0F;
  x.set({1}, 20);
  EXPECT_EQ(y.values(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(z.values(), (std::vector<float>{12, 6, 9}));
  EXPECT_EQ(w.values(), (std::vector<float>{11, 3, 4}));
  EXPECT_EQ(x.values(), (std::vector<float>{10, 20, 3}));
}

TEST(Lazy, AResultThatIsItsOperandIsNotWrittenWithIt) {
  auto x = row({1, 2, 3});
  auto y = x * 1.0F;
  lazy_barrier();
  y.set({0}, 7);
  EXPECT_EQ(x.values(), (std::vector<float>{1, 2, 3}));
  x.set({1}, 9);
  EXPECT_EQ(y.values(), (std::vector<float>{7, 2, 3}));
}

TEST(Lazy, EqualResultsAreNotWrittenTogether) {
  const auto x = row({1, 2});
  auto a = x + x;
  auto b = x + x;
  lazy_barrier();
  a.set({0}, 5);
  EXPECT_EQ(b.values(), (std::vector<float>{2, 4}));
  EXPECT_EQ(a.values(), (std::vector<float>{5, 4}));
}

TEST(Lazy, AnOperationMayHaveManyOperands) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const std::vector<Tensor<float>> parts(300, x);
  for (int turn = 0; turn < 2; ++turn) {
    const Tensor<float> all = concatenate(parts) + 0.5F;
    ASSERT_EQ(all.shape(), Shape({600}));
    EXPECT_EQ(all.values()[0], 1.5F);
    EXPECT_EQ(all.values()[599], 2.5F);
  }
}

TEST(Lazy, AnotherShapeIsTheSameElements) {
  const auto x = row({1, 2, 3, 4, 5, 6});
  const auto square = reshape(x * x, {2, 3});
  const auto columns = sum(square, {.axes = {0}});
  EXPECT_EQ(columns.values(), (std::vector<float>{17, 29, 45}));
  const auto whole = reshape(x, {3, 2}) + reshape(x + 1.0F, {3, 2});
  EXPECT_EQ(whole.values(), (std::vector<float>{3, 5, 7, 9, 11, 13}));
}

TEST(Lazy, AnotherElementTypeIsTheSameBytes) {
  const auto x = row({1, 2, 3});
  const auto z = make_complex(x * 2.0F, x + 1.0F);
  // A sum would be one of floats. No graph has both types, since no operation leads there.
  std::optional<Tensor<std::complex<float>>> product;
  EXPECT_EQ(done_by([&] { product = z * z; }).flushes, 1U);
  const auto& w = *product;
  EXPECT_EQ(real(w).values(), (std::vector<float>{0, 7, 20}));
  EXPECT_EQ(imag(w).values(), (std::vector<float>{8, 24, 48}));
}

TEST(Lazy, SymbolicZerosAndBareNumbersGoAlong) {
  const auto x = row({1, 2});
  const Tensor<float> zero;
  EXPECT_EQ((x + zero).values(), (std::vector<float>{1, 2}));
  EXPECT_EQ((3.5F - x).values(), (std::vector<float>{2.5F, 1.5F}));
  const Tensor<std::int32_t> whole({2}, {7, -7}, lazy);
  EXPECT_EQ((whole / 3).values(), (std::vector<std::int32_t>{2, -2}));
}

TEST(Lazy, DevicesAreNotMixed) {
  const auto x = row({1, 2});
  const Tensor<float> y{1, 2};
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)(x + y); }),
            "add: operands lie on devices lazy and cpu; shapes [2] and [2]");
  const auto moved = (x * 3.0F).to(Device::cpu()) + y;
  EXPECT_EQ(moved.values(), (std::vector<float>{4, 8}));
  EXPECT_EQ((moved.to(lazy) * x).values(), (std::vector<float>{4, 16}));
}

TEST(Lazy, ShapesAreCheckedAtTheCall) {
  const auto x = row({1, 2, 3});
  const auto y = row({1, 2});
  EXPECT_THROW((void)(x + y), UsageError);
  EXPECT_EQ((x + 1.0F).values(), (std::vector<float>{2, 3, 4}));
}

TEST(Lazy, WhatElementsTellIsThrownWhereAResultIsLookedAt) {
  const auto x = row({1, 2, 3});
  const Tensor<std::int32_t> outside({2}, {0, 3}, lazy);
  const auto good = x * 2.0F;
  const auto bad = gather(x, outside);
  const unsigned line = __LINE__ - 1;
  const auto worse = sum(bad) + 1.0F;
  const std::string message = error_of(worse);
  EXPECT_NE(message.find("gather"), std::string::npos) << message;
  EXPECT_NE(message.find("lazy_test.cpp:" + std::to_string(line)), std::string::npos) << message;
  EXPECT_EQ(good.values(), (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(error_of(bad), message);
  // Also of what is recorded later.
  const auto late = bad * 2.0F;
  EXPECT_EQ(error_of(late), message);
  EXPECT_EQ((x + good).values(), (std::vector<float>{3, 6, 9}));
}

TEST(Lazy, EqualFaultyCallsNameTheirOwnLines) {
  const auto x = row({1, 2, 3});
  const Tensor<std::int32_t> outside({1}, {5}, lazy);
  const auto first = gather(x, outside);
  const auto second = gather(x, outside);
  EXPECT_NE(error_of(first), "none");
  EXPECT_NE(error_of(second), "none");
  EXPECT_NE(error_of(first), error_of(second));
}

TEST(Lazy, ALoopWithoutBarriersIsCompiledOnce) {
  auto x = row({0, 0});
  auto momentum = row({0, 0});
  const auto turns = [&](int count) {
    for (int i = 0; i < count; ++i) {
      momentum = momentum * 0.75F + (x - 1.0F);
      x -= momentum * 0.1F;
    }
  };
  turns(5000);
  const auto done = done_by([&] { turns(5000); });
  EXPECT_EQ(done.recorded, 25000U);
  EXPECT_EQ(done.compiled, 0U);
  // A whole number of turns that is at least FlushPoints::shortest.
  EXPECT_EQ(done.flushes, 25000U / 130);
  EXPECT_NEAR(x.values()[1], 1, 1e-5F);
}

TEST(Lazy, ALoopOf100000StepsTakesConstantMemory) {
  auto x = row({0, 0});
  const auto turns = [&](int count) {
    for (int i = 0; i < count; ++i) {
      x -= (x - 1.0F) * (0.1F + 1e-6F * static_cast<float>(i));
    }
  };
  turns(10000);
  lazy_barrier();
  reset_memory_peak();
  const std::size_t before = memory_statistics().in_use;
  const auto done = done_by([&] { turns(100'000); });
  EXPECT_LE(done.compiled, 1U) << "from where the barrier was";
  // The lazy values of two traces at most, of 128 bytes each.
  EXPECT_LT(memory_statistics().peak, before + 256 * std::size_t{8192});
  EXPECT_NEAR(x.values()[0], 1, 1e-5F);
}

TEST(Lazy, BatchesOfTwoSizesAreCompiledOnceEach) {
  auto w = Tensor<float>({3, 2}, std::vector<float>{1, 2, 3, 4, 5, 6}, lazy) * 0.1F;
  const auto step = [&](Shape::Extent batch) {
    const auto x = ones<float>({batch, 3}, lazy) * 0.01F;
    const auto error = matmul(x, w) - 1.0F;
    w -= 0.3F * matmul(x, error, {.transpose_left = true});
    return mean(error * error).item();
  };
  (void)w.values();
  float loss = 0;
  EXPECT_EQ(done_by([&] {
              (void)step(128);
              loss = step(96);
            }).compiled,
            2U);
  EXPECT_EQ(done_by([&] {
              for (int i = 0; i < 20; ++i) {
                EXPECT_LT(step(i % 2 == 0 ? 128 : 96), loss);
              }
            }).compiled,
            0U);
}

TEST(Lazy, WhatDoesNotRepeatIsCutAtALength) {
  std::vector<Tensor<float>> all;
  const auto done = done_by([&] {
    for (int i = 0; i < 20000; ++i) {
      all.push_back(row(std::vector<float>(1 + static_cast<std::size_t>(i * i % 97), 1)) + 1.0F);
    }
  });
  EXPECT_GE(done.flushes, 2U);
  EXPECT_EQ(all[0].values(), std::vector<float>{2});
}

TEST(Lazy, AnUpdateIsWrittenOverWhatNobodyElseHas) {
  constexpr std::size_t count = std::size_t{1} << 20;
  auto w = row(std::vector<float>(count, 1));
  const auto g = row(std::vector<float>(count, 0.5F));
  const auto step = [&](float rate) {
    w -= rate * g;
    lazy_barrier();
  };
  step(0.3F);
  reset_memory_peak();
  const std::size_t before = memory_statistics().in_use;
  step(0.7F);
  EXPECT_LT(memory_statistics().peak, before + count);
  EXPECT_EQ(w.values()[count - 1], 1 - 0.3F * 0.5F - 0.7F * 0.5F);
  const auto copy = w;
  const auto old = w.values();
  step(0.25F);
  EXPECT_EQ(copy.values(), old);
  EXPECT_NE(w.values(), old);
}

TEST(Lazy, AResultThatIsAnArrayOutlivesIt) {
  auto x = row({1, 2, 3});
  const auto y = x * 1.0F;
  const auto z = x * 3.0F;
  x = Tensor<float>();
  EXPECT_EQ(z.values(), (std::vector<float>{3, 6, 9}));
  EXPECT_EQ(y.values(), (std::vector<float>{1, 2, 3}));
}

TEST(Lazy, WhatIsReadOnceMoreIsReleasedThen) {
  constexpr std::size_t count = std::size_t{1} << 20;
  auto x = row(std::vector<float>(count, 2));
  reset_memory_peak();
  const std::size_t before = memory_statistics().in_use;
  auto y = sum(x);
  x = Tensor<float>();
  y = y + y;
  const auto z = y * row(std::vector<float>(count, 3));
  EXPECT_EQ(z.values()[0], 12.0F * count);
  EXPECT_LT(memory_statistics().in_use, before + count) << "one array has gone, one has come";
}

TEST(Lazy, WantOfMemoryFailsWhatNeedsIt) {
  const Shape huge{Shape::Extent{1} << 44};
  const auto x = row({1, 2, 3});
  for (int turn = 0; turn < 2; ++turn) {
    const auto before = x * 3.0F;
    const auto too_large = ones<float>(huge, lazy) * 3.0F;
    const auto y = exp(too_large) + sum(before);
    const auto needs_it = sum(y) + sum(x);
    const auto after = before + x;
    EXPECT_THROW((void)needs_it.item(), EnvironmentError);
    EXPECT_THROW((void)y.values(), EnvironmentError);
    EXPECT_EQ(after.values(), (std::vector<float>{4, 8, 12}));
    EXPECT_EQ(before.values(), (std::vector<float>{3, 6, 9}));
  }
}

TEST(Lazy, AnotherThreadMayLook) {
  const auto x = row({1, 2, 3});
  auto y = x * 2.0F;
  std::vector<float> seen;
  std::thread([&] { seen = (y + row({1, 1, 1})).values(); }).join();
  EXPECT_EQ(seen, (std::vector<float>{3, 5, 7}));
  y += x;
  EXPECT_EQ(y.values(), (std::vector<float>{3, 6, 9}));
}

TEST(Lazy, AThreadThatEndsLeavesItsResults) {
  std::optional<Tensor<float>> y;
  std::thread([&] { y = row({1, 2}) * 4.0F; }).join();
  EXPECT_EQ(y->values(), (std::vector<float>{4, 8}));
}

TEST(Lazy, ThreadsRecordAtOneTime) {
  const auto shared = row({1, 2, 3}) * 0.3F;
  std::vector<std::thread> threads;
  std::vector<std::vector<float>> results(8);
  for (std::size_t t = 0; t < results.size(); ++t) {
    threads.emplace_back([&, t] {
      auto w = shared;
      for (int i = 0; i < 50; ++i) {
        w = w + shared * static_cast<float>(t);
        if (i % 7 == 0) {
          (void)w.values();
        }
      }
      results[t] = w.values();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (std::size_t t = 0; t < results.size(); ++t) {
    EXPECT_NEAR(results[t][2], 0.9F * (1 + 50 * static_cast<float>(t)), 1e-3F);
  }
}

}  // namespace lazy_test
}  // namespace ddx::backend
