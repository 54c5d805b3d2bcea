#include "ddx/ir/cost.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <string>
#include <vector>

namespace ddx::ir {
namespace cost_test {

/// The work of all nodes of a graph together.
Cost of_all(const std::string& text) {
  const Graph graph = parse_graph(text);
  std::vector<std::size_t> nodes(graph.node_count());
  std::iota(nodes.begin(), nodes.end(), 0);
  return cost_of(graph, nodes, use_counts(graph));
}

struct FlopsCase {
  const char* why;
  const char* graph;  // Its last node counts.
  std::uint64_t flops;
};

TEST(Cost, FlopsAreThoseOfTheDefinition) {
  const FlopsCase cases[] = {
      {"2 m n k for each of three products",
       "graph(%0: f32[3, 4, 5], %1: f32[3, 5, 7]) { %2: f32[3, 4, 7] = matmul(%0, %1) return %2 }",
       2 * 3 * 4 * 7 * 5},
      {"the left operand's rows are summed over",
       "graph(%0: f32[5, 4], %1: f32[5, 7]) {"
       " %2: f32[4, 7] = matmul(%0, %1) {transpose_left = true} return %2 }",
       2 * 4 * 7 * 5},
      {"6 x 6 places, a window of 3 x 3, 4 channels in, 8 out",
       "graph(%0: f32[2, 8, 8, 4], %1: f32[3, 3, 4, 8]) {"
       " %2: f32[2, 6, 6, 8] = convolution(%0, %1) {size = [3, 3]} return %2 }",
       2 * (2 * 6 * 6) * (3 * 3 * 4 * 8)},
      {"two groups: each channel meets half of the others",
       "graph(%0: f32[1, 8, 8, 4], %1: f32[3, 3, 2, 8]) {"
       " %2: f32[1, 6, 6, 8] = convolution(%0, %1) {size = [3, 3], groups = 2} return %2 }",
       2 * (6 * 6) * 8 * (3 * 3 * 2)},
      {"the gradient of the input has as many",
       "graph(%0: f32[2, 6, 6, 8], %1: f32[3, 3, 4, 8]) {"
       " %2: f32[2, 8, 8, 4] = convolution_input_gradient(%0, %1) {size = [3, 3]} return %2 }",
       2 * (2 * 6 * 6) * (3 * 3 * 4 * 8)},
      {"and so has that of the filter",
       "graph(%0: f32[2, 8, 8, 4], %1: f32[2, 6, 6, 8]) {"
       " %2: f32[3, 3, 4, 8] = convolution_filter_gradient(%0, %1) {size = [3, 3]} return %2 }",
       2 * (2 * 6 * 6) * (3 * 3 * 4 * 8)},
      {"6 heads, 5 queries, 7 keys, depth 4, values of 3",
       "graph(%0: f32[6, 5, 4], %1: f32[6, 7, 4], %2: f32[6, 7, 3]) {"
       " %3: f32[6, 5, 3], %4: f32[6, 5] = attention(%0, %1, %2) return %3 }",
       2 * 6 * 5 * 7 * (4 + 3)},
      {"causal: of 3 queries and 3 keys 1 + 2 + 3 pairs",
       "graph(%0: f32[3, 4], %1: f32[3, 4], %2: f32[3, 4]) {"
       " %3: f32[3, 4], %4: f32[3] = attention(%0, %1, %2) {causal = true} return %3 }",
       2 * 6 * (4 + 4)},
      {"one for each element of the result, also where an operand stretches",
       "graph(%0: f32[6, 4], %1: f32[4]) { %2: f32[6, 4] = mul(%0, %1) return %2 }", 24},
      {"a sum is over the operand",
       "graph(%0: f32[6, 4]) { %1: f32[6] = sum(%0) {axes = 2} return %1 }", 24},
      {"a window of 2 x 2 for each place",
       "graph(%0: f32[1, 4, 4, 3]) {"
       " %1: f32[1, 2, 2, 3] = max_pool(%0) {size = [2, 2], strides = [2, 2]} return %1 }",
       48},
      {"5 n log2(n) for each of three lines",
       "graph(%0: c64[3, 8]) { %1: c64[3, 8] = fft(%0) {axis = 1} return %1 }", 3 * 5 * 8 * 3},
      {"n^3 / 3 for each of two matrices",
       "graph(%0: f64[2, 6, 6]) { %1: f64[2, 6, 6] = cholesky(%0) return %1 }", 2 * 72},
      {"moving is no arithmetic",
       "graph(%0: f32[6, 4]) { %1: f32[4, 6] = transpose(%0) {order = [1, 0]} return %1 }", 0},
      {"a scan: 5 times the 3 + 3 of its body",
       "graph(%0: f32[3]) { %1: f32[3] = scan(%0) {carries = 1, trips = 5, body = "
       "graph(%0: f32[3]) { %1: f32[3] = exp(%0) %2: f32[3] = neg(%1) return %2 } } return %1 }",
       30},
      {"a condition: what has more, 4 against 12",
       "graph(%0: bool[], %1: f32[4]) { %2: f32[4] = cond(%0, %1) {then = "
       "graph(%0: f32[4]) { %1: f32[4] = exp(%0) return %1 }, else = graph(%0: f32[4]) {"
       " %1: f32[4] = exp(%0) %2: f32[4] = exp(%1) %3: f32[4] = exp(%2) return %3 } } return %2 }",
       12},
      {"a loop: one turn, of 1 and 2",
       "graph(%0: f32[2]) { %1: f32[2] = while_loop(%0) {condition = "
       "graph(%0: f32[2]) { %1: bool[] = full() %2: bool[] = logical_not(%1) return %2 }, body = "
       "graph(%0: f32[2]) { %1: f32[2] = exp(%0) return %1 } } return %1 }",
       3},
  };
  for (const FlopsCase& each : cases) {
    SCOPED_TRACE(each.why);
    const Graph graph = parse_graph(each.graph);
    EXPECT_EQ(flops_of(graph, graph.node(graph.node_count() - 1)), each.flops);
  }
}

// Scores, their two tangents, and three sums of values.
TEST(Cost, AttentionWithItsTangentTakesThreeTimesTheProducts) {
  const Cost cost = of_all(R"(graph(%0: f32[5, 4], %1: f32[7, 4], %2: f32[7, 3]) {
    %3: f32[5, 3], %4: f32[5], %5: f32[5, 3], %6: f32[5] =
      attention_with_tangent(%0, %1, %2, %0, %1, %2)
    return %5
  })");
  EXPECT_EQ(cost.flops, 2 * 5 * 7 * 3 * (4 + 3));
}

TEST(Cost, WhatOnlyTheNodesReadIsNoTraffic) {
  // Reads 24 and 4 floats; the sum stays inside, the product leaves.
  const Cost cost = of_all(R"(graph(%0: f32[6, 4], %1: f32[4]) {
    %2: f32[6, 4] = add(%0, %1)
    %3: f32[6, 4] = mul(%2, %0)
    return %3
  })");
  EXPECT_EQ(cost, (Cost{.flops = 48, .bytes_read = 96 + 16, .bytes_written = 96}));
}

TEST(Cost, WhatOthersReadTooIsWritten) {
  const Graph graph = parse_graph(R"(graph(%0: f32[8]) {
    %1: f32[8] = exp(%0)
    %2: f32[8] = neg(%1)
    %3: f32[] = sum(%1) {axes = 1}
    return %2, %3
  })");
  const std::vector<std::size_t> loop{0, 1};
  EXPECT_EQ(cost_of(graph, loop, use_counts(graph)),
            (Cost{.flops = 16, .bytes_read = 32, .bytes_written = 64}));
}

TEST(Cost, ATableIsReadAsFarAsItIsTaken) {
  const Cost cost = of_all(R"(graph(%0: f32[1000, 4], %1: i32[2]) {
    %2: f32[2, 4] = gather(%0, %1)
    return %2
  })");
  EXPECT_EQ(cost, (Cost{.flops = 0, .bytes_read = 32 + 8, .bytes_written = 32}));
}

}  // namespace cost_test
}  // namespace ddx::ir
