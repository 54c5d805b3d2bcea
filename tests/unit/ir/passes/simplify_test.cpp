#include "ddx/ir/passes/simplify.h"

#include "ddx/ir/graph.h"
#include "ddx/ir/passes/remove_dead_code.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>

namespace ddx::ir {
namespace simplify_test {

/// What stands between the parameters below and the end.
struct Rewritten {
  const char* row;
  const char* before;
  const char* after;
};

const char* const begin =
    "graph(%0: f32[2, 3], %1: f32[3], %2: i32[2, 3], %3: bool[2, 3], %4: f32[3, 2], "
    "%5: f32[1, 3]; #0: number) {\n";

const Rewritten cases[] = {
    {"unmoved", "%6: f32[2, 3] = reshape(%0) return %6", "  return %0\n"},
    {"unmoved", "%6: f32[2, 3] = slice(%0) {step = [1, 1]} return %6", "  return %0\n"},
    {"unmoved", "%6: f32[2, 3] = transpose(%0) {order = [0, 1]} return %6", "  return %0\n"},
    {"unmoved", "%6: f32[1, 3] = reverse(%5) {axes = 1} return %6", "  return %5\n"},
    {"unmoved", "%6: f32[2, 3] = concatenate(%0) return %6", "  return %0\n"},
    {"unmoved", "%6: f32[2, 3] = pad(%0) {step = [1, 1]} return %6", "  return %0\n"},
    {"transposed_ones", "%6: f32[3, 1] = transpose(%5) {order = [1, 0]} return %6",
     "  %6: f32[3, 1] = reshape(%5)\n  return %6\n"},
    {"repeated", "%6: f32[6] = reshape(%0) %7: f32[3, 2] = reshape(%6) return %7",
     "  %6: f32[3, 2] = reshape(%0)\n  return %6\n"},
    {"repeated", "%6: f32[6] = reshape(%0) %7: f32[2, 3] = reshape(%6) return %7", "  return %0\n"},
    {"transposed_twice",
     "%6: f32[3, 2] = transpose(%0) {order = [1]} %7: f32[2, 3] = transpose(%6) {order = [1]} "
     "return %7",
     "  return %0\n"},
    {"reversed_twice",
     "%6: f32[2, 3] = reverse(%0) {axes = 3} %7: f32[2, 3] = reverse(%6) {axes = 1} return %7",
     "  %6: f32[2, 3] = reverse(%0) {axes = 2}\n  return %6\n"},
    {"sliced_twice",
     "%6: f32[3] = slice(%1) {step = [1]} %7: f32[2] = slice(%6) {start = [1], step = [1]} "
     "%8: f32[1] = slice(%7) {start = [1], step = [2]} return %8",
     "  %6: f32[1] = slice(%1) {start = [2], step = [2]}\n  return %6\n"},
    {"sliced_twice",
     "%6: f32[9] = iota() %7: f32[5] = slice(%6) {step = [2]} "
     "%8: f32[2] = slice(%7) {start = [1], step = [3]} return %8",
     "  %6: f32[9] = iota()\n  %7: f32[2] = slice(%6) {start = [2], step = [6]}\n  return %7\n"},
    {"moved_number", "%6: f32[] = full() {value = #0} %7: f32[4] = broadcast_to(%6) return %7",
     "  %6: f32[4] = full() {value = #0}\n  return %6\n"},
    {"cast_twice", "%6: f64[2, 3] = cast(%0) %7: f32[2, 3] = cast(%6) return %7", "  return %0\n"},
    {"cast_twice", "%6: bf16[2, 3] = cast(%0) %7: f32[2, 3] = cast(%6) return %7",
     "  %6: bf16[2, 3] = cast(%0)\n  %7: f32[2, 3] = cast(%6)\n  return %7\n"},
    {"cast_twice", "%6: f32[2, 3] = cast(%2) %7: f64[2, 3] = cast(%6) return %7",  // 24 bits.
     "  %6: f32[2, 3] = cast(%2)\n  %7: f64[2, 3] = cast(%6)\n  return %7\n"},
    {"cast_twice", "%6: f64[2, 3] = cast(%2) %7: f32[2, 3] = cast(%6) return %7",  // 53 bits.
     "  %6: f32[2, 3] = cast(%2)\n  return %6\n"},
    {"neutral_operand", "%6: f32[] = full() {value = 1} %7: f32[2, 3] = mul(%6, %0) return %7",
     "  return %0\n"},
    {"neutral_operand", "%6: i32[] = full() {value = 1i} %7: i32[2, 3] = div(%2, %6) return %7",
     "  return %2\n"},
    {"neutral_operand", "%6: f32[] = full() %7: f32[2, 3] = sub(%6, %0) return %7",
     "  %6: f32[] = full()\n  %7: f32[2, 3] = sub(%6, %0)\n  return %7\n"},
    {"neutral_operand",
     "%6: f32[2, 3] = full() %7: f32[2, 3] = add(%6, %1) return %7",  // x + 0, but stretched.
     "  %6: f32[2, 3] = full()\n  %7: f32[2, 3] = add(%6, %1)\n  return %7\n"},
    {"divided_by_power_of_two",
     "%6: f32[] = full() {value = -8} %7: f32[2, 3] = div(%0, %6) return %7",
     "  %6: f32[] = full() {value = -0.125}\n  %7: f32[2, 3] = mul(%0, %6)\n  return %7\n"},
    {"divided_by_power_of_two",
     "%6: f32[] = full() {value = 3} %7: f32[2, 3] = div(%0, %6) return %7",
     "  %6: f32[] = full() {value = 3}\n  %7: f32[2, 3] = div(%0, %6)\n  return %7\n"},
    {"second_power", "%6: f32[] = full() {value = 2} %7: f32[2, 3] = pow(%0, %6) return %7",
     "  %6: f32[2, 3] = square(%0)\n  return %6\n"},
    {"neutral_operand",
     "%6: f32[] = full() {value = 1} %7: f32[2, 3] = cotangent_product(%6, %0) return %7",
     "  return %0\n"},
    {"product_of_itself", "%6: f32[2, 3] = cotangent_product(%0, %0) return %6",
     "  %6: f32[2, 3] = mul(%0, %0)\n  return %6\n"},
    {"product_of_itself", "%6: f32[2, 3] = cotangent_product(%0, %1) return %6",
     "  %6: f32[2, 3] = cotangent_product(%0, %1)\n  return %6\n"},
    {"negated_twice", "%6: f32[3] = neg(%1) %7: f32[3] = neg(%6) return %7", "  return %1\n"},
    {"idempotent", "%6: f32[3] = relu(%1) %7: f32[3] = relu(%6) return %7",
     "  %6: f32[3] = relu(%1)\n  return %6\n"},
    {"added_negative", "%6: f32[3] = neg(%1) %7: f32[2, 3] = add(%0, %6) return %7",
     "  %6: f32[2, 3] = sub(%0, %1)\n  return %6\n"},
    {"scaled_by_one", "%6: f32[2, 3] = add_scaled(%0, %1) {scale = 1} return %6",
     "  %6: f32[2, 3] = add(%0, %1)\n  return %6\n"},
    {"scaled_by_one", "%6: f32[2, 3] = add_scaled(%0, %1) {scale = #0} return %6",
     "  %6: f32[2, 3] = add_scaled(%0, %1) {scale = #0}\n  return %6\n"},
    {"stretched_operand", "%6: f32[2, 3] = broadcast_to(%1) %7: f32[2, 3] = mul(%6, %0) return %7",
     "  %6: f32[2, 3] = mul(%1, %0)\n  return %6\n"},
    {"stretched_operand",
     "%6: f32[2, 3] = full() {value = 3} %7: bool[2, 3] = less(%0, %6) return %7",
     "  %6: f32[] = full() {value = 3}\n  %7: bool[2, 3] = less(%0, %6)\n  return %7\n"},
    {"stretched_operand", "%6: f32[2, 3] = broadcast_to(%1) %7: f32[2, 3] = mul(%6, %1) return %7",
     "  %6: f32[2, 3] = broadcast_to(%1)\n  %7: f32[2, 3] = mul(%6, %1)\n  return %7\n"},
    {"known_choice",
     "%6: bool[2, 3] = full() {value = 1i} %7: f32[2, 3] = select(%6, %1, %0) return %7",
     "  %6: f32[2, 3] = broadcast_to(%1)\n  return %6\n"},
    {"known_choice", "%6: bool[] = full() %7: f32[2, 3] = select(%6, %1, %0) return %7",
     "  return %0\n"},
    {"known_choice", "%6: f32[2, 3] = select(%3, %0, %0) return %6", "  return %0\n"},
    {"transposed_factor",
     "%6: f32[3, 2] = transpose(%0) {order = [1]} %7: f32[3, 3] = matmul(%6, %0) return %7",
     "  %6: f32[3, 3] = matmul(%0, %0) {transpose_left = true}\n  return %6\n"},
    {"transposed_factor",
     "%6: f32[2, 3] = transpose(%4) {order = [1]} "
     "%7: f32[2, 2] = matmul(%0, %6) {transpose_right = true} return %7",
     "  %6: f32[2, 2] = matmul(%0, %4)\n  return %6\n"},
    {"reduced_ones", "%6: f32[3] = mean(%5) {axes = 1} return %6",
     "  %6: f32[3] = reshape(%5)\n  return %6\n"},
    {"reduced_ones", "%6: f32[2, 3] = sum(%0) return %6", "  return %0\n"},
    {"reduced_twice", "%6: f32[3] = max(%0) {axes = 1} %7: f32[] = max(%6) {axes = 1} return %7",
     "  %6: f32[] = max(%0) {axes = 3}\n  return %6\n"},
    {"reduced_twice", "%6: f32[3] = sum(%0) {axes = 1} %7: f32[] = sum(%6) {axes = 1} return %7",
     "  %6: f32[3] = sum(%0) {axes = 1}\n  %7: f32[] = sum(%6) {axes = 1}\n  return %7\n"},
    {"computed_now",
     "%6: f32[] = full() {value = 2} %7: f32[2] = full() {value = 3} %8: f32[2] = mul(%6, %7) "
     "%9: bool[2] = less(%8, %6) return %8, %9",
     "  %6: f32[2] = full() {value = 6}\n  %7: bool[2] = full()\n  return %6, %7\n"},
    {"computed_now",
     "%6: f32[] = full() {value = 0.1} %7: f64[] = cast(%6) return %7",  // As f32 holds it.
     "  %6: f64[] = full() {value = 0.10000000149011612}\n  return %6\n"},
    {"computed_now", "%6: f32[] = full() {value = #0} %7: f32[] = exp(%6) return %7",
     "  %6: f32[] = full() {value = #0}\n  %7: f32[] = exp(%6)\n  return %7\n"},
};

TEST(Simplify, RewritesWhatEachRowSays) {
  for (const Rewritten& one : cases) {
    SCOPED_TRACE(std::string(one.row) + ": " + one.before);
    const Graph before = parse_graph(begin + std::string(one.before) + " }");
    ASSERT_NO_THROW(verify(before));
    EXPECT_EQ(to_text(remove_dead_code(simplify(before))), begin + std::string(one.after) + "}\n");
  }
}

TEST(Simplify, EveryRowIsTriedAbove) {
  std::set<std::string_view> tried;
  for (const Rewritten& one : cases) {
    tried.insert(one.row);
  }
  for (const std::string_view name : simplification_names()) {
    EXPECT_TRUE(tried.contains(name)) << name;
  }
}

TEST(Simplify, WhatHasACheckStays) {
  const char* const text =
      "graph(%0: i32[4]; checks 1) {\n"
      "  %1: i32[] = full() {value = 1i}\n"
      "  %2: i32[4] = div(%0, %1) !0\n"
      "  return %2\n"
      "}\n";
  EXPECT_EQ(to_text(simplify(parse_graph(text))), text);
}

TEST(Simplify, WhatHasACheckIsNotPassedBy) {
  const char* const text =
      "graph(%0: f32[4], %1: f32[4]; checks 1) {\n"
      "  %2: f32[4] = neg(%0) !0\n"
      "  %3: f32[4] = add(%1, %2)\n"
      "  return %3\n"
      "}\n";
  EXPECT_EQ(to_text(simplify(parse_graph(text))), text);
}

TEST(Simplify, RegionsAreSimplifiedAndTheirNodesStay) {
  EXPECT_EQ(to_text(simplify(parse_graph(R"(graph(%0: f32[2]) {
    %1: f32[] = full()
    %2: f32[], %3: f32[2] = scan(%1, %0) {carries = 1, slices = 1, trips = 2,
      body = graph(%0: f32[], %1: f32[]) {
        %2: f32[] = neg(%1)
        %3: f32[] = neg(%2)
        %4: f32[] = add(%0, %3)
        return %4, %3
      }
    }
    return %2, %3
  })"))),
            "graph(%0: f32[2]) {\n"
            "  %1: f32[] = full()\n"
            "  %2: f32[], %3: f32[2] = scan(%1, %0) {\n"
            "    carries = 1,\n"
            "    slices = 1,\n"
            "    trips = 2,\n"
            "    body = graph(%0: f32[], %1: f32[]) {\n"
            "      %2: f32[] = neg(%1)\n"
            "      %3: f32[] = add(%0, %1)\n"
            "      return %3, %1\n"
            "    }\n"
            "  }\n"
            "  return %2, %3\n"
            "}\n");
}

}  // namespace simplify_test
}  // namespace ddx::ir
