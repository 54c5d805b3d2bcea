#include "backend/lazy/plan.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"

#include "backend/lazy/fused_loop.h"
#include "tests/support/loop_choice.h"
#include "tests/support/plan_comparison.h"
#include "tests/support/random_graph.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace plan_test {

using testing::expect_same;

/// Small blocks, so that small arrays have several.
class SmallBlocks {
 public:
  explicit SmallBlocks(std::int64_t bytes = 64) : before_(set_block_bytes(bytes)) {}
  SmallBlocks(const SmallBlocks&) = delete;
  SmallBlocks& operator=(const SmallBlocks&) = delete;
  ~SmallBlocks() { set_block_bytes(before_); }

 private:
  std::int64_t before_;
};

/// By kernels, or compiled.
class RandomPlans : public ::testing::TestWithParam<bool> {
 protected:
  /// Compares so many graphs, made of their seeds, until one differs; returns how many results of
  /// them lie where a parameter was.
  template <class Make>
  static std::size_t expect_same_of(std::uint64_t count, Make make) {
    const testing::LoopChoice choice({.is_on = GetParam(), .in_background = false});
    const SmallBlocks blocks(512);
    std::size_t in_place = 0;
    for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const ir::Graph graph = make(seed);
      const testing::Arguments arguments = testing::random_arguments(graph, seed);
      in_place += expect_same(graph, Plan(graph), {arguments.parameters, arguments.scalars, {}});
    }
    return in_place;
  }
};

TEST_P(RandomPlans, ComputeTheSame) {
  std::size_t loops = 0;
  const std::size_t in_place = expect_same_of(400, [&](std::uint64_t seed) {
    const ir::Graph graph = ir::optimised(testing::random_graph(seed, 40, 15));
    loops += Plan(graph).loops().size();
    return graph;
  });
  EXPECT_GT(loops, 100U);
  EXPECT_GT(in_place, 20U);
}

TEST_P(RandomPlans, WithRegionsComputeTheSame) {
  std::size_t regions = 0;
  (void)expect_same_of(300, [&](std::uint64_t seed) {
    const ir::Graph graph = ir::optimised(testing::random_graph_with_regions(seed, 30, 15));
    regions += graph.region_count();
    return graph;
  });
  EXPECT_GT(regions, 100U);
}

INSTANTIATE_TEST_SUITE_P(Plan, RandomPlans, ::testing::Values(false, true),
                         [](const auto& compiled) {
                           return compiled.param ? std::string("Compiled")
                                                 : std::string("ByKernels");
                         });

/// Parameters of floats that are all different.
struct Floats {
  explicit Floats(const ir::Graph& graph) {
    float next = 0.25F;
    for (const ir::ValueId parameter : graph.parameters()) {
      const ir::Type& type = graph.type(parameter);
      memory.emplace_back(bytes_of(type));
      for (Shape::Extent i = 0; i < type.shape.count(); ++i) {
        next = next > 3 ? next - 2.9F : next + 0.37F;
        reinterpret_cast<float*>(memory.back().data())[i] = next;
      }
      views.emplace_back(memory.back().data(), type.shape, type.dtype);
    }
  }

  std::vector<Buffer> memory;
  std::vector<ops::View> views;
};

TEST(Plan, ValuesThatAreMadeAgainAreTheSame) {
  const testing::LoopChoice by_kernels({.is_on = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[256, 256], %1: f32[256, 256],
                                                   %2: f32[256]) {
    %3: f32[256, 256] = matmul(%0, %1)
    %4: f32[256, 256] = add(%3, %2)
    %5: f32[256, 256] = sigmoid(%4)
    %6: f32[256, 256] = mul(%4, %5)
    %7: f32[256, 256] = matmul(%6, %1)
    %8: f32[256, 256] = mul(%7, %5)
    %9: f32[256, 256] = mul(%8, %4)
    return %9
  })");
  const Plan plan(graph);
  ASSERT_EQ(plan.loops().size(), 2U);
  EXPECT_EQ(plan.loops()[0].nodes().size(), 3U);
  EXPECT_EQ(plan.loops()[1].nodes().size(), 4U) << "with the sum and its sigmoid";
  const Floats floats(graph);
  (void)expect_same(graph, plan, {floats.views, {}, {}});
}

struct Stretched {
  const char* text;
  std::size_t loops;
  std::size_t operations;  // Of the first loop.
};

class StretchedOperands : public ::testing::TestWithParam<Stretched> {};

