#include "ddx/ir/text.h"

#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <variant>

namespace ddx::ir {
namespace text_test {

const char* const sample =
    R"(graph(%0: f32[128, 10], %1: f32[10]; #0: number, #1: key) {
  %2: f32[128, 10] = add(%0, %1)
  %3: f32[] = full() {value = #0}
  %4: f32[128, 10] = mul(%2, %3)
  %5: f32[128] = sum(%4) {axes = 2}
  %6: f32[128, 10] = random_normal() {key = #1, deviation = 0.1}
  %7: f32[10, 128] = transpose(%6) {order = [1]}
  %8: i64[4] = full() {value = -3i}
  %9: c64[] = full() {value = (0.5, 7, -2)}
  %10: f32[10], %11: f32[10], %12: f32[10] = batch_norm_training(%1, %1, %1)
  return %5, %4, %5
}
)";

TEST(GraphText, IsReadAndPrintedTheSame) {
  EXPECT_EQ(to_text(parse_graph(sample)), sample);
}

TEST(GraphText, ChecksAreCountedAndNamed) {
  const char* const text =
      "graph(%0: f32[3], %1: i32[2]; #0: number; checks 2) {\n"
      "  %2: f32[2] = gather(%0, %1) !1\n"
      "  %3: f32[2] = gather_gradient(%2, %1) {axis = 1} !0\n"
      "  return %3\n"
      "}\n";
  const Graph graph = parse_graph(text);
  EXPECT_EQ(graph.check_count(), 2U);
  EXPECT_EQ(Graph::index(graph.node(0).check), 1U);
  EXPECT_EQ(to_text(graph), text);
  EXPECT_EQ(to_text(parse_graph("graph(; checks 3) { return }")),
            "graph(; checks 3) {\n  return \n}\n");
  EXPECT_THROW((void)parse_graph("graph(%0: f32[1]; checks 1) { %1: f32[1] = neg(%0) !1 return }"),
               UsageError);
}

const char* const nested =
    R"(graph(%0: f32[3, 2], %1: f32[2], %2: bool[]; #0: number; checks 2) {
  %3: f32[2], %4: f32[3] = scan(%1, %0, %2; #0; !1) {
    carries = 1,
    slices = 1,
    trips = 3,
    reverse = true,
    body = graph(%0: f32[2], %1: f32[2], %2: bool[]; #0: number; checks 1) {
      %3: f32[2] = cond(%2, %0, %1; #0; !0) {
        then = graph(%0: f32[2], %1: f32[2]; #0: number; checks 1) {
          %2: f32[2] = add_scaled(%0, %1) {scale = #0} !0
          return %2
        },
        else = graph(%0: f32[2], %1: f32[2]; #0: number; checks 1) {
          return %1
        }
      }
      %4: f32[] = sum(%3) {axes = 1}
      return %3, %4
    }
  }
  %5: f32[2] = while_loop(%3) {
    condition = graph(%0: f32[2]) {
      %1: bool[] = full()
      return %1
    },
    body = graph(%0: f32[2]) {
      return %0
    }
  }
  return %5, %4
}
)";

TEST(GraphText, RegionsAreReadAndPrintedTheSame) {
  const Graph graph = parse_graph(nested);
  EXPECT_EQ(to_text(graph), nested);
  ASSERT_EQ(graph.node_count(), 2U);
  EXPECT_EQ(graph.node(0).op, Control::Scan);
  EXPECT_EQ(graph.node(0).scan,
            (ScanFields{.carries = 1, .slices = 1, .trips = 3, .reverse = true}));
  EXPECT_EQ(graph.region(graph.node(0).regions[0]).node(0).op, Control::Cond);
  std::string dense;
  for (const char c : std::string(nested)) {
    dense += c == '\n' ? " " : std::string(1, c);
  }
  EXPECT_TRUE(parse_graph(dense) == graph);
}

TEST(GraphText, ANodesLineLeavesItsRegionsOut) {
  EXPECT_EQ(to_text(parse_graph(nested), 0), "%3: f32[2], %4: f32[3] = scan(%1, %0, %2; #0; !1)");
}

TEST(GraphText, SpacesMeanNothing) {
  std::string dense;
  for (const char c : std::string(sample)) {
    dense += c == '\n' ? "\n \t" : std::string(1, c);
  }
  EXPECT_EQ(to_text(parse_graph(dense)), sample);
}

TEST(GraphText, OfNothingIsReadToo) {
  const std::string empty = "graph() {\n  return \n}\n";
  EXPECT_EQ(to_text(parse_graph(empty)), empty);
}

TEST(GraphText, ParametersThatCameLateArePrintedFirst) {
  Graph graph;
  const Type type{{2}, DType::f32};
  const ValueId a = graph.add_parameter(type);
  const ValueId b = graph.add_node(ops::Op::neg, {a}, ops::NoAttributes{}, type);
  const ValueId c = graph.add_parameter(type);
  graph.set_results({graph.add_node(ops::Op::sub, {b, c}, ops::NoAttributes{}, type)});
  EXPECT_EQ(to_text(graph),
            "graph(%0: f32[2], %1: f32[2]) {\n"
            "  %2: f32[2] = neg(%0)\n"
            "  %3: f32[2] = sub(%2, %1)\n"
            "  return %3\n"
            "}\n");
}

TEST(GraphText, NumbersComeBackToTheBit) {
  for (const double value : {0.1, -0.0, 1e300, 5e-324, HUGE_VAL, 1.0 / 3}) {
    Graph graph;
    (void)graph.add_node(ops::Op::full, {}, ops::FullAttributes{{.real = value, .integer = 0}},
                         {{}, DType::f64});
    const Graph again = parse_graph(to_text(graph));
    EXPECT_TRUE(ops::identical(again.node(0).attributes, graph.node(0).attributes)) << value;
  }
}

struct Mistake {
  const char* text;
  const char* message;
};

TEST(GraphText, MistakesAreNamedWithTheirPlace) {
  const Mistake mistakes[] = {
      {"grap() {}", "parse_graph: line 1, column 1: expected 'graph', found 'grap() {}'"},
      {"graph(%1: f32[2]) {", "expected the definition of %0 before this"},
      {"graph(%0: f31[2]) {", "line 1, column 11: expected a dtype, found 'f31[2]) {'"},
      {"graph(%0: f32[2)", "expected ']', found ')'"},
      {"graph(#0: number)", "expected ')'"},
      {"graph(; #1: key)", "expected scalar #0"},
      {"graph() {\n  %0: f32[] = fool()", "line 2, column 15: expected an operation"},
      {"graph() {\n  %0: f32[] = neg(%0)", "expected a value that is there before, one of 0"},
      {"graph() {\n  %0: f32[] = full() {valu = 1}", "expected an attribute of this operation"},
      {"graph() {\n  %0: f32[] = full() {value = #0}", "expected a scalar of this graph"},
      {"graph() {\n  %0: f32[] = full() {value = x}", "expected a number in range, found 'x}'"},
      {"graph(%0: f32[1]) {\n %1: f32[1] = transpose(%0) {order = [0,0,0,0,0,0,0,0,0]}",
       "expected at most 8 elements"},
      {"graph(%0: f32[]) { %1: f32[] = scan(%0) {carry = 1",
       "column 42: expected 'body', found 'carry = 1'"},
      {"graph(%0: f32[]) { %1: f32[] = while_loop(%0) {condition = graph(%0: f32[]) { return %0 }}",
       "expected ',', found '}'"},
      {"graph(%0: f32[]) { %1: f32[] = while_loop(%0; #0) {", "expected a scalar of this graph"},
      {"graph(%0: f32[]) { %1: f32[] = while_loop(%0; !0) {", "expected a check of this graph"},
      {"graph(%0: f32[]) { %1: f32[] = while_loop(%0) {condition = graph() { return %0 }",
       "expected a value that is there before, one of 0"},
      {"graph() { return %7 }", "expected a value that is there before"},
      {"graph() { return }}", "expected the end of the text, found '}'"},
      {"graph() {", "expected '%', the text ends"},
  };
  for (const Mistake& mistake : mistakes) {
    SCOPED_TRACE(mistake.text);
    try {
      (void)parse_graph(mistake.text);
      ADD_FAILURE() << "it was read";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(mistake.message), std::string::npos) << error.what();
    }
  }
}

}  // namespace text_test
}  // namespace ddx::ir
