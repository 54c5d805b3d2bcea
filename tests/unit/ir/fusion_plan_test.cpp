#include "ddx/ir/fusion_plan.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include "tests/support/random_graph.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::ir {
namespace fusion_plan_test {

std::string planned(const std::string& text) {
  const Graph graph = parse_graph(text);
  return to_text(graph, plan_fusion(graph));
}

TEST(FusionPlan, WhatHasACheckRunsAlone) {
  EXPECT_EQ(planned(R"(graph(%0: i32[4]; checks 1) {
    %1: i32[4] = neg(%0)
    %2: i32[4] = div(%1, %0) !0
    %3: i32[4] = neg(%2)
    return %3
  })"),
            "loop over [4]: 1 in, 1 out\n"
            "  %1: i32[4] = neg(%0)\n"
            "library: 2 in, 1 out\n"
            "  %2: i32[4] = div(%1, %0) !0\n"
            "loop over [4]: 1 in, 1 out\n"
            "  %3: i32[4] = neg(%2)\n");
}

TEST(FusionPlan, WhatHasRegionsRunsAloneAndItsNumbersAreArrays) {
  EXPECT_EQ(planned(R"(graph(%0: f32[4]) {
    %1: f32[4] = neg(%0)
    %2: f32[] = full()
    %3: f32[], %4: f32[4] = scan(%2, %1) {carries = 1, slices = 1, trips = 4,
      body = graph(%0: f32[], %1: f32[]) { return %1, %0 }
    }
    %5: f32[4] = neg(%4)
    %6: f32[4] = add(%5, %3)
    return %6
  })"),
            "library: 0 in, 1 out\n"
            "  %2: f32[] = full()\n"
            "loop over [4]: 1 in, 1 out\n"
            "  %1: f32[4] = neg(%0)\n"
            "library: 2 in, 2 out\n"
            "  %3: f32[], %4: f32[4] = scan(%2, %1)\n"
            "loop over [4]: 2 in, 1 out\n"
            "  %5: f32[4] = neg(%4)\n"
            "  %6: f32[4] = add(%5, %3)\n");
}

TEST(FusionPlan, AChainAndItsReductionAreOneLoop) {
  EXPECT_EQ(planned(R"(graph(%0: f32[8, 4], %1: f32[4]; #0: number) {
    %2: f32[8, 4] = add(%0, %1)
    %3: f32[] = full() {value = #0}
    %4: f32[8, 4] = mul(%2, %3)
    %5: f32[8, 4] = relu(%4)
    %6: f32[8] = sum(%5) {axes = 2}
    return %6, %4
  })"),
            "loop over [8, 4]: 2 in, 2 out\n"
            "  %3: f32[] = full() {value = #0}\n"
            "  %2: f32[8, 4] = add(%0, %1)\n"
            "  %4: f32[8, 4] = mul(%2, %3)\n"
            "  %5: f32[8, 4] = relu(%4)\n"
            "  %6: f32[8] = sum(%5) {axes = 2}\n");
}

TEST(FusionPlan, WhatStretchesAReductionIsAnotherLoop) {
  EXPECT_EQ(planned(R"(graph(%0: f32[8, 4]) {
    %1: f32[8, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[8, 4] = sub(%0, %1)
    %3: f32[8, 4] = exp(%2)
    return %3
  })"),
            "loop over [8, 4]: 1 in, 1 out\n"
            "  %1: f32[8, 1] = max(%0) {axes = 2, keep_dims = true}\n"
            "loop over [8, 4]: 2 in, 1 out\n"
            "  %2: f32[8, 4] = sub(%0, %1)\n"
            "  %3: f32[8, 4] = exp(%2)\n"
            "group over [8, 4] by rows [8, 1]: 0 1\n");
}

