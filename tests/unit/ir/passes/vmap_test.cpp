// The rules are compared with loops over examples in tests/conformance/vmap_test.cpp; here is what
// they make.

#include "ddx/ir/passes/vmap.h"

#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::ir {
namespace vmap_test {

std::string mapped_text(const char* text, const std::vector<bool>& mapped) {
  const Vmapped made = vmapped(parse_graph(text), mapped, 3);
  verify(made.graph);
  return to_text(made.graph);
}

TEST(Vmap, LinesUpOperandsOfOtherRanks) {
  EXPECT_EQ(mapped_text(R"(graph(%0: f32[4, 5], %1: f32[5], %2: f32[]) {
  %3: f32[4, 5] = mul(%0, %1)
  %4: f32[4, 5] = add(%3, %2)
  return %4
})",
                        {false, true, false}),
            R"(graph(%0: f32[4, 5], %1: f32[3, 5], %2: f32[]) {
  %3: f32[3, 1, 5] = reshape(%1)
  %4: f32[3, 4, 5] = mul(%0, %3)
  %5: f32[3, 4, 5] = add(%4, %2)
  return %5
}
)");
}

TEST(Vmap, SharesWhatNoExampleChanges) {
  EXPECT_EQ(mapped_text(R"(graph(%0: f32[4], %1: f32[4]) {
  %2: f32[4] = exp(%0)
  %3: f32[4] = add(%2, %1)
  return %3, %2
})",
                        {false, true}),
            R"(graph(%0: f32[4], %1: f32[3, 4]) {
  %2: f32[4] = exp(%0)
  %3: f32[3, 4] = add(%2, %1)
  %4: f32[1, 4] = reshape(%2)
  %5: f32[3, 4] = broadcast_to(%4)
  return %3, %5
}
)");
}

TEST(Vmap, MultipliesByOneMatrixAsAProduct) {
  EXPECT_EQ(mapped_text(R"(graph(%0: f32[2, 4], %1: f32[4, 5]) {
  %2: f32[2, 5] = matmul(%0, %1)
  return %2
})",
                        {true, false}),
            R"(graph(%0: f32[3, 2, 4], %1: f32[4, 5]) {
  %2: f32[3, 2, 5] = matmul(%0, %1)
  return %2
}
)");
}

TEST(Vmap, FoldsExamplesIntoImages) {
  const Graph graph = parse_graph(R"(graph(%0: f32[2, 4, 4, 1], %1: f32[3, 3, 1, 6]) {
  %2: f32[2, 2, 2, 6] = convolution(%0, %1) {axes = 2, size = [3, 3, 1], strides = [1, 1, 1], dilations = [1, 1, 1], low = [0, 0, 0], high = [0, 0, 0], groups = 1}
  return %2
})");
  const Vmapped made = vmapped(graph, {true, false}, 3);
  verify(made.graph);
  ASSERT_EQ(made.graph.node_count(), 3U) << to_text(made.graph);
  EXPECT_EQ(made.graph.type(made.graph.node(1).result()).shape, (Shape{6, 2, 2, 6}));
}

// One for each of what is computed one by one.
TEST(Vmap, TellsWhichCheckEachAsks) {
  const Graph graph =
      parse_graph(R"(graph(%0: i32[4], %1: i32[4], %2: f32[4], %3: i32[2]; checks 2) {
  %4: f32[2] = gather(%2, %3) {axis = 0} !1
  %5: i32[4] = div(%0, %1) !0
  return %4, %5
})");
  const Vmapped made = vmapped(graph, {true, true, true, true}, 3);
  verify(made.graph);
  EXPECT_EQ(made.checks, (std::vector<CheckId>{CheckId{1}, CheckId{1}, CheckId{1}, CheckId{0}}));
  EXPECT_EQ(made.graph.check_count(), 4U);
}

TEST(Vmap, UnrollsControlFlow) {
  const Graph graph = parse_graph(R"(graph(%0: bool[], %1: f32[2]; #0: number; checks 1) {
  %2: f32[2] = cond(%0, %1; #0; !0) {
    then = graph(%0: f32[2]; #0: number; checks 1) {
      %1: f32[] = full() {value = #0}
      %2: f32[2] = mul(%0, %1) !0
      return %2
    },
    else = graph(%0: f32[2]; #0: number; checks 1) {
      return %0
    }
  }
  return %2
})");
  const Vmapped made = vmapped(graph, {true, false}, 3);
  verify(made.graph);
  EXPECT_EQ(made.checks, (std::vector<CheckId>(3, CheckId{0})));
  EXPECT_EQ(made.graph.type(made.graph.results()[0]).shape, (Shape{3, 2}));
  EXPECT_EQ(made.graph.region_count(), 2U);
}

TEST(Vmap, ScalarsStay) {
  EXPECT_EQ(mapped_text(R"(graph(%0: f32[2]; #0: number) {
  %1: f32[] = full() {value = #0}
  %2: f32[2] = mul(%0, %1)
  return %2
})",
                        {true}),
            R"(graph(%0: f32[3, 2]; #0: number) {
  %1: f32[] = full() {value = #0}
  %2: f32[3, 2] = mul(%0, %1)
  return %2
}
)");
}

}  // namespace vmap_test
}  // namespace ddx::ir
