#include "backend/lazy/rowwise_group.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/text.h"

#include "backend/cpu_jit/loop_compiler.h"
#include "backend/lazy/plan.h"
#include "tests/support/loop_choice.h"
#include "tests/support/plan_comparison.h"
#include "tests/support/plan_programs.h"
#include "tests/support/random_graph.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::backend::lazy {
namespace rowwise_group_test {

/// Expects groups of so many nodes; see there.
std::size_t expect_chains(const std::string& text, const std::vector<std::size_t>& nodes) {
  return ddx::testing::expect_parts(text, &Plan::groups, nodes);
}

/// The text with <x> for the type of arrays, <c> for that of an element for each row, <r> for that
/// of one row; and another function for <exp> where that is not compiled.
std::string of_types(std::string text, const std::string& dtype, const std::string& rows,
                     const std::string& row, std::size_t row_rank = 1) {
  std::string ones;
  for (std::size_t i = 0; i < row_rank; ++i) {
    ones += ", 1";
  }
  return ddx::testing::with_words(std::move(text), {{"<x>", dtype + "[" + rows + ", " + row + "]"},
                                                    {"<c>", dtype + "[" + rows + ones + "]"},
                                                    {"<exp>", dtype == "f32" ? "exp" : "square"},
                                                    {"<r>", dtype + "[" + row + "]"}});
}

const char* const softmax = R"(graph(%0: <x>) {
    %1: <c> = max(%0) {axes = 2, keep_dims = true}
    %2: <x> = sub(%0, %1)
    %3: <x> = <exp>(%2)
    %4: <c> = sum(%3) {axes = 2, keep_dims = true}
    %5: <x> = div(%3, %4)
    return %5
  })";

const char* const normalisation = R"(graph(%0: <x>, %1: <r>, %2: <r>) {
    %3: <c> = mean(%0) {axes = 2, keep_dims = true}
    %4: <x> = sub(%0, %3)
    %5: <x> = square(%4)
    %6: <c> = mean(%5) {axes = 2, keep_dims = true}
    %7: <c> = add(%6, %6)
    %8: <c> = rsqrt(%7)
    %9: <x> = mul(%4, %8)
    %10: <x> = mul(%9, %1)
    %11: <x> = add(%10, %2)
    return %11
  })";

// Short rows that are repeated, of one or several pieces, last pieces of fewer rows, rows that are
// a piece each, and longer ones; more than one part.
TEST(RowwiseGroup, OfManyShapes) {
  for (const std::string dtype : {"f32", "f64"}) {
    for (const auto& [rows, row] : {std::pair<std::string, std::string>{"700", "900"},
                                    {"4099", "7"},
                                    {"1024", "2"},
                                    {"90", "256"},
                                    {"3", "1021"},
                                    {"16", "4000"},
                                    {"41", "4097"},
                                    {"17", "65536"}}) {
      (void)expect_chains(of_types(softmax, dtype, rows, row), {5});
      (void)expect_chains(of_types(normalisation, dtype, rows, row), {9});
    }
  }
}

TEST(RowwiseGroup, OfSeveralAxes) {
  (void)expect_chains(R"(graph(%0: f32[6, 30, 2, 40], %1: f32[2, 40], %2: f32[6, 30, 1, 1]) {
    %3: f32[6, 30, 1, 1] = mean(%0) {axes = 12, keep_dims = true}
    %4: f32[6, 30, 1, 1] = mul(%3, %2)
    %5: f32[6, 30, 2, 40] = sub(%0, %4)
    %6: f32[6, 30, 2, 40] = mul(%5, %1)
    %7: f32[6, 30, 1, 1] = min(%6) {axes = 12, keep_dims = true}
    %8: f32[6, 30, 2, 40] = mul(%6, %7)
    %9: f32[30, 2, 40] = sum(%8) {axes = 1}
    %10: f32[2, 40] = sum(%8) {axes = 3}
    return %8, %9, %10
  })",
                      {7});
}

