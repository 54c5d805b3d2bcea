#include "backend/lazy/normalization_epilogue.h"

#include "backend/cpu_jit/loop_compiler.h"
#include "backend/lazy/plan.h"
#include "tests/support/plan_programs.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace normalization_epilogue_test {

/// Expects loops of so many nodes, the normalisation among them; see there.
std::size_t expect_loops(const std::string& text, const std::vector<std::size_t>& nodes) {
  return ddx::testing::expect_parts(text, &Plan::normalization_epilogues, nodes);
}

/// The text with <x> for the type of arrays, <c> for that of an element for each channel, and <s>
/// for that of statistics of channels.
std::string of_types(const char* text, const std::string& dtype, const std::string& rows,
                     const std::string& channels) {
  const std::string wide = dtype == "f16" || dtype == "bf16" ? "f32" : dtype;
  return ddx::testing::with_words(text, {{"<x>", dtype + "[" + rows + ", " + channels + "]"},
                                         {"<c>", dtype + "[" + channels + "]"},
                                         {"<s>", wide + "[" + channels + "]"}});
}

const char* const block = R"(graph(%0: <x>, %1: <c>, %2: <c>, %3: <x>) {
    %4: <x>, %5: <s>, %6: <s> = batch_norm_training(%0, %1, %2) {epsilon = 0.001}
    %7: <x> = add(%4, %3)
    %8: <x> = relu(%7)
    return %8, %5, %6
  })";

// Variances are drawn as well: the epsilon keeps their sums with it positive.
const char* const inference = R"(graph(%0: <x>, %1: <c>, %2: <c>, %3: <s>, %4: <s>) {
    %5: <x> = batch_norm_inference(%0, %1, %2, %3, %4) {epsilon = 10}
    %6: <x> = relu(%5)
    return %6
  })";

// Channels that are repeated, of whole vectors and not, of several runs, longer than a run; last
// runs that are shorter.
TEST(NormalizationEpilogue, OfManyShapes) {
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

TEST(NormalizationEpilogue, OfOneThatReadsRowsToo) {
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

TEST(NormalizationEpilogue, OfWhatOthersReadToo) {
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

TEST(NormalizationEpilogue, WritesOverWhatItReads) {
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

// Its other operand is made behind the normalisation; too few elements; a group; elements that are
// stretched.
TEST(NormalizationEpilogue, IsNotMadeWhereItCannotRunOrGainsNothing) {
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
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[64], %2: f32[3, 500, 64]) {
    %3: f32[500, 64], %4: f32[64], %5: f32[64] = batch_norm_training(%0, %1, %1)
    %6: f32[3, 500, 64] = mul(%2, %3)
    %7: f32[3, 500, 64] = tanh(%6)
    return %7
  })",
                     {});
}

// The second one stands last: what the first one makes is there then.
TEST(NormalizationEpilogue, OfTheLastOfTwoNormalisations) {
  (void)expect_loops(R"(graph(%0: f32[500, 64], %1: f32[500, 64], %2: f32[64]) {
    %3: f32[500, 64], %4: f32[64], %5: f32[64] = batch_norm_training(%0, %2, %2)
    %6: f32[500, 64], %7: f32[64], %8: f32[64] = batch_norm_training(%1, %2, %2)
    %9: f32[500, 64] = add(%3, %6)
    %10: f32[500, 64] = relu(%9)
    return %10, %4, %8
  })",
                     {3});
}

TEST(NormalizationEpilogue, WhatOnlyItReadsIsNeverInMemory) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  EXPECT_LT(ddx::testing::peak_of_run(of_types(block, "f32", "1000", "1000")), 4500000U)
      << "the result has 4 MB";
}

// 4 MB that a run may write over are read for the last time by the normalisation.
TEST(NormalizationEpilogue, ReleasesOperandsAfterTheirLastUse) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const std::string text = R"(graph(%0: f32[1000, 1000], %1: f32[1000]) {
    %2: f32[1000, 1000], %3: f32[1000], %4: f32[1000] = batch_norm_training(%0, %1, %1)
    %5: bool[1000, 1000] = less(%2, %1)
    %6: bool[8000, 1000] = concatenate(%5, %5, %5, %5, %5, %5, %5, %5) {axis = 0}
    return %6
  })";
  (void)expect_loops(text, {2});
  EXPECT_LT(ddx::testing::peak_of_run(text, true), 6000000U) << "1 + 8 - 4 MB";
}

// Nothing else has this loop, whose code never comes.
TEST(NormalizationEpilogue, RunsByKernelsWhereThereIsNoCode) {
  const ddx::testing::NoLoopCode none;
  (void)expect_loops(R"(graph(%0: f32[300, 100], %1: f32[100]) {
    %2: f32[300, 100], %3: f32[100], %4: f32[100] = batch_norm_training(%0, %1, %1)
    %5: f32[300, 100] = cosh(%2)
    %6: f32[300, 100] = sinh(%5)
    return %6
  })",
                     {3});
}

TEST(NormalizationEpilogue, WhatFailsLeavesTheRest) {
  EXPECT_EQ(ddx::testing::failed_results(R"(graph(%0: f32[500, 50], %1: f32[50]; checks 1) {
    %2: f32[500, 50] = neg(%0) !0
    %3: f32[500, 50], %4: f32[50], %5: f32[50] = batch_norm_training(%0, %1, %1)
    %6: f32[500, 50] = neg(%3)
    %7: f32[500, 50] = mul(%6, %2)
    return %6, %7, %4
  })"),
            (std::vector<bool>{false, true, false}));
}

TEST(NormalizationEpilogue, SaysWhichOperationMakesTheFirstNaN) {
  const std::string text = ddx::testing::first_nan(R"(graph(%0: f32[500, 64], %1: f32[64]) {
    %2: f32[500, 64], %3: f32[64], %4: f32[64] = batch_norm_training(%0, %1, %1)
    %5: f32[500, 64] = exp(%2)
    %6: f32[500, 64] = neg(%5)
    %7: f32[500, 64] = log(%6)
    return %7
  })");
  EXPECT_TRUE(text.starts_with("log: ")) << text;
}

}  // namespace normalization_epilogue_test
}  // namespace ddx::backend::lazy