TEST(FusionPlan, WhatNobodyReadsBeforeRunsInTheLaterLoop) {
  EXPECT_EQ(planned(R"(graph(%0: f32[5, 4], %1: f32[5, 4], %2: f32[4, 4]) {
    %3: bool[5, 4] = less(%0, %1)
    %4: f32[5, 4] = matmul(%1, %2)
    %5: f32[5, 4] = select(%3, %4, %0)
    %6: f32[5, 4] = exp(%5)
    %7: f32[5] = sum(%6) {axes = 2}
    return %7
  })"),
            "library: 2 in, 1 out\n"
            "  %4: f32[5, 4] = matmul(%1, %2)\n"
            "loop over [5, 4]: 3 in, 1 out\n"
            "  %3: bool[5, 4] = less(%0, %1)\n"
            "  %5: f32[5, 4] = select(%3, %4, %0)\n"
            "  %6: f32[5, 4] = exp(%5)\n"
            "  %7: f32[5] = sum(%6) {axes = 2}\n");
}

TEST(FusionPlan, WhatIsReadBeforeRunsBefore) {
  EXPECT_EQ(planned(R"(graph(%0: f32[4, 4], %1: f32[4, 4]) {
    %2: f32[4, 4] = mul(%0, %1)
    %3: f32[4] = sum(%2) {axes = 1}
    %4: f32[4, 4] = exp(%1)
    %5: f32[4, 4] = matmul(%4, %1)
    %6: f32[4, 4] = add(%5, %4)
    %7: f32[4, 4] = add(%6, %3)
    %8: f32[4, 4] = add(%7, %2)
    return %8
  })"),
            "loop over [4, 4]: 2 in, 2 out\n"
            "  %2: f32[4, 4] = mul(%0, %1)\n"
            "  %3: f32[4] = sum(%2) {axes = 1}\n"
            "loop over [4, 4]: 1 in, 1 out\n"
            "  %4: f32[4, 4] = exp(%1)\n"
            "library: 2 in, 1 out\n"
            "  %5: f32[4, 4] = matmul(%4, %1)\n"
            "loop over [4, 4]: 4 in, 1 out\n"
            "  %6: f32[4, 4] = add(%5, %4)\n"
            "  %7: f32[4, 4] = add(%6, %3)\n"
            "  %8: f32[4, 4] = add(%7, %2)\n");
}

TEST(FusionPlan, AProductStandsBetweenLoops) {
  EXPECT_EQ(planned(R"(graph(%0: f32[4, 4]) {
    %1: f32[4, 4] = neg(%0)
    %2: f32[4, 4] = matmul(%1, %1)
    %3: f32[4, 4] = add(%1, %2)
    %4: f32[16] = reshape(%3)
    %5: f32[16] = exp(%4)
    return %5
  })"),
            "loop over [4, 4]: 1 in, 1 out\n"
            "  %1: f32[4, 4] = neg(%0)\n"
            "library: 1 in, 1 out\n"
            "  %2: f32[4, 4] = matmul(%1, %1)\n"
            "loop over [4, 4]: 2 in, 1 out\n"
            "  %3: f32[4, 4] = add(%1, %2)\n"
            "alias: 1 in, 1 out\n"
            "  %4: f32[16] = reshape(%3)\n"
            "loop over [16]: 1 in, 1 out\n"
            "  %5: f32[16] = exp(%4)\n");
}

TEST(FusionPlan, NumbersAreArraysOnlyWhereTheyMustBe) {
  EXPECT_EQ(planned(R"(graph(%0: f32[4]) {
    %1: f32[4] = full() {value = 2}
    %2: f32[4] = mul(%0, %1)
    %3: f32[8] = concatenate(%2, %1)
    return %3
  })"),
            "library: 0 in, 1 out\n"
            "  %1: f32[4] = full() {value = 2}\n"
            "loop over [4]: 1 in, 1 out\n"
            "  %1: f32[4] = full() {value = 2}\n"
            "  %2: f32[4] = mul(%0, %1)\n"
            "library: 2 in, 1 out\n"
            "  %3: f32[8] = concatenate(%2, %1)\n");
}

/// The lines of the plan that name groups.
std::string chains_of(const std::string& text) {
  const std::string plan = planned(text);
  const std::size_t first = plan.find("group");
  return first == std::string::npos ? "" : plan.substr(first);
}

