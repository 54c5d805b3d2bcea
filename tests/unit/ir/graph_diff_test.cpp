#include "ddx/ir/graph_diff.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

namespace ddx::ir {
namespace graph_diff_test {

/// A step of a small model for a batch of this size, with some operations in its middle.
std::string step(const std::string& batch = "16", const std::vector<std::string>& between = {}) {
  const std::string rows = ": f32[" + batch + ", 3] = ";
  std::string text = "graph(%0: f32[" + batch + ", 4], %1: f32[4, 3], %2: f32[3]) {" + " %3" +
                     rows + "matmul(%0, %1)";
  int last = 3;
  const auto add = [&](const std::string& type, const std::string& call) {
    text += " %" + std::to_string(last + 1) + type + call;
    ++last;
  };
  for (const std::string& op : between) {
    add(rows, op + "(%" + std::to_string(last) + ")");
  }
  add(rows, "exp(%" + std::to_string(last) + ")");
  add(rows, "mul(%" + std::to_string(last) + ", %2)");
  add(": f32[" + batch + "] = ", "sum(%" + std::to_string(last) + ") {axes = 2}");
  return text + " return %" + std::to_string(last) + " }";
}

std::string text_of(const std::optional<Difference>& found) {
  return !found ? "none"
                : std::string(to_string(found->kind)) + ": " + found->what + ": " + found->before +
                      " -> " + found->after;
}

struct DifferenceCase {
  const char* why;
  std::string before;
  std::string after;
  const char* expected;
};

/// Whether a body differs counts for the distance of a graph, and a change of extents is one change
/// only.
TEST(Difference, RegionsMakeADistance) {
  const auto graph = [](const std::string& op, const std::string& extent) {
    const std::string x = "f32[" + extent + "]";
    return parse_graph("graph(%0: " + x + ") { %1: " + x + " = scan(%0) {carries = 1, trips = 2," +
                       " body = graph(%0: " + x + ") { %1: " + x + " = " + op +
                       "(%0) return %1 } } return %1 }");
  };
  EXPECT_EQ(distance(graph("exp", "3"), graph("exp", "3")).changed, 0U);
  EXPECT_EQ(distance(graph("exp", "3"), graph("neg", "3")).changed, 1U);
  EXPECT_EQ(extent_change(graph("exp", "3"), graph("neg", "3")), std::nullopt);
}

TEST(Difference, TheFirstOneIsNamed) {
  const std::string plain = "graph(%0: f32[4, 3]) { %1: f32[4, 3] = exp(%0) ";
  const DifferenceCase cases[] = {
      {"equal graphs have none", step(), step(), "none"},
      {"an array of another shape is seen where it is read first", step("16"), step("32"),
       "another shape: operand 0 of matmul: f32[16, 4] -> f32[32, 4]"},
      {"operations between others are extra", step(), step("16", {"neg", "abs"}),
       "extra operations: operations:  -> neg, abs"},
      {"and the other way round missing", step("16", {"neg"}), step(),
       "missing operations: operations: neg -> "},
      {"an operation in place of another", step("16", {"neg"}), step("16", {"abs"}),
       "another operation: operations: neg -> abs"},
      {"of what follows from it nothing is said",
       "graph(%0: f32[4, 3]) { %1: f32[3] = sum(%0) {axes = 1} return %1 }",
       "graph(%0: f64[4, 3]) { %1: f64[4] = sum(%0) {axes = 2} return %1 }",
       "another dtype: operand 0 of sum: f32[4, 3] -> f64[4, 3]"},
      {"an axis", plain + "%2: f32[4, 3] = softmax(%1) return %2 }",
       plain + "%2: f32[4, 3] = softmax(%1) {axis = 1} return %2 }",
       "another attribute: axis of softmax: 0 -> 1"},
      {"a baked number", plain + "%2: f32[] = full() {value = 2} return %2 }",
       plain + "%2: f32[] = full() {value = 0.5} return %2 }",
       "another attribute: value of full: 2 -> 0.5"},
      {"a number that has become a parameter",
       "graph(; ) { %0: f32[] = full() {value = 2} return %0 }",
       "graph(; #0: number) { %0: f32[] = full() {value = #0} return %0 }",
       "another attribute: value of full: 2 -> given at the run"},
      {"a trip more",
       "graph(%0: f32[]) { %1: f32[] = scan(%0) {carries = 1, trips = 2,"
       " body = graph(%0: f32[]) { return %0 } } return %1 }",
       "graph(%0: f32[]) { %1: f32[] = scan(%0) {carries = 1, trips = 3,"
       " body = graph(%0: f32[]) { return %0 } } return %1 }",
       "another attribute: trips of scan: 2 -> 3"},
      {"something in a body",
       "graph(%0: f32[]) { %1: f32[] = scan(%0) {carries = 1, trips = 2,"
       " body = graph(%0: f32[]) { %1: f32[] = exp(%0) return %1 } } return %1 }",
       "graph(%0: f32[]) { %1: f32[] = scan(%0) {carries = 1, trips = 2,"
       " body = graph(%0: f32[]) { %1: f32[] = neg(%0) return %1 } } return %1 }",
       "another operation: operations in the body of scan: exp -> neg"},
      {"another scalar for a body",
       "graph(%0: f32[]; #0: number, #1: number) { %1: f32[] = scan(%0; #0) {carries = 1,"
       " body = graph(%0: f32[]; #0: number) { return %0 } } return %1 }",
       "graph(%0: f32[]; #0: number, #1: number) { %1: f32[] = scan(%0; #1) {carries = 1,"
       " body = graph(%0: f32[]; #0: number) { return %0 } } return %1 }",
       "another operand: scalars of the regions of scan: #0 -> #1"},
      {"another operand", plain + "%2: f32[4, 3] = mul(%1, %0) return %2 }",
       plain + "%2: f32[4, 3] = mul(%1, %1) return %2 }",
       "another operand: operands of mul: exp (%1), array (%0) -> exp (%1), exp (%1)"},
      {"what is kept", plain + "%2: f32[4, 3] = neg(%1) return %2 }",
       plain + "%2: f32[4, 3] = neg(%1) return %2, %1 }",
       "other results: results: 1 values -> 2 values"},
  };
  for (const DifferenceCase& each : cases) {
    SCOPED_TRACE(each.why);
    if (each.before.starts_with("graph(; )")) {
      Graph before;
      before.set_results({before.add_node(ops::Op::full, {}, ops::FullAttributes{{.real = 2}},
                                          {Shape{}, DType::f32})});
      EXPECT_EQ(text_of(first_difference(before, parse_graph(each.after))), each.expected);
      continue;
    }
    EXPECT_EQ(text_of(first_difference(parse_graph(each.before), parse_graph(each.after))),
              each.expected);
  }
}

TEST(Difference, ABatchIsAnExtentAndItsMultiples) {
  const auto change = extent_change(parse_graph(step("16")), parse_graph(step("24")));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->before, 16);
  EXPECT_EQ(change->after, 24);
  EXPECT_TRUE(change->is_leading);
  // Sequences of 5 places as rows: 3 * 5 and 4 * 5 of them.
  const auto rows = [](const char* batch, const char* places) {
    return parse_graph(std::string("graph(%0: f32[") + batch + ", 5, 2]) { %1: f32[" + places +
                       ", 2] = reshape(%0) return %1 }");
  };
  EXPECT_TRUE(extent_change(rows("3", "15"), rows("4", "20")).has_value());
  EXPECT_FALSE(extent_change(rows("3", "15"), rows("4", "16")).has_value());
  EXPECT_FALSE(extent_change(rows("3", "15"), rows("3", "15")).has_value());
}

TEST(Difference, WithAnythingElseItIsNoBatch) {
  const Graph before = parse_graph(step("16"));
  EXPECT_FALSE(extent_change(before, parse_graph(step("24", {"neg"}))));
  // The features change, and the batch does not.
  const auto features = [](const char* n) {
    return parse_graph(std::string("graph(%0: f32[16, ") + n + "]) { %1: f32[16, " + n +
                       "] = exp(%0) return %1 }");
  };
  const auto change = extent_change(features("4"), features("8"));
  ASSERT_TRUE(change.has_value());
  EXPECT_FALSE(change->is_leading);
  const auto reduced = [](const char* n, const char* axes, const char* shape) {
    return parse_graph(std::string("graph(%0: f32[") + n + ", " + n + "]) { %1: f32[" + shape +
                       "] = sum(%0) {axes = " + axes + "} return %1 }");
  };
  EXPECT_FALSE(extent_change(reduced("4", "1", "4"), reduced("8", "2", "8")).has_value());
}

TEST(Difference, DistanceIsInOperationsFirst) {
  const Graph graph = parse_graph(step());
  const Graph batch = parse_graph(step("32"));
  const Graph longer = parse_graph(step("16", {"neg"}));
  const Graph other = parse_graph("graph(%0: f32[4]) { %1: f32[4] = neg(%0) return %1 }");
  EXPECT_EQ(distance(graph, graph), Distance{});
  EXPECT_EQ(distance(graph, longer), (Distance{.unmatched = 1, .changed = 0}));
  EXPECT_EQ(distance(graph, batch), (Distance{.unmatched = 0, .changed = 4}));
  EXPECT_EQ(distance(graph, other), (Distance{.unmatched = 5, .changed = 0}));
  EXPECT_LT(distance(graph, batch), distance(graph, longer));
}

TEST(Difference, AnUnknownLineIsNearThatOfANeighbour) {
  Graph graph;
  const Type type{Shape{2}, DType::f32};
  const auto here = std::source_location::current();
  const auto add = [&](ValueId operand, const std::source_location& where) {
    return graph.add_node(ops::Op::neg, {operand}, ops::NoAttributes{}, type, all_baked, where);
  };
  const ValueId number =
      graph.add_node(ops::Op::full, {}, ops::FullAttributes{}, {Shape{}, DType::f32});
  graph.add_node(ops::Op::full, {}, ops::FullAttributes{}, type, all_baked,
                 std::source_location::current());
  const ValueId exact = add(number, here);
  add(exact, {});
  const std::string place = std::string(here.file_name()) + ":" + std::to_string(here.line());
  EXPECT_EQ(line_of(graph, 0).text(), "near " + place) << "of its reader, not of the next node";
  EXPECT_EQ(line_of(graph, 2).text(), "at " + place);
  EXPECT_EQ(line_of(graph, 3).text(), "near " + place) << "of what it reads";
  // The second result of an operation is read, the first is not.
  Graph two;
  const ValueId matrix = two.add_parameter({Shape{2, 2}, DType::f32});
  const Type types[] = {type, {Shape{2, 2}, DType::f32}};
  const ValueId first = two.add_node(ops::Op::eigh, {&matrix, 1}, ops::NoAttributes{}, types);
  const auto second = static_cast<ValueId>(Graph::index(first) + 1);
  two.add_node(ops::Op::neg, {second}, ops::NoAttributes{}, types[1], all_baked, here);
  EXPECT_EQ(line_of(two, 0).text(), "near " + place);
  EXPECT_EQ(Line().text(), "at an unknown line");
}

}  // namespace graph_diff_test
}  // namespace ddx::ir
