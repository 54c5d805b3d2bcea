#include "ddx/ir/passes/merge_equal_nodes.h"

#include "ddx/ir/text.h"

#include <gtest/gtest.h>
#include <string>

namespace ddx::ir {
namespace merge_equal_nodes_test {

TEST(MergeEqualNodes, EqualOnesBecomeOneAndWhatFollowsFromThemToo) {
  const Graph graph = parse_graph(R"(graph(%0: f32[2]; #0: key) {
    %1: f32[2] = neg(%0)
    %2: f32[2] = neg(%0)
    %3: f32[2] = exp(%1)
    %4: f32[2] = exp(%2)
    %5: f32[2] = random_uniform() {key = #0}
    %6: f32[2] = random_uniform() {key = #0}
    return %3, %4, %5, %6
  })");
  EXPECT_EQ(to_text(merge_equal_nodes(graph)),
            "graph(%0: f32[2]; #0: key) {\n"
            "  %1: f32[2] = neg(%0)\n"
            "  %2: f32[2] = exp(%1)\n"
            "  %3: f32[2] = random_uniform() {key = #0}\n"
            "  return %2, %2, %3, %3\n"
            "}\n");
}

TEST(MergeEqualNodes, OtherOperandsAttributesScalarsAndTypesKeepNodesApart) {
  const char* const text =
      "graph(%0: f32[4], %1: f32[4]; #0: number, #1: number) {\n"
      "  %2: f32[4] = sub(%0, %1)\n"
      "  %3: f32[4] = sub(%1, %0)\n"
      "  %4: f32[4] = add_scaled(%0, %1) {scale = #0}\n"
      "  %5: f32[4] = add_scaled(%0, %1) {scale = #1}\n"
      "  %6: f32[4] = add_scaled(%0, %1) {scale = 2}\n"
      "  %7: f32[2, 2] = reshape(%0)\n"
      "  %8: f32[1, 4] = reshape(%0)\n"
      "  %9: f64[4] = cast(%0)\n"
      "  %10: bf16[4] = cast(%0)\n"
      "  return %2, %3, %4, %5, %6, %7, %8, %9, %10\n"
      "}\n";
  EXPECT_EQ(to_text(merge_equal_nodes(parse_graph(text))), text);
}

TEST(MergeEqualNodes, WhatHasACheckStays) {
  const char* const text =
      "graph(%0: f32[3], %1: i32[2]; checks 2) {\n"
      "  %2: f32[2] = gather(%0, %1) !0\n"
      "  %3: f32[2] = gather(%0, %1) !1\n"
      "  return %2, %3\n"
      "}\n";
  EXPECT_EQ(to_text(merge_equal_nodes(parse_graph(text))), text);
}

/// Two scans of one operand; the text of the second one's body, and how both are run, may differ.
std::string two_scans(const std::string& body, const std::string& fields = "slices = 1, trips = 2,",
                      const std::string& numbers = "; #0") {
  const std::string first =
      " = scan(%0; #0) {slices = 1, trips = 2, body = "
      "graph(%0: f32[]; #0: number) { %1: f32[] = neg(%0) return %1 } }";
  return "graph(%0: f32[2]; #0: number, #1: number; checks 2) { %1: f32[2]" + first +
         " %2: f32[2] = scan(%0" + numbers + ") {" + fields + " body = " + body +
         "} return %1, %2 }";
}

TEST(MergeEqualNodes, EqualRegionsMakeEqualNodes) {
  const char* const same = "graph(%0: f32[]; #0: number) { %1: f32[] = neg(%0) return %1 }";
  const char* const as_much =
      "graph(%0: f32[]; #0: number) { %1: f32[] = neg(%0) %2: f32[] = neg(%0) return %2 }";
  const char* const other = "graph(%0: f32[]; #0: number) { %1: f32[] = exp(%0) return %1 }";
  const auto count = [](const std::string& text) {
    return merge_equal_nodes(parse_graph(text)).node_count();
  };
  EXPECT_EQ(count(two_scans(same)), 1U);
  EXPECT_EQ(count(two_scans(other)), 2U);
  EXPECT_EQ(count(two_scans(same, "slices = 1, trips = 2, reverse = true,")), 2U);
  EXPECT_EQ(count(two_scans(same, "slices = 1, trips = 2,", "; #1")), 2U);
  EXPECT_EQ(count(two_scans(as_much)), 1U);
}

TEST(MergeEqualNodes, NumbersOfRegionsAreOfTheirGraph) {
  // In the new graph the bodies 0 and 1 are one, and the third has the number that the second had.
  const Graph merged = merge_equal_nodes(parse_graph(R"(graph(%0: f32[2]) {
    %1: f32[2] = scan(%0) {slices = 1, trips = 2,
      body = graph(%0: f32[]) { %1: f32[] = neg(%0) return %1 }}
    %2: f32[2] = scan(%0) {slices = 1, trips = 2,
      body = graph(%0: f32[]) { %1: f32[] = neg(%0) %2: f32[] = neg(%0) return %2 }}
    %3: f32[2] = scan(%0) {slices = 1, trips = 2,
      body = graph(%0: f32[]) { %1: f32[] = exp(%0) return %1 }}
    return %1, %2, %3
  })"));
  EXPECT_EQ(to_text(merged),
            "graph(%0: f32[2]) {\n"
            "  %1: f32[2] = scan(%0) {\n"
            "    slices = 1,\n"
            "    trips = 2,\n"
            "    body = graph(%0: f32[]) {\n"
            "      %1: f32[] = neg(%0)\n"
            "      return %1\n"
            "    }\n"
            "  }\n"
            "  %2: f32[2] = scan(%0) {\n"
            "    slices = 1,\n"
            "    trips = 2,\n"
            "    body = graph(%0: f32[]) {\n"
            "      %1: f32[] = exp(%0)\n"
            "      return %1\n"
            "    }\n"
            "  }\n"
            "  return %1, %1, %2\n"
            "}\n");
}

TEST(MergeEqualNodes, WhatAsksInARegionStays) {
  const std::string node =
      " = scan(%0; !0) {slices = 1, trips = 2, body = "
      "graph(%0: f32[]; checks 1) { %1: f32[] = neg(%0) !0 return %1 } }";
  EXPECT_EQ(merge_equal_nodes(parse_graph("graph(%0: f32[2]; checks 1) { %1: f32[2]" + node +
                                          " %2: f32[2]" + node + " return %1, %2 }"))
                .node_count(),
            2U);
}

TEST(MergeEqualNodes, AllResultsOfANodeAreMerged) {
  const Graph graph = parse_graph(R"(graph(%0: f32[2, 2]) {
    %1: f32[2], %2: f32[2, 2] = eigh(%0)
    %3: f32[2], %4: f32[2, 2] = eigh(%0)
    return %2, %4, %3
  })");
  EXPECT_EQ(to_text(merge_equal_nodes(graph)),
            "graph(%0: f32[2, 2]) {\n"
            "  %1: f32[2], %2: f32[2, 2] = eigh(%0)\n"
            "  return %2, %2, %1\n"
            "}\n");
}

}  // namespace merge_equal_nodes_test
}  // namespace ddx::ir