TEST(FusionPlan, WhatReadsReducedRowsIsChained) {
  EXPECT_EQ(planned(R"(graph(%0: f32[8, 4], %1: f32[4]) {
    %2: f32[8, 1] = mean(%0) {axes = 2, keep_dims = true}
    %3: f32[8, 1] = neg(%2)
    %4: f32[8, 4] = add(%0, %3)
    %5: f32[8, 1] = max(%4) {axes = 2, keep_dims = true}
    %6: f32[8, 4] = div(%4, %5)
    %7: f32[8, 4] = mul(%6, %1)
    return %7
  })"),
            "loop over [8, 4]: 1 in, 1 out\n"
            "  %2: f32[8, 1] = mean(%0) {axes = 2, keep_dims = true}\n"
            "loop over [8, 1]: 1 in, 1 out\n"
            "  %3: f32[8, 1] = neg(%2)\n"
            "loop over [8, 4]: 2 in, 2 out\n"
            "  %4: f32[8, 4] = add(%0, %3)\n"
            "  %5: f32[8, 1] = max(%4) {axes = 2, keep_dims = true}\n"
            "loop over [8, 4]: 3 in, 1 out\n"
            "  %6: f32[8, 4] = div(%4, %5)\n"
            "  %7: f32[8, 4] = mul(%6, %1)\n"
            "group over [8, 4] by rows [8, 1]: 0 1 2 3\n");
}

TEST(FusionPlan, OneLoopAndWhatIsComputedOfItsSumsIsNoChain) {
  EXPECT_EQ(chains_of(R"(graph(%0: f32[8, 4]) {
    %1: f32[8, 1] = mean(%0) {axes = 2, keep_dims = true}
    %2: f32[8, 1] = sqrt(%1)
    return %2
  })"),
            "");
}

// Other axes, all elements, or one row: not an element for each of several rows.
TEST(FusionPlan, WhatReadsOtherReductionsIsNotChained) {
  for (const std::string reduced :
       {"f32[1, 4] = sum(%0) {axes = 1, keep_dims = true}",
        "f32[1, 1] = sum(%0) {axes = 3, keep_dims = true}", "f32[4] = sum(%0) {axes = 1}"}) {
    EXPECT_EQ(chains_of("graph(%0: f32[8, 4]) {\n  %1: " + reduced +
                        "\n  %2: f32[8, 4] = sub(%0, %1)\n  return %2\n}"),
              "");
  }
  EXPECT_EQ(chains_of(R"(graph(%0: f32[1, 4]) {
    %1: f32[1, 1] = sum(%0) {axes = 2, keep_dims = true}
    %2: f32[1, 4] = sub(%0, %1)
    return %2
  })"),
            "");
}

// The first normalisation is followed by what reads the second one, too; the last by what needs a
// product that stands behind it.
TEST(FusionPlan, NormalisationsHaveTheLoopsThatCanRunThere) {
  EXPECT_EQ(planned(R"(graph(%0: f32[8, 4], %1: f32[4], %2: f32[4, 4]) {
    %3: f32[8, 4], %4: f32[4], %5: f32[4] = batch_norm_training(%0, %1, %1)
    %6: f32[8, 4] = batch_norm_inference(%0, %1, %1, %4, %5)
    %7: f32[8, 4] = add(%3, %6)
    %8: f32[8, 4] = relu(%7)
    %9: f32[8, 4] = batch_norm_inference(%8, %1, %1, %4, %5)
    %10: f32[8, 4] = matmul(%0, %2)
    %11: f32[8, 4] = add(%9, %10)
    return %11
  })"),
            "library: 2 in, 3 out\n"
            "  %3: f32[8, 4], %4: f32[4], %5: f32[4] = batch_norm_training(%0, %1, %1)\n"
            "library: 4 in, 1 out\n"
            "  %6: f32[8, 4] = batch_norm_inference(%0, %1, %1, %4, %5)\n"
            "loop over [8, 4]: 2 in, 1 out\n"
            "  %7: f32[8, 4] = add(%3, %6)\n"
            "  %8: f32[8, 4] = relu(%7)\n"
            "library: 4 in, 1 out\n"
            "  %9: f32[8, 4] = batch_norm_inference(%8, %1, %1, %4, %5)\n"
            "library: 2 in, 1 out\n"
            "  %10: f32[8, 4] = matmul(%0, %2)\n"
            "loop over [8, 4]: 2 in, 1 out\n"
            "  %11: f32[8, 4] = add(%9, %10)\n"
            "normalised for a loop: 1 2\n");
}

