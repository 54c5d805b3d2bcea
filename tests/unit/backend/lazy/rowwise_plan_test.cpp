#include "backend/lazy/rowwise_plan.h"

#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"

#include "backend/cpu_jit/loop_compiler.h"
#include "backend/lazy/cluster_nodes.h"
#include "backend/lazy/materialised_values.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace rowwise_plan_test {

const char* const normalisation = R"(graph(%0: f32[300, 1000], %1: f32[1000]) {
    %2: f32[300, 1] = mean(%0) {axes = 2, keep_dims = true}
    %3: f32[300, 1000] = sub(%0, %2)
    %4: f32[300, 1000] = square(%3)
    %5: f32[300, 1] = mean(%4) {axes = 2, keep_dims = true}
    %6: f32[300, 1] = rsqrt(%5)
    %7: f32[300, 1000] = mul(%3, %6)
    %8: f32[300, 1000] = mul(%7, %1)
    return %8
  })";

/// The plan for the only group of a graph.
std::optional<RowwisePlan> plan_of(const ir::Graph& graph) {
  const ir::FusionPlan fusion = ir::plan_fusion(graph);
  EXPECT_EQ(fusion.groups.size(), 1U);
  std::vector<std::vector<std::size_t>> loops;
  for (const ir::Cluster& cluster : fusion.clusters) {
    loops.push_back(elementwise_nodes(graph, cluster));
  }
  return RowwisePlan::of(graph, fusion, fusion.groups[0], materialised_values(graph, loops));
}

/// The arrays that are in pieces, each with the bytes of a row and its slot.
std::string slots_of(const RowwisePlan& plan) {
  std::string text;
  for (const RowwisePlan::Array& array : plan.arrays) {
    if (array.slot) {
      text += "%" + std::to_string(ir::Graph::index(array.value)) + ": " +
              std::to_string(array.row_bytes) + " bytes in " + std::to_string(*array.slot) + "\n";
    }
  }
  return text;
}

/// The arrays of which each piece has its own part.
std::string streams_of(const RowwisePlan& plan) {
  std::string text;
  for (const RowwisePlan::Stream& stream : plan.streams) {
    text += "%" + std::to_string(ir::Graph::index(plan.arrays[stream.array].value)) +
            (stream.is_written ? " is written\n" : " is read\n");
  }
  return text;
}

TEST(RowwisePlan, WhatOnlyTheChainReadsLiesInSlots) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const ir::Graph graph = ir::parse_graph(normalisation);
  const auto plan = plan_of(graph);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->rows, 300);
  EXPECT_EQ(plan->row, 1000);
  EXPECT_EQ(plan->piece_rows, 2) << "2048 elements";
  // Stages: %2; %3, %4 and %5; %6; %8, with %7 in registers. When %6 is computed, nothing reads %2
  // and %4 any more, and the rows of %2 are as long.
  EXPECT_EQ(slots_of(*plan),
            "%2: 4 bytes in 0\n%3: 4000 bytes in 1\n%4: 4000 bytes in 2\n%5: 4 bytes in 3\n"
            "%6: 4 bytes in 0\n");
  EXPECT_EQ(streams_of(*plan), "%0 is read\n%8 is written\n");
}

// %3 is a result, and %4 is read by a node that does not go by rows.
TEST(RowwisePlan, WhatOthersReadLiesInMemory) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[300, 1000]) {
    %1: f32[300, 1] = max(%0) {axes = 2, keep_dims = true}
    %2: f32[300, 1000] = sub(%0, %1)
    %3: f32[300, 1000] = exp(%2)
    %4: f32[300, 1] = sum(%3) {axes = 2, keep_dims = true}
    %5: f32[300, 1000] = div(%3, %4)
    %6: f32[300, 1] = cumulative_sum(%4) {axis = 0}
    return %3, %5, %6
  })");
  const auto plan = plan_of(graph);
  ASSERT_TRUE(plan);
  EXPECT_EQ(slots_of(*plan), "%1: 4 bytes in 0\n");
  EXPECT_EQ(streams_of(*plan), "%0 is read\n%3 is written\n%5 is written\n");
}

}  // namespace rowwise_plan_test
}  // namespace ddx::backend::lazy
