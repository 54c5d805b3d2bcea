#include "ddx/ir/passes/merge_equal_nodes.h"

#include "ddx/ir/text.h"

#include <gtest/gtest.h>

namespace ddx::ir {
namespace {

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

}  // namespace
}  // namespace ddx::ir