// The product is needed before the last loop, and needs what the first one makes.
TEST(FusionPlan, NobodyReadsAChainInTheMiddle) {
  EXPECT_EQ(chains_of(R"(graph(%0: f32[8, 8]) {
    %1: f32[8, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[8, 8] = sub(%0, %1)
    %3: f32[8, 1] = sum(%2) {axes = 2, keep_dims = true}
    %4: f32[8, 8] = matmul(%2, %0)
    %5: f32[8, 8] = div(%4, %3)
    return %5
  })"),
            "group over [8, 8] by rows [8, 1]: 0 1\n");
}

// Each group from the loop that reduces on. That of %2 can wait for its reader; that of %7, which a
// product reads before, cannot.
TEST(FusionPlan, ChainsTakeInWhatCanWait) {
  EXPECT_EQ(chains_of(R"(graph(%0: f32[8, 8], %1: f32[8, 1]) {
    %2: f32[8, 1] = exp(%1)
    %3: f32[8, 1] = max(%0) {axes = 2, keep_dims = true}
    %4: f32[8, 8] = sub(%0, %3)
    %5: f32[8, 1] = min(%0) {axes = 2, keep_dims = true}
    %6: f32[8, 8] = mul(%0, %5)
    %7: f32[8, 1] = sqrt(%1)
    %8: f32[8, 1] = sum(%4) {axes = 2, keep_dims = true}
    %9: f32[8, 1] = matmul(%4, %7)
    %10: f32[8, 1] = sum(%6) {axes = 2, keep_dims = true}
    %11: f32[8, 8] = mul(%6, %2)
    %12: f32[8, 8] = mul(%11, %10)
    %13: f32[8, 8] = mul(%12, %7)
    return %13, %9, %8
  })"),
            "group over [8, 8] by rows [8, 1]: 1 2\n"
            "group over [8, 8] by rows [8, 1]: 0 3 4 7\n");
}

TEST(FusionPlan, OfRandomGraphsRunsInOrderAndLosesNothing) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = testing::random_graph(seed, 40);
    const FusionPlan plan = plan_fusion(graph);
    std::vector<bool> there(graph.value_count());
    std::vector<bool> ran(graph.node_count());
    for (const ValueId parameter : graph.parameters()) {
      there[Graph::index(parameter)] = true;
    }
    for (const Cluster& cluster : plan.clusters) {
      std::vector<bool> inside(graph.value_count());
      for (const ValueId input : cluster.inputs) {
        ASSERT_TRUE(there[Graph::index(input)]) << to_text(graph, plan);
        inside[Graph::index(input)] = true;
      }
      for (const std::size_t i : cluster.nodes) {
        const Node node = graph.node(i);
        for (const ValueId operand : node.operands) {
          ASSERT_TRUE(inside[Graph::index(operand)]) << to_text(graph, plan);
          // Of its own loop, an operation sees no more than the elements of its place.
          const auto maker = graph.producer(operand);
          const bool in_step = !maker || graph.node(*maker).op == ops::Op::full ||
                               std::ranges::find(cluster.nodes, *maker) == cluster.nodes.end() ||
                               (graph.type(operand).shape == cluster.loop &&
                                info(graph.node(*maker).op.row()).family != ops::Family::Reduction);
          ASSERT_TRUE(in_step) << to_text(graph, plan);
        }
        for (std::size_t result = 0; result < node.result_count; ++result) {
          inside[Graph::index(node.result(result))] = true;
        }
        ASSERT_TRUE(!ran[i] || node.op == ops::Op::full) << "node " << i << " runs twice";
        ran[i] = true;
      }
      for (const ValueId output : cluster.outputs) {
        ASSERT_TRUE(inside[Graph::index(output)]);
        there[Graph::index(output)] = true;
      }
    }
    for (const ValueId result : graph.results()) {
      ASSERT_TRUE(there[Graph::index(result)]) << to_text(graph, plan);
    }
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      ASSERT_TRUE(ran[i] || graph.node(i).op == ops::Op::full) << "node " << i << " does not run";
    }
  }
}

}  // namespace fusion_plan_test
}  // namespace ddx::ir