const char* const gradient_of_normalisation = R"(graph(%0: <x>, %1: <x>, %2: <r>, %3: <c>) {
    %4: <c> = mean(%0) {axes = 2, keep_dims = true}
    %5: <x> = sub(%0, %4)
    %6: <x> = mul(%5, %3)
    %7: <r> = sum(%1) {axes = 1}
    %8: <x> = mul(%1, %6)
    %9: <r> = sum(%8) {axes = 1}
    %10: <x> = mul(%1, %2)
    %11: <x> = mul(%10, %5)
    %12: <c> = sum(%11) {axes = 2, keep_dims = true}
    %13: <x> = mul(%5, %12)
    %14: <x> = sub(%10, %13)
    %15: <r> = mean(%14) {axes = 1}
    return %7, %9, %14, %15
  })";

// Sums of columns in one chunk or several, of more rows than go into one partial sum; rows so short
// that kernels sum several at once, which are no part of the group.
TEST(RowwiseGroup, SumsColumnsToo) {
  for (const std::string dtype : {"f32", "f64"}) {
    for (const auto& [rows, row, nodes] :
         {std::tuple<std::string, std::string, std::size_t>{"9001", "64", 12},
          {"700", "900", 12},
          {"300", "67", 12},
          {"16", "4000", 12},
          {"3", "1000", 12},
          {"5000", "63", 9}}) {
      (void)expect_chains(of_types(gradient_of_normalisation, dtype, rows, row), {nodes});
    }
  }
}

// Rows that are read for all are repeated, and chunks begin anywhere.
TEST(RowwiseGroup, SumsColumnsWhereRowsAreRepeated) {
  (void)expect_chains(R"(graph(%0: f32[6007, 80], %1: f32[80]) {
    %2: f32[6007, 80] = mul(%0, %1)
    %3: f32[6007, 1] = max(%2) {axes = 2, keep_dims = true}
    %4: f32[6007, 80] = sub(%2, %3)
    %5: f32[80] = sum(%4) {axes = 1}
    %6: f32[1, 80] = mean(%2) {axes = 1, keep_dims = true}
    return %4, %5, %6
  })",
                      {5});
}

// By kernels: extremes, truths, and sums of other types.
TEST(RowwiseGroup, OfOtherReductions) {
  (void)expect_chains(R"(graph(%0: bf16[300, 100]) {
    %1: bf16[300, 1] = sum(%0) {axes = 2, keep_dims = true}
    %2: bf16[300, 100] = div(%0, %1)
    %3: bf16[300, 1] = product(%2) {axes = 2, keep_dims = true}
    %4: bf16[300, 100] = mul(%2, %3)
    %5: bool[300, 100] = less(%4, %2)
    %6: bool[300, 1] = any(%5) {axes = 2, keep_dims = true}
    %7: bf16[300, 100] = select(%6, %2, %0)
    return %7
  })",
                      {7});
}

// What others read is in memory, also what is written over a parameter by then.
TEST(RowwiseGroup, OfWhatOthersReadToo) {
  EXPECT_EQ(expect_chains(R"(graph(%0: f32[128, 100]) {
    %1: f32[128, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[128, 100] = sub(%0, %1)
    %3: f32[128, 100] = exp(%2)
    %4: f32[128, 1] = sum(%3) {axes = 2, keep_dims = true}
    %5: f32[128, 100] = div(%3, %4)
    %6: f32[1, 100] = sum(%5) {axes = 1, keep_dims = true}
    %7: f32[128, 100] = cumulative_sum(%3) {axis = 1}
    %8: f32[] = sum(%5) {axes = 3}
    return %3, %4, %5, %6, %7, %8, %1
  })",
                          {6}),
            cpu_jit::is_on() ? 1U : 0U);
}

