#include "backend/lazy/normalized_loop.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/debug_nans.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include "backend/cpu/level.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/cpu_jit/object_code.h"
#include "backend/lazy/plan.h"
#include "tests/support/loop_choice.h"
#include "tests/support/plan_comparison.h"
#include "tests/support/random_graph.h"
#include "tests/support/thrown.h"

#include <array>
#include <cstddef>
#include <exception>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace {

/// Expects that a plan has loops over what is normalised of so many nodes each, and gives the bits
/// of node by node. Returns how many results then lie where a parameter was.
std::size_t expect_loops(const std::string& text, const std::vector<std::size_t>& nodes) {
  SCOPED_TRACE(text);
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 5);
  const Plan plan(graph);
  if (cpu_jit::is_on()) {
    std::vector<std::size_t> found;
    for (const NormalizedLoop& loop : plan.normalized_loops()) {
      found.push_back(loop.nodes().size());
    }
    EXPECT_EQ(found, nodes);
  }
  return ddx::testing::expect_same(graph, plan, {arguments.parameters, arguments.scalars, {}});
}

/// The text with <x> for the type of arrays and <c> for that of an element for each channel.
std::string of_types(std::string text, const std::string& dtype, const std::string& rows,
                     const std::string& channels) {
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from)) {
      text.replace(at, from.size(), to);
    }
  };
  replace("<x>", dtype + "[" + rows + ", " + channels + "]");
  replace("<c>", dtype + "[" + channels + "]");
  return text;
}

const char* const block = R"(graph(%0: <x>, %1: <c>, %2: <c>, %3: <x>) {
    %4: <x>, %5: <c>, %6: <c> = batch_norm_training(%0, %1, %2) {epsilon = 0.001}
    %7: <x> = add(%4, %3)
    %8: <x> = relu(%7)
    return %8, %5, %6
  })";

// Variances are drawn as well: the epsilon keeps their sums with it positive.
const char* const inference = R"(graph(%0: <x>, %1: <c>, %2: <c>) {
    %3: <x> = batch_norm_inference(%0, %1, %2, %1, %2) {epsilon = 10}
    %4: <x> = relu(%3)
    return %4
  })";

// Channels that are repeated, of whole vectors and not, of several runs, longer than a run; last
// runs that are shorter.
TEST(NormalizedLoop, OfManyShapes) {
  for (const std::string dtype : {"f32", "f64", "bf16", "f16"}) {
    for (const auto& [rows, channels] : {std::pair("16385", "1"),
                                         {"9001", "3"},
                                         {"3001", "16"},
                                         {"1001", "56"},
                                         {"517", "64"},
                                         {"301", "100"},
                                         {"97", "300"},
                                         {"9", "2100"}}) {
      (void)expect_loops(of_types(block, dtype, rows, channels), {3});
      (void)expect_loops(of_types(inference, dtype, rows, channels), {2});
    }
  }
}

TEST(NormalizedLoop, OfOneThatReadsRowsToo) {
  for (const std::string row : {"f32[3]", "f32[7, 3]", "f32[50, 7, 3]"}) {
    (void)expect_loops("graph(%0: f32[100, 50, 7, 3], %1: f32[3], %2: " + row + R"() {
    %3: f32[100, 50, 7, 3], %4: f32[3], %5: f32[3] = batch_norm_training(%0, %1, %1)
    %6: f32[100, 50, 7, 3] = mul(%3, %2)
    %7: f32[100, 50, 7, 3] = add(%6, %6)
    return %7
  })",
                       {3});
  }
  // What it reads of the moments is there.
  (void)expect_loops(R"(graph(%0: f32[5000, 8], %1: f32[8]) {
    %2: f32[5000, 8], %3: f32[8], %4: f32[8] = batch_norm_training(%0, %1, %1)
    %5: f32[5000, 8] = mul(%2, %4)
    %6: f32[5000, 8] = add(%5, %3)
    return %6
  })",
                     {3});
}

TEST(NormalizedLoop, OfWhatOthersReadToo) {
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 64] = tanh(%2)
    %6: f32[500] = sum(%5) {axes = 2}
    %7: f32[500, 500] = matmul(%5, %2) {transpose_right = true}
    %8: f32[64] = add(%3, %4)
    return %2, %6, %7, %8
  })",
                     {2});
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 64] = tanh(%2)
    return %5, %2
  })",
                     {2});
}

TEST(NormalizedLoop, WritesOverWhatItReads) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  EXPECT_EQ(expect_loops(of_types(block, "f32", "500", "64"), {3}), 1U) << "the other summand";
  // Not over what the gradient reads later.
  EXPECT_EQ(expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 64] = mul(%2, %0)
    %6: f32[500, 64], %7: f32[64], %8: f32[64] = batch_norm_training_gradient(%0, %1, %3, %4, %5)
    return %5, %6, %7, %8
  })",
                         {2}),
            0U);
}

