#include "ddx/backend/staging.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/lazy.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/operation.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/literal.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace staging_test {

using ddx::testing::thrown;

const ir::Type pair{Shape{2}, DType::f32};

Tensor<float> of(const Buffer& buffer) {
  return Tensor<float>(detail::Array(buffer, Shape{2}, DType::f32, Device::lazy()));
}

ops::View view_of(const Tensor<float>& tensor) {
  return tensor.array().view();
}

/// What a program returns with the numbers and arrays of the recording.
std::vector<Buffer> run_of(const StagedProgram& program, std::span<const ops::View> arguments) {
  return program.run(arguments, {program.staged().scalars, program.staged().captured});
}

TEST(StagingScope, RecordsOnPlaceholdersUntilItEnds) {
  EXPECT_FALSE(is_staging());
  StagedGraph staged;
  {
    StagingScope scope("stage", Device::lazy(), std::array{pair, pair});
    EXPECT_TRUE(is_staging());
    ASSERT_EQ(scope.placeholders().size(), 2U);
    const Tensor<float> y = of(scope.placeholders()[1]) - of(scope.placeholders()[0]);
    {
      const StagingScope inner("inner", Device::lazy(), {});
      EXPECT_TRUE(is_staging());
    }
    EXPECT_TRUE(is_staging());
    staged = scope.finish(std::array{view_of(y)});
  }
  EXPECT_FALSE(is_staging());
  EXPECT_EQ(staged.argument_count, 2U);
  EXPECT_TRUE(staged.captured.empty());
  EXPECT_EQ(to_text(staged.graph),
            "graph(%0: f32[2], %1: f32[2]) {\n  %2: f32[2] = sub(%1, %0)\n"
            "  return %2\n}\n");
}

TEST(StagedProgram, RunsWithWhatItKeeps) {
  StagedGraph staged;
  {
    // Then only the graph owns it.
    const Tensor<float> captured({2}, {10, 20}, Device::lazy());
    StagingScope scope("stage", Device::lazy(), std::array{pair});
    staged = scope.finish(std::array{view_of(of(scope.placeholders()[0]) * captured + 0.25F)});
  }
  EXPECT_EQ(staged.captured.size(), 1U);
  EXPECT_EQ(staged.scalars.size(), 1U);
  const StagedProgram program(std::move(staged));
  const Tensor<float> x({2}, {1, 2});
  for (int i = 0; i < 2; ++i) {
    const auto results = run_of(program, std::array{view_of(x)});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(of(results[0]).values(), (std::vector<float>{10.25F, 40.25F}));
  }
}

TEST(StagedProgram, RunsWithOtherNumbersAndArrays) {
  const Tensor<float> captured({2}, {10, 20}, Device::lazy());
  StagingScope scope("stage", Device::lazy(), std::array{pair});
  const StagedProgram program(
      scope.finish(std::array{view_of(of(scope.placeholders()[0]) * captured + 0.25F)}));
  const Tensor<float> x({2}, {1, 2});
  const Tensor<float> other({2}, {3, 5}, Device::lazy());
  const StagedValues values{{ops::Literal{.real = 0.75}},
                            {Buffer(*block_of(other.array().view()))}};
  EXPECT_EQ(of(program.run(std::array{view_of(x)}, values)[0]).values(),
            (std::vector<float>{3.75, 10.75}));
  EXPECT_EQ(of(run_of(program, std::array{view_of(x)})[0]).values(),
            (std::vector<float>{10.25, 40.25}));
}

TEST(StagedProgram, RefusesOtherArguments) {
  StagingScope scope("stage", Device::lazy(), std::array{pair});
  const StagedProgram program(scope.finish(std::array{view_of(of(scope.placeholders()[0]))}));
  const Tensor<float> x({2}, {1, 2});
  const Tensor<float> longer({3}, {1, 2, 3});
  EXPECT_NE(thrown<InternalError>([&] { (void)run_of(program, {}); }).find("0 arguments for 1"),
            std::string::npos);
  EXPECT_NE(thrown<InternalError>([&] {
              (void)run_of(program, std::array{view_of(longer)});
            }).find("an argument of another type"),
            std::string::npos);
  EXPECT_EQ(of(run_of(program, std::array{view_of(x)})[0]).values(), x.values());
}

