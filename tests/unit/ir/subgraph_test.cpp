#include "ddx/ir/subgraph.h"

#include "ddx/ir/text.h"

#include <array>
#include <gtest/gtest.h>

namespace ddx::ir {
namespace subgraph_test {

TEST(Subgraph, TakesAlongWhatItsResultsNeedAndNothingElse) {
  const Graph graph = parse_graph(
      R"(graph(%0: f32[2], %1: i32[4], %2: f32[8]; #0: number, #1: key, #2: number; checks 2) {
    %3: f32[8] = gather(%0, %1) !0
    %4: f32[] = full() {value = #0}
    %5: f32[4] = gather(%2, %1) !1
    %6: f32[] = full() {value = #2}
    %7: f32[4] = mul(%5, %6)
    %8: f32[4] = exp(%7)
    return %8
  })");
  const std::array results{graph.node(4).result(), graph.parameters()[2]};
  EXPECT_EQ(to_text(subgraph(graph, results)),
            "graph(%0: i32[4], %1: f32[8]; #0: number; checks 1) {\n"
            "  %2: f32[4] = gather(%1, %0) !0\n"
            "  %3: f32[] = full() {value = #0}\n"
            "  %4: f32[4] = mul(%2, %3)\n"
            "  return %4, %1\n"
            "}\n");
}

TEST(Subgraph, ANodeComesWithAllItsResults) {
  const Graph graph = parse_graph(R"(graph(%0: f32[2, 2]) {
    %1: f32[2], %2: f32[2, 2] = eigh(%0)
    return %1
  })");
  const std::array results{graph.node(0).result(1)};
  EXPECT_EQ(to_text(subgraph(graph, results)),
            "graph(%0: f32[2, 2]) {\n"
            "  %1: f32[2], %2: f32[2, 2] = eigh(%0)\n"
            "  return %2\n"
            "}\n");
}

TEST(Subgraph, RegionsAreGivenTheScalarsAndChecksThatAreLeft) {
  const Graph graph = parse_graph(R"(graph(%0: f32[4], %1: f32[]; #0: key, #1: number; checks 2) {
    %2: f32[4] = random_uniform() {key = #0}
    %3: f32[4] = neg(%2) !0
    %4: f32[] = while_loop(%1; #1; !1) {
      condition = graph(%0: f32[]; #0: number; checks 1) {
        %1: bool[] = full()
        return %1
      },
      body = graph(%0: f32[]; #0: number; checks 1) {
        %1: f32[] = add_scaled(%0, %0) {scale = #0} !0
        return %1
      }
    }
    return %3, %4
  })");
  const std::array results{graph.results()[1]};
  EXPECT_EQ(to_text(subgraph(graph, results)),
            "graph(%0: f32[]; #0: number; checks 1) {\n"
            "  %1: f32[] = while_loop(%0; #0; !0) {\n"
            "    condition = graph(%0: f32[]; #0: number; checks 1) {\n"
            "      %1: bool[] = full()\n"
            "      return %1\n"
            "    },\n"
            "    body = graph(%0: f32[]; #0: number; checks 1) {\n"
            "      %1: f32[] = add_scaled(%0, %0) {scale = #0} !0\n"
            "      return %1\n"
            "    }\n"
            "  }\n"
            "  return %1\n"
            "}\n");
}

TEST(Subgraph, OfNothingIsEmpty) {
  const Graph graph = parse_graph("graph(%0: f32[2]) { %1: f32[2] = neg(%0) return %1 }");
  EXPECT_EQ(to_text(subgraph(graph, {})), "graph() {\n  return \n}\n");
}

}  // namespace subgraph_test
}  // namespace ddx::ir