// Its other operand is made behind the normalisation; too few elements; a chain.
TEST(NormalizedLoop, IsNotMadeWhereItCannotRunOrGainsNothing) {
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64], %2: f32[64, 64]) {
    %3: f32[500, 64], %4: f32[64], %5: f32[64] = batch_norm_training(%0, %1, %1)
    %6: f32[500, 64] = matmul(%0, %2)
    %7: f32[500, 64] = add(%3, %6)
    return %7
  })",
                     {});
  (void)expect_loops(of_types(block, "f32", "100", "64"), {});
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 1] = max(%2) {axes = 2, keep_dims = true}
    %6: f32[500, 64] = sub(%2, %5)
    return %6
  })",
                     {});
}

// The second one stands last: what the first one makes is there then.
TEST(NormalizedLoop, OfTheLastOfTwoNormalisations) {
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[500, 64], %2: f32[64]) {
    %3: f32[500, 64], %4: f32[64], %5: f32[64] = batch_norm_training(%0, %2, %2)
    %6: f32[500, 64], %7: f32[64], %8: f32[64] = batch_norm_training(%1, %2, %2)
    %9: f32[500, 64] = add(%3, %6)
    %10: f32[500, 64] = relu(%9)
    return %10, %4, %8
  })",
                     {3});
}

TEST(NormalizedLoop, WhatOnlyItReadsIsNeverInMemory) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(of_types(block, "f32", "1000", "1000"));
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 1);
  const Plan plan(graph);
  ASSERT_EQ(plan.normalized_loops().size(), 1U);
  const std::size_t before = memory_statistics().in_use;
  reset_memory_peak();
  (void)plan.run({arguments.parameters, {}, {}}, backend_of(Device::cpu()));
  EXPECT_LT(memory_statistics().peak - before, 4500000U) << "the result has 4 MB";
}

// 4 MB that a run may write over are read for the last time by the normalisation.
TEST(NormalizedLoop, GivesBackWhatNobodyReadsLater) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[1000, 1000], %1: f32[1000]) {
    %2: f32[1000, 1000], %3: f32[1000], %4: f32[1000] = batch_norm_training(%0, %1, %1)
    %5: bool[1000, 1000] = less(%2, %1)
    %6: bool[8000, 1000] = concatenate(%5, %5, %5, %5, %5, %5, %5, %5) {axis = 0}
    return %6
  })");
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 1);
  const Plan plan(graph);
  ASSERT_EQ(plan.normalized_loops().size(), 1U);
  ddx::testing::Donated donated({arguments.parameters, {}, {}});
  const std::size_t before = memory_statistics().in_use;
  reset_memory_peak();
  (void)plan.run({donated.views, {}, {}}, backend_of(Device::cpu()), donated.memory);
  EXPECT_LT(memory_statistics().peak - before, 6000000U) << "1 + 8 - 4 MB";
}

// Nothing else has this loop, whose code never comes.
TEST(NormalizedLoop, RunsByKernelsWhereThereIsNoCode) {
  const auto before = cpu_jit::set_object_compiler(
      [](std::span<const cpu_jit::FunctionText>, cpu::Level) -> cpu_jit::ObjectCode {
        throw EnvironmentError("compile loops", "not today");
      });
  (void)expect_loops(R"(graph(%0: f32[300, 100], %1: f32[100]) {
    %2: f32[300, 100], %3: f32[100], %4: f32[100] = batch_norm_training(%0, %1, %1)
    %5: f32[300, 100] = cosh(%2)
    %6: f32[300, 100] = sinh(%5)
    return %6
  })",
                     {3});
  cpu_jit::set_object_compiler(before);
}

TEST(NormalizedLoop, WhatFailsLeavesTheRest) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[500, 50], %1: f32[50]; checks 1) {
    %2: f32[500, 50] = neg(%0) !0
    %3: f32[500, 50], %4: f32[50], %5: f32[50] = batch_norm_training(%0, %1, %1)
    %6: f32[500, 50] = neg(%3)
    %7: f32[500, 50] = mul(%6, %2)
    return %6, %7, %4
  })");
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 1);
  const std::array checks{
      ops::Check{.before = [](const ops::Call&, const ops::Site& site) { site.fail("wrong"); },
                 .site = {"neg"}}};
  const auto outcomes =
      Plan(graph).run({arguments.parameters, {}, checks}, backend_of(Device::cpu()));
  EXPECT_EQ(outcomes[0].error, nullptr);
  EXPECT_NE(outcomes[1].error, nullptr);
  EXPECT_EQ(outcomes[2].error, nullptr);
}

TEST(NormalizedLoop, SaysWhichOperationMakesTheFirstNaN) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 64] = exp(%2)
    %6: f32[500, 64] = neg(%5)
    %7: f32[500, 64] = log(%6)
    return %7
  })");
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 1);
  const Plan plan(graph);
  const DebugNans nans;
  const auto outcomes = plan.run({arguments.parameters, {}, {}}, backend_of(Device::cpu()));
  ASSERT_NE(outcomes[0].error, nullptr);
  const std::string text =
      ddx::testing::thrown<UsageError>([&] { std::rethrow_exception(outcomes[0].error); });
  EXPECT_TRUE(text.starts_with("log: ")) << text;
}

}  // namespace
}  // namespace ddx::backend::lazy