TEST(RowwiseGroup, WritesOverWhatItReads) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  EXPECT_EQ(expect_chains(of_types(softmax, "f32", "128", "100"), {5}), 1U);
  EXPECT_EQ(expect_chains(of_types(normalisation, "f32", "128", "100"), {9}), 1U);
  // %2 may not lie where a later reduction still reads %0.
  EXPECT_EQ(expect_chains(R"(graph(%0: f32[128, 100]) {
    %1: f32[128, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[128, 100] = sub(%0, %1)
    %3: f32[128, 1] = min(%2) {axes = 2, keep_dims = true}
    %4: f32[128, 1] = sum(%0) {axes = 2, keep_dims = true}
    %5: f32[128, 100] = div(%2, %3)
    %6: f32[128, 100] = mul(%5, %4)
    return %2, %6
  })",
                          {6}),
            1U);
  EXPECT_EQ(expect_chains(R"(graph(%0: f32[128, 100]) {
    %1: f32[128, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[128, 100] = sub(%0, %1)
    %3: f32[128, 100] = mul(%2, %0)
    return %2, %3
  })",
                          {3}),
            1U);
}

TEST(RowwiseGroup, WhatOnlyItReadsIsNeverInMemory) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  EXPECT_LT(ddx::testing::peak_of_run(of_types(normalisation, "f32", "1000", "1000")), 4500000U)
      << "the result has 4 MB";
}

// 4 MB that a run may write over are read for the last time by the group, twice in one loop.
TEST(RowwiseGroup, ReleasesOperandsAfterTheirLastUse) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const std::string text = R"(graph(%0: f32[1000, 1000]) {
    %1: f32[1000, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[1000, 1000] = mul(%0, %0)
    %3: bool[1000, 1000] = less(%2, %1)
    %4: bool[8000, 1000] = concatenate(%3, %3, %3, %3, %3, %3, %3, %3) {axis = 0}
    return %4
  })";
  (void)expect_chains(text, {3});
  EXPECT_LT(ddx::testing::peak_of_run(text, true), 6000000U) << "1 + 8 - 4 MB";
}

// Few elements, few long rows, rows beyond the caches, a table of rows of two lengths.
TEST(RowwiseGroup, IsNotMadeWhereItGainsNothing) {
  (void)expect_chains(of_types(softmax, "f32", "20", "100"), {});
  (void)expect_chains(of_types(softmax, "f32", "15", "4000"), {});
  (void)expect_chains(of_types(softmax, "f32", "17", "65537"), {});
  (void)expect_chains(R"(graph(%0: f32[40, 20, 30], %1: f32[30]) {
    %2: f32[40, 1, 1] = max(%0) {axes = 6, keep_dims = true}
    %3: f32[40, 20, 30] = sub(%0, %2)
    %4: f32[40, 20, 30] = mul(%3, %1)
    return %4
  })",
                      {});
}

// Nothing else has these loops, whose code never comes.
TEST(RowwiseGroup, RunsByKernelsWhereThereIsNoCode) {
  const ddx::testing::NoLoopCode none;
  (void)expect_chains(R"(graph(%0: f32[300, 100]) {
    %1: f32[300, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[300, 1] = sinh(%1)
    %3: f32[300, 100] = div(%0, %2)
    %4: f32[300, 100] = cosh(%3)
    %5: f32[300, 1] = min(%4) {axes = 2, keep_dims = true}
    return %4, %5
  })",
                      {5});
}

TEST(RowwiseGroup, WhatFailsLeavesTheRest) {
  EXPECT_EQ(ddx::testing::failed_results(R"(graph(%0: f32[64, 50]; checks 1) {
    %1: f32[64, 50] = neg(%0) !0
    %2: f32[64, 1] = max(%0) {axes = 2, keep_dims = true}
    %3: f32[64, 50] = sub(%0, %2)
    %4: f32[64, 50] = mul(%3, %1)
    return %3, %4
  })"),
            (std::vector<bool>{false, true}));
}

TEST(RowwiseGroup, SaysWhichOperationMakesTheFirstNaN) {
  const std::string text = ddx::testing::first_nan(R"(graph(%0: f32[64, 50]) {
    %1: f32[64, 1] = min(%0) {axes = 2, keep_dims = true}
    %2: f32[64, 50] = sub(%1, %0)
    %3: f32[64, 50] = exp(%2)
    %4: f32[64, 1] = min(%3) {axes = 2, keep_dims = true}
    %5: f32[64, 1] = neg(%4)
    %6: f32[64, 1] = log(%5)
    %7: f32[64, 50] = mul(%3, %6)
    return %7
  })");
  EXPECT_TRUE(text.starts_with("log: ")) << text;
}

