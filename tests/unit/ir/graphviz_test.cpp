#include "ddx/ir/graphviz.h"

#include "ddx/ir/text.h"

#include <gtest/gtest.h>

namespace ddx::ir {
namespace graphviz_test {

TEST(Graphviz, HasABoxPerEndANodePerOperationAndAnEdgePerUse) {
  EXPECT_EQ(
      to_graphviz(parse_graph("graph(%0: f32[2]) { %1: f32[2] = mul(%0, %0) return %1, %0 }")),
      "digraph ddx {\n"
      "  rankdir = TB;\n"
      "  node [fontname = \"monospace\"];\n"
      "  p0 [shape = box, label = \"parameter 0\\nf32[2]\"];\n"
      "  n0 [label = \"mul\"];\n"
      "  p0 -> n0 [label = \"f32[2]\"];\n"
      "  p0 -> n0 [label = \"f32[2]\"];\n"
      "  r0 [shape = box, label = \"result 0\"];\n"
      "  n0 -> r0 [label = \"f32[2]\"];\n"
      "  r1 [shape = box, label = \"result 1\"];\n"
      "  p0 -> r1 [label = \"f32[2]\"];\n"
      "}\n");
}

TEST(Graphviz, RegionsAreBoxesOfTheirOwn) {
  EXPECT_EQ(to_graphviz(parse_graph("graph(%0: f32[2]) {"
                                    " %1: f32[] = scan(%0) {slices = 1, trips = 2,"
                                    "  body = graph(%0: f32[]) { return }}"
                                    " return %1 }")),
            "digraph ddx {\n"
            "  rankdir = TB;\n"
            "  node [fontname = \"monospace\"];\n"
            "  p0 [shape = box, label = \"parameter 0\\nf32[2]\"];\n"
            "  n0 [label = \"scan\"];\n"
            "  p0 -> n0 [label = \"f32[2]\"];\n"
            "  subgraph cluster_n0_0_ {\n"
            "    label = \"body of n0\";\n"
            "    n0_0_p0 [shape = box, label = \"parameter 0\\nf32[]\"];\n"
            "  }\n"
            "  r0 [shape = box, label = \"result 0\"];\n"
            "  n0 -> r0 [label = \"f32[]\"];\n"
            "}\n");
}

}  // namespace graphviz_test
}  // namespace ddx::ir