TEST(StagedProgram, ThrowsWhatAnArgumentHasFailedWith) {
  const ir::Type whole{Shape{2}, DType::i32};
  StagedGraph staged;
  {
    StagingScope scope("stage", Device::lazy(), std::array{whole});
    const detail::Array placeholder(scope.placeholders()[0], whole.shape, whole.dtype,
                                    Device::lazy());
    staged = scope.finish(std::array{(-Tensor<std::int32_t>(placeholder)).array().view()});
  }
  const StagedProgram program(std::move(staged));
  const Tensor<std::int32_t> one({2}, {1, 1}, Device::lazy());
  const Tensor<std::int32_t> failed = one / (one - one);
  EXPECT_NE(thrown<UsageError>([&] {
              (void)run_of(program, std::array{failed.array().view()});
            }).find("divisor is 0"),
            std::string::npos);
}

/// What a function does with so many arrays of f32[2], recorded.
template <class F>
StagedGraph staged(std::span<const ir::Type> types, const F& f) {
  StagingScope scope("stage", Device::lazy(), types);
  const std::vector<detail::Array> results = f(scope.placeholders());
  std::vector<ops::View> views;
  for (const detail::Array& result : results) {
    views.push_back(result.view());
  }
  return scope.finish(views);
}

Tensor<float> number(const Buffer& buffer) {
  return Tensor<float>(detail::Array(buffer, Shape{}, DType::f32, Device::lazy()));
}

const ir::Type one{Shape{}, DType::f32};

TEST(RecordControl, RunsTheRegionThatIsChosenWithWhatBothHaveCaptured) {
  const Tensor<float> a({2}, {10, 20}, Device::lazy());
  const Tensor<float> b({2}, {100, 200}, Device::lazy());
  for (int turn = 0; turn < 3; ++turn) {
    const auto by = static_cast<float>(turn);  // A number of each region, new in every turn.
    const std::array regions{
        staged(std::array{pair},
               [&](const auto& x) {
                 return std::vector<detail::Array>{(of(x[0]) * b + (3.5F + by)).array()};
               }),
        staged(std::array{pair}, [&](const auto& x) {
          return std::vector<detail::Array>{(of(x[0]) - a * b + (0.25F + by) * a).array()};
        })};
    const Tensor<float> x({2}, {1, 2}, Device::lazy());
    for (const bool holds : {true, false}) {
      const Tensor<bool> p({}, {holds}, Device::lazy());
      const auto results = record_control(Device::lazy(), ir::Control::Cond, regions,
                                          std::array{p.array().view(), view_of(x)}, {}, {});
      ASSERT_EQ(results.size(), 1U);
      EXPECT_EQ(
          of(results[0]).values(),
          holds ? (std::vector<float>{103.5F + by, 403.5F + by})
                : (std::vector<float>{1 - 1000 + (0.25F + by) * 10, 2 - 4000 + (0.25F + by) * 20}));
    }
  }
}

TEST(RecordControl, LoopsAsLongAsTheConditionHolds) {
  const Tensor<float> limit({}, {100}, Device::lazy());
  const std::array regions{
      staged(std::array{pair},
             [&](const auto& x) {
               return std::vector<detail::Array>{less(sum(of(x[0])), limit).array()};
             }),
      staged(std::array{pair}, [&](const auto& x) {
        return std::vector<detail::Array>{(of(x[0]) * 3.0F + of(x[0])).array()};
      })};
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  // In the middle of a trace that goes on.
  const Tensor<float> begin = x + 0.125F;
  const auto results = record_control(Device::lazy(), ir::Control::WhileLoop, regions,
                                      std::array{view_of(begin)}, {}, {});
  const Tensor<float> end = of(results[0]) * 2.0F;
  EXPECT_EQ(end.values(), (std::vector<float>{2 * 64 * 1.125F, 2 * 64 * 2.125F}));
}