/// The text of a graph of elementwise operations, reductions of rows, and some that go another way,
/// on arrays of one shape. With `batches`, arrays have these as a first axis, and there are
/// operands that all batches share, and some with one element for each batch.
class RandomText {
 public:
  RandomText(std::uint64_t seed, std::string rows, std::string row, std::string batches = "")
      : random_(seed), rows_(std::move(rows)), row_(std::move(row)), batches_(std::move(batches)) {}

  std::string make(int nodes) {
    wholes_ = {add_parameter("<x>"), add_parameter("<x>")};
    columns_ = {add_parameter("<c>")};
    row_arrays_ = {add_parameter("<r>")};
    if (!batches_.empty()) {
      for (const char* const type : {"<shared>", "<shared_c>", "<batch>"}) {
        of_batches_.push_back(add_parameter(type));
      }
    }
    for (int i = 0; i < nodes; ++i) {
      add_node();
    }
    std::string results = wholes_.back() + ", " + columns_.back();
    for (int i = 0; i < 3; ++i) {
      results += ", " + any(i == 0 ? columns_ : wholes_);
    }
    const std::string text =
        "graph(" + parameters_ + ") {\n" + body_ + "  return " + results + "\n}";
    return batches_.empty() ? of_types(text, "f32", rows_, row_) : of_batches(text);
  }

 private:
  [[nodiscard]] std::string of_batches(const std::string& text) const {
    const std::string all = "f32[" + batches_ + ", " + rows_ + ", ";
    return ddx::testing::with_words(text, {{"<x>", all + row_ + "]"},
                                           {"<c>", all + "1]"},
                                           {"<r>", "f32[" + row_ + "]"},
                                           {"<shared>", "f32[" + rows_ + ", " + row_ + "]"},
                                           {"<shared_c>", "f32[" + rows_ + ", 1]"},
                                           {"<batch>", "f32[" + batches_ + ", 1, 1]"}});
  }

  std::string add_parameter(const std::string& type) {
    const std::string name = "%" + std::to_string(count_++);
    parameters_ += (parameters_.empty() ? "" : ", ") + name + ": " + type;
    return name;
  }

  std::string add(const std::string& type, const std::string& expression) {
    const std::string name = "%" + std::to_string(count_++);
    body_ += "  " + name + ": " + type + " = " + expression + "\n";
    return name;
  }

  std::size_t below(std::size_t count) { return random_() % count; }

  /// One of the last ones, as a rule.
  std::string any(const std::vector<std::string>& names) {
    const std::size_t back = std::min(below(below(8) + 1), names.size() - 1);
    return names[names.size() - 1 - back];
  }

  void add_node() {
    static constexpr std::array unary{"neg", "tanh", "abs", "cos"};
    static constexpr std::array binary{"add", "sub", "mul", "maximum"};
    static constexpr std::array reductions{"sum", "mean", "max", "min"};
    const std::string one = unary[below(4)];
    const std::string two = binary[below(4)];
    const bool has_batches = !batches_.empty();
    if (has_batches && below(5) == 0) {  // With one operand of batches.
      const std::string& other = of_batches_[below(8) == 0 ? 2 : below(2)];
      const bool of_columns = &other != of_batches_.data() && below(2) == 0;
      std::vector<std::string>& others = of_columns ? columns_ : wholes_;
      others.push_back(
          add(of_columns ? "<c>" : "<x>", two + "(" + any(others) + ", " + other + ")"));
      return;
    }
    switch (below(12)) {
      case 0:
      case 1:
        wholes_.push_back(add("<x>", one + "(" + any(wholes_) + ")"));
        break;
      case 2:
      case 3:
        wholes_.push_back(add("<x>", two + "(" + any(wholes_) + ", " + any(wholes_) + ")"));
        break;
      case 4:
      case 5:
        wholes_.push_back(add("<x>", two + "(" + any(columns_) + ", " + any(wholes_) + ")"));
        break;
      case 6:
        wholes_.push_back(add("<x>", two + "(" + any(wholes_) + ", " + any(row_arrays_) + ")"));
        break;
      case 7:
        columns_.push_back(add("<c>", two + "(" + any(columns_) + ", " + any(columns_) + ")"));
        break;
      case 8:
      case 9:
        columns_.push_back(add("<c>", std::string(reductions[below(4)]) + "(" + any(wholes_) +
                                          ") {axes = " + (has_batches ? "4" : "2") +
                                          ", keep_dims = true}"));
        break;
      case 10:
        row_arrays_.push_back(add("<r>", std::string(reductions[below(4)]) + "(" + any(wholes_) +
                                             ") {axes = " + (has_batches ? "3" : "1") + "}"));
        break;
      default:
        wholes_.push_back(add("<x>", "reverse(" + any(wholes_) + ") {axes = 1}"));
        break;
    }
  }