TEST_P(StretchedOperands, ComputeTheSame) {
  const testing::LoopChoice by_kernels({.is_on = false});
  const SmallBlocks blocks;
  const ir::Graph graph = ir::parse_graph(GetParam().text);
  const Floats floats(graph);
  const Plan plan(graph);
  ASSERT_EQ(plan.loops().size(), GetParam().loops) << to_text(ir::optimised(graph));
  if (GetParam().loops > 0) {
    EXPECT_EQ(plan.loops()[0].nodes().size(), GetParam().operations)
        << to_text(ir::optimised(graph));
  }
  const std::array<ir::ScalarValue, 1> scalar{ops::Literal{.real = 0.3}};
  (void)expect_same(graph, plan,
                    {floats.views, std::span(scalar).first(graph.scalars().size()), {}});
}

const Stretched rows_and_columns{R"(graph(%0: f32[23, 5], %1: f32[5], %2: f32[23, 1],
                                          %3: f32[1, 5]) {
    %4: f32[23, 5] = sub(%0, %2)
    %5: f32[23, 5] = mul(%4, %1)
    %6: f32[23, 5] = div(%3, %5)
    %7: f32[23, 5] = div(%2, %6)
    return %7, %5
  })",
                                 1, 4};
const Stretched rows_of_two_axes{R"(graph(%0: f32[31, 2, 3], %1: f32[2, 3], %2: f32[31, 1, 1]) {
    %3: f32[31, 2, 3] = sub(%0, %1)
    %4: f32[31, 2, 3] = div(%3, %2)
    return %4
  })",
                                 1, 2};
// At run time, known, and one that is an array as well.
const Stretched numbers{R"(graph(%0: f32[100], %1: f32[1]; #0: number) {
    %2: f32[] = full() {value = #0}
    %3: f32[] = full() {value = 7}
    %4: f32[100] = mul(%0, %2)
    %5: f32[100] = sub(%3, %4)
    %6: f32[100] = div(%5, %1)
    %7: f32[1] = reshape(%2)
    %8: f32[2] = concatenate(%7, %1)
    return %6, %8, %3
  })",
                        1, 3};
const Stretched by_operations{R"(graph(%0: f32[40, 3], %1: f32[3], %2: f32[40, 1], %3: f32[]) {
    %4: f32[40, 3] = broadcast_to(%1)
    %5: f32[40, 3] = broadcast_to(%2)
    %6: f32[40, 3] = broadcast_to(%3)
    %7: f32[40, 3] = sub(%0, %4)
    %8: f32[40, 3] = div(%7, %5)
    %9: f32[40, 3] = mul(%8, %6)
    return %9
  })",
                              1, 3};
const Stretched of_other_types{R"(graph(%0: f32[77], %1: f32[77]) {
    %2: bool[77] = less(%0, %1)
    %3: f32[77] = sqrt(%0)
    %4: f32[77] = select(%2, %3, %1)
    %5: f64[77] = cast(%4)
    %6: f64[77] = square(%5)
    return %6
  })",
                               1, 5};
const Stretched before_reductions{R"(graph(%0: f32[20, 4], %1: f32[4]) {
    %2: f32[20, 4] = mul(%0, %1)
    %3: f32[20, 4] = exp(%2)
    %4: f32[20] = sum(%3) {axes = 2}
    %5: f32[] = max(%4) {axes = 1}
    return %4, %5
  })",
                                  1, 2};
const Stretched in_the_middle{R"(graph(%0: f32[4, 5, 6], %1: f32[4, 1, 6]) {
    %2: f32[4, 5, 6] = sub(%0, %1)
    %3: f32[4, 5, 6] = exp(%2)
    return %3
  })",
                              0, 0};
const Stretched rows_of_two_lengths{R"(graph(%0: f32[20, 2, 3], %1: f32[3], %2: f32[2, 3]) {
    %3: f32[20, 2, 3] = sub(%0, %1)
    %4: f32[20, 2, 3] = div(%3, %2)
    return %4
  })",
                                    0, 0};
const Stretched few_elements{R"(graph(%0: f32[7]) {
    %1: f32[7] = exp(%0)
    %2: f32[7] = neg(%1)
    return %2
  })",
                             0, 0};

TEST_P(StretchedOperands, ComputeTheSameWhenCompiled) {
  const testing::LoopChoice choice({.in_background = false});
  const SmallBlocks blocks;
  const ir::Graph graph = ir::parse_graph(GetParam().text);
  const Floats floats(graph);
  const Plan plan(graph);
  const std::array<ir::ScalarValue, 1> scalar{ops::Literal{.real = 0.3}};
  (void)expect_same(graph, plan,
                    {floats.views, std::span(scalar).first(graph.scalars().size()), {}});
}

