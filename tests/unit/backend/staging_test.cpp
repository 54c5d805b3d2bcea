#include "ddx/backend/staging.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend {
namespace {

using ddx::testing::thrown;

const ir::Type pair{Shape{2}, DType::f32};

Tensor<float> of(const Buffer& buffer) {
  return Tensor<float>(detail::Array(buffer, Shape{2}, DType::f32, Device::lazy()));
}

ops::View view_of(const Tensor<float>& tensor) {
  return tensor.array().view();
}

TEST(StagingScope, RecordsOnPlaceholdersUntilItEnds) {
  EXPECT_FALSE(is_staging());
  StagedGraph staged;
  {
    StagingScope scope("stage", std::array{pair, pair});
    EXPECT_TRUE(is_staging());
    ASSERT_EQ(scope.placeholders().size(), 2U);
    const Tensor<float> y = of(scope.placeholders()[1]) - of(scope.placeholders()[0]);
    {
      const StagingScope inner("inner", {});
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
    // Nobody has it but the graph, then.
    const Tensor<float> captured({2}, {10, 20}, Device::lazy());
    StagingScope scope("stage", std::array{pair});
    staged = scope.finish(std::array{view_of(of(scope.placeholders()[0]) * captured + 0.25F)});
  }
  EXPECT_EQ(staged.captured.size(), 1U);
  EXPECT_EQ(staged.scalars.size(), 1U);
  const StagedProgram program(std::move(staged));
  const Tensor<float> x({2}, {1, 2});
  for (int i = 0; i < 2; ++i) {
    const auto results = program.run(std::array{view_of(x)});
    ASSERT_EQ(results.size(), 1U);
    EXPECT_EQ(of(results[0]).values(), (std::vector<float>{10.25F, 40.25F}));
  }
}

TEST(StagedProgram, RefusesOtherArguments) {
  StagingScope scope("stage", std::array{pair});
  const StagedProgram program(scope.finish(std::array{view_of(of(scope.placeholders()[0]))}));
  const Tensor<float> x({2}, {1, 2});
  const Tensor<float> longer({3}, {1, 2, 3});
  EXPECT_NE(thrown<InternalError>([&] { (void)program.run({}); }).find("0 arguments for 1"),
            std::string::npos);
  EXPECT_NE(thrown<InternalError>([&] {
              (void)program.run(std::array{view_of(longer)});
            }).find("an argument of another type"),
            std::string::npos);
  EXPECT_EQ(of(program.run(std::array{view_of(x)})[0]).values(), x.values());
}

TEST(StagedProgram, ThrowsWhatAnArgumentHasFailedWith) {
  const ir::Type whole{Shape{2}, DType::i32};
  StagedGraph staged;
  {
    StagingScope scope("stage", std::array{whole});
    const detail::Array placeholder(scope.placeholders()[0], whole.shape, whole.dtype,
                                    Device::lazy());
    staged = scope.finish(std::array{(-Tensor<std::int32_t>(placeholder)).array().view()});
  }
  const StagedProgram program(std::move(staged));
  const Tensor<std::int32_t> one({2}, {1, 1}, Device::lazy());
  const Tensor<std::int32_t> failed = one / (one - one);
  EXPECT_NE(thrown<UsageError>([&] {
              (void)program.run(std::array{failed.array().view()});
            }).find("divisor is 0"),
            std::string::npos);
}

}  // namespace
}  // namespace ddx::backend