TEST(RecordControl, ScansSlicesFromEitherEnd) {
  const Tensor<float> factor({}, {10}, Device::lazy());
  const std::array body{staged(std::array{one, one}, [&](const auto& x) {
    const Tensor<float> next = number(x[0]) * factor + number(x[1]);
    return std::vector<detail::Array>{next.array(), (next - 0.5F).array()};
  })};
  const Tensor<float> start({}, {1}, Device::lazy());
  const Tensor<float> slices({3}, {2, 3, 4}, Device::lazy());
  for (const bool reverse : {false, true}) {
    const auto results = record_control(
        Device::lazy(), ir::Control::Scan, body, std::array{view_of(start), view_of(slices)},
        {.carries = 1, .slices = 1, .trips = 3, .reverse = reverse}, {});
    ASSERT_EQ(results.size(), 2U);
    EXPECT_EQ(number(results[0]).item(), reverse ? 1432 : 1234);
    const Tensor<float> stack(detail::Array(results[1], Shape{3}, DType::f32, Device::lazy()));
    EXPECT_EQ(stack.values(), reverse ? (std::vector<float>{1431.5F, 142.5F, 13.5F})
                                      : (std::vector<float>{11.5F, 122.5F, 1233.5F}));
  }
}

TEST(RecordControl, IsKnownAgain) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const auto twice_or = [&](float by) {
    const std::array regions{
        staged(std::array{pair},
               [&](const auto& v) { return std::vector<detail::Array>{(of(v[0]) * by).array()}; }),
        staged(std::array{pair},
               [&](const auto& v) { return std::vector<detail::Array>{(of(v[0]) + by).array()}; })};
    const Tensor<bool> p({}, {true}, Device::lazy());
    return of(record_control(Device::lazy(), ir::Control::Cond, regions,
                             std::array{p.array().view(), view_of(x)}, {}, {})[0]);
  };
  EXPECT_EQ(twice_or(3).values(), (std::vector<float>{3, 6}));
  const auto compiled = lazy_statistics().compiled;
  EXPECT_EQ(twice_or(5).values(), (std::vector<float>{5, 10}));
  EXPECT_EQ(lazy_statistics().compiled, compiled);
}

TEST(RecordControl, ChecksOfRegionsAreAskedInEveryTurn) {
  const ir::Type whole{Shape{}, DType::i32};
  const auto at = [](const Buffer& buffer) {
    return Tensor<std::int32_t>(detail::Array(buffer, Shape{}, DType::i32, Device::lazy()));
  };
  const Tensor<std::int32_t> hundred({}, {100}, Device::lazy());
  const std::array body{staged(std::array{whole, whole}, [&](const auto& x) {
    return std::vector<detail::Array>{(at(x[0]) + hundred / at(x[1])).array()};
  })};
  const auto scan = [&](std::vector<std::int32_t> divisors) {
    const Tensor<std::int32_t> start({}, {0}, Device::lazy());
    const Tensor<std::int32_t> slices({3}, std::move(divisors), Device::lazy());
    return at(record_control(Device::lazy(), ir::Control::Scan, body,
                             std::array{start.array().view(), slices.array().view()},
                             {.carries = 1, .slices = 1, .trips = 3}, {})[0]);
  };
  EXPECT_EQ(scan({1, 2, 4}).item(), 175);
  EXPECT_NE(thrown<UsageError>([&] { (void)scan({1, 2, 0}).item(); }).find("divisor is 0"),
            std::string::npos);
}

TEST(RecordControl, IsAPartOfWhatIsStaged) {
  const Tensor<float> captured({2}, {10, 20}, Device::lazy());
  const StagedGraph outer = staged(std::array{pair}, [&](const auto& x) {
    const Tensor<float> around = of(x[0]) * 4.0F;  // Captured by the body, lazy out here.
    const std::array body{staged(std::array{pair}, [&](const auto& v) {
      return std::vector<detail::Array>{(of(v[0]) + around + captured * 0.75F).array()};
    })};
    const Tensor<float> start = of(x[0]) - 1.0F;
    const auto results =
        record_control(Device::lazy(), ir::Control::Scan, body, std::array{view_of(start)},
                       {.carries = 1, .slices = 0, .trips = 2}, {});
    return std::vector<detail::Array>{of(results[0]).array()};
  });
  // 2 (4 x + 0.75 captured) + x - 1
  const std::vector<float> expected{2 * (4 + 7.5F), 2 * (8 + 15.0F) + 1};
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  EXPECT_EQ(of(record_staged(Device::lazy(), outer, std::array{view_of(x)})[0]).values(), expected);
  EXPECT_EQ(of(run_of(StagedProgram(outer), std::array{view_of(x)})[0]).values(), expected);
}

}  // namespace staging_test
}  // namespace ddx::backend