  std::mt19937_64 random_;
  std::string rows_;
  std::string row_;
  std::string batches_;
  std::string parameters_;
  std::string body_;
  std::size_t count_ = 0;
  std::vector<std::string> wholes_;
  std::vector<std::string> columns_;
  std::vector<std::string> row_arrays_;
  std::vector<std::string> of_batches_;
};

TEST(RowwiseGroup, OfRandomGraphs) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  std::size_t groups = 0;
  std::size_t in_place = 0;
  for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool is_long = seed % 3 == 0;
    const ir::Graph graph = ir::optimised(
        ir::parse_graph(RandomText(seed, is_long ? "19" : "130", is_long ? "301" : "24").make(25)));
    const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, seed);
    const Plan plan(graph);
    groups += plan.groups().size();
    in_place += ddx::testing::expect_same(graph, plan, {arguments.parameters, {}, {}});
  }
  if (cpu_jit::is_on()) {
    EXPECT_GT(groups, 80U);
    EXPECT_GT(in_place, 30U);
  }
}

// What all batches share repeats after more rows than one, and pieces begin anywhere in it.
TEST(RowwiseGroup, OfWhatBatchesShare) {
  const auto text = [](const std::string& rows, const std::string& row) {
    return ddx::testing::with_words(
        R"(graph(%0: <x>, %1: <shared>, %2: <x>, %3: <shared_c>) {
    %4: <x> = mul(%0, %1)
    %5: <x> = mul(%4, %2)
    %6: <c> = sum(%5) {axes = 4, keep_dims = true}
    %7: <c> = mul(%6, %3)
    %8: <x> = sub(%4, %7)
    %9: <x> = mul(%8, %2)
    %10: <c> = sum(%9) {axes = 4, keep_dims = true}
    return %9, %10
  })",
        {{"<x>", "f32[6, " + rows + ", " + row + "]"},
         {"<c>", "f32[6, " + rows + ", 1]"},
         {"<shared>", "f32[" + rows + ", " + row + "]"},
         {"<shared_c>", "f32[" + rows + ", 1]"}});
  };
  for (const auto& [rows, row] : {std::pair<std::string, std::string>{"128", "128"},
                                  {"31", "40"},
                                  {"7", "1000"},
                                  {"300", "3"},
                                  {"2", "2048"}}) {
    (void)expect_chains(text(rows, row), {7});
  }
}

TEST(RowwiseGroup, OfRandomGraphsWithBatches) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  std::size_t groups = 0;
  for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const bool is_long = seed % 3 == 0;
    const ir::Graph graph = ir::optimised(ir::parse_graph(
        RandomText(seed, is_long ? "5" : "37", is_long ? "301" : "24", "4").make(25)));
    const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, seed);
    const Plan plan(graph);
    groups += plan.groups().size();
    (void)ddx::testing::expect_same(graph, plan, {arguments.parameters, {}, {}});
  }
  if (cpu_jit::is_on()) {
    EXPECT_GT(groups, 15U);
  }
}

}  // namespace rowwise_group_test
}  // namespace ddx::backend::lazy