INSTANTIATE_TEST_SUITE_P(Plan, StretchedOperands,
                         ::testing::Values(rows_and_columns, rows_of_two_axes, numbers,
                                           by_operations, of_other_types, before_reductions,
                                           in_the_middle, rows_of_two_lengths, few_elements));

// Enough for several threads, and for rows that are repeated; also where parameters are written
// over, each element once.
TEST(Plan, LargeLoopsComputeTheSameWhenCompiled) {
  const testing::LoopChoice choice({.in_background = false});
  for (const char* const text : {R"(graph(%0: f32[700000]) {
    %1: f32[700000] = add(%0, %0)
    %2: f32[700000] = sub(%1, %0)
    %3: f32[700000] = mul(%2, %1)
    return %3
  })",
                                 R"(graph(%0: f32[90000, 7], %1: f32[7]) {
    %2: f32[90000, 7] = sub(%0, %1)
    %3: f32[90000, 7] = mul(%2, %1)
    return %3
  })",
                                 R"(graph(%0: f32[700, 900], %1: f32[900], %2: f32[700, 1]) {
    %3: f32[700, 900] = sub(%0, %1)
    %4: f32[700, 900] = mul(%3, %2)
    return %4
  })"}) {
    const ir::Graph graph = ir::parse_graph(text);
    const Floats floats(graph);
    const Plan plan(graph);
    ASSERT_EQ(plan.loops().size(), 1U);
    EXPECT_EQ(expect_same(graph, plan, {floats.views, {}, {}}), 1U) << "in place";
  }
}

/// How many results lie where a parameter was, all of them donated.
std::size_t results_in_place(const char* text) {
  const ir::Graph graph = ir::parse_graph(text);
  const Floats floats(graph);
  return expect_same(graph, Plan(graph), {floats.views, {}, {}});
}

TEST(Plan, ResultsAreWrittenOverWhatNobodyReadsLater) {
  const SmallBlocks blocks;
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[100]) {
    %1: f32[100] = exp(%0)
    return %1
  })"),
            1U);
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[100], %1: f32[100]) {
    %2: f32[100] = mul(%0, %0)
    %3: f32[100] = add(%2, %1)
    return %2, %3
  })"),
            2U)
      << "in a loop";
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[100], %1: f32[100]) {
    %2: f32[100] = exp(%1)
    %3: f32[100] = add(%2, %0)
    %4: f32[100] = mul(%3, %1)
    return %2, %4
  })"),
            1U)
      << "%2 may not lie where %1 is read later";
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[10], %1: f32[3]) {
    %2: f32[10] = update_slice(%0, %1) {start = [2], step = [1]}
    return %2
  })"),
            1U);
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[6]) {
    %1: f32[6] = update_slice(%0, %0) {start = [0], step = [1]}
    return %1
  })"),
            0U)
      << "an update may read its array after it has written there";
  EXPECT_EQ(results_in_place(R"(graph(%0: f32[5]) {
    %1: f32[4, 5] = broadcast_to(%0)
    %2: f32[4, 5] = add(%1, %0)
    %3: f32[5] = cumulative_sum(%0) {axis = 0}
    return %2, %3
  })"),
            0U);
}

TEST(Plan, WhatFailsInALoopLeavesTheRest) {
  const SmallBlocks blocks;
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[64]; checks 1) {
    %1: f32[64] = neg(%0) !0
    %2: f32[] = full() {value = 3}
    %3: f32[64] = mul(%0, %2)
    %4: f32[64] = exp(%3)
    %5: f32[64] = add(%4, %1)
    return %4, %5
  })");
  const Plan plan(graph);
  ASSERT_EQ(plan.loops().size(), 1U);
  const Floats floats(graph);
  const std::array checks{
      ops::Check{.before = [](const ops::Call&) { return std::optional<std::string>("wrong"); },
                 .site = {"neg"}}};
  const auto outcomes = plan.run({floats.views, {}, checks}, backend_of(Device::cpu()));
  ASSERT_EQ(outcomes[0].error, nullptr);
  const float first = *floats.views[0].data<float>();
  EXPECT_NEAR(*reinterpret_cast<const float*>(outcomes[0].elements.data()), std::exp(3 * first),
              1e-3F);
  EXPECT_NE(outcomes[1].error, nullptr);
}

}  // namespace plan_test
}  // namespace ddx::backend::lazy
