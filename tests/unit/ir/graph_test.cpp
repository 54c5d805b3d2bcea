#include "ddx/ir/graph.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/operation.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <vector>

namespace ddx::ir {
namespace graph_test {

using ops::Op;

const Type matrix{{2, 3}, DType::f32};
const Type row{{3}, DType::f32};

TEST(Graph, NodesSeeWhatWasAppended) {
  Graph graph;
  const ValueId a = graph.add_parameter(matrix);
  const ValueId b = graph.add_parameter(row);
  const ValueId sum = graph.add_node(Op::add, {a, b}, ops::NoAttributes{}, matrix);
  const ScalarId rate = graph.add_scalar(ScalarKind::Number);
  const auto here = std::source_location::current();
  const ValueId step = graph.add_node(Op::add_scaled, {a, sum}, ops::ScaleAttributes{0.5}, matrix,
                                      {rate, baked, baked}, here);
  graph.set_results({step, sum});

  ASSERT_EQ(graph.node_count(), 2U);
  const Node node = graph.node(1);
  EXPECT_EQ(node.op, Op::add_scaled);
  EXPECT_EQ(std::vector(node.operands.begin(), node.operands.end()), (std::vector{a, sum}));
  EXPECT_EQ(std::get<ops::ScaleAttributes>(node.attributes).scale, 0.5);
  EXPECT_EQ(node.scalars[0], rate);
  EXPECT_EQ(node.result(), step);
  EXPECT_EQ(node.where.line(), here.line());
  EXPECT_EQ(graph.producer(step), std::optional<std::size_t>(1));
  EXPECT_EQ(graph.producer(b), std::nullopt);
  EXPECT_EQ(graph.type(sum), matrix);
  EXPECT_EQ(graph.type(b), row);
  EXPECT_EQ(graph.value_count(), 4U);
}

TEST(Graph, ResultsOfOneNodeAreNumberedOneAfterAnother) {
  Graph graph;
  const ValueId x = graph.add_parameter({{3, 3}, DType::f64});
  const Type types[] = {{{3}, DType::f64}, {{3, 3}, DType::f64}};
  const ValueId values = graph.add_node(Op::eigh, std::vector{x}, ops::NoAttributes{}, types);
  const Node node = graph.node(0);
  EXPECT_EQ(node.result_count, 2U);
  EXPECT_EQ(node.result(0), values);
  EXPECT_EQ(Graph::index(node.result(1)), Graph::index(values) + 1);
  EXPECT_EQ(graph.type(node.result(1)), types[1]);
}

TEST(Graph, EqualTypesAndAttributesOfManyNodesStayApartFromOthers) {
  // Enough for the tables of both to grow several times.
  Graph graph;
  ValueId x = graph.add_parameter({{1}, DType::f32});
  for (std::int64_t i = 1; i < 200; ++i) {
    x = graph.add_node(Op::add_scaled, {x, x}, ops::ScaleAttributes{static_cast<double>(i)},
                       {{i}, DType::f32});
  }
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    ASSERT_EQ(std::get<ops::ScaleAttributes>(node.attributes).scale, static_cast<double>(i + 1));
    ASSERT_EQ(graph.type(node.result()).shape[0], static_cast<std::int64_t>(i + 1));
  }
}

TEST(Graph, OperandsScalarsAndResultsOutsideAreRefused) {
  Graph graph;
  const ValueId x = graph.add_parameter(matrix);
  const auto later = static_cast<ValueId>(1);
  EXPECT_THROW(graph.add_node(Op::neg, {later}, ops::NoAttributes{}, matrix), InternalError);
  EXPECT_THROW(graph.add_node(Op::add_scaled, {x, x}, ops::ScaleAttributes{}, matrix,
                              {static_cast<ScalarId>(0), baked, baked}),
               InternalError);
  EXPECT_THROW(graph.set_results({later}), InternalError);
  EXPECT_EQ(graph.node_count(), 0U);
  EXPECT_EQ(graph.value_count(), 1U);
}

TEST(UseCounts, CountOperandsAndResults) {
  Graph graph;
  const ValueId x = graph.add_parameter(matrix);
  const ValueId y = graph.add_node(Op::mul, {x, x}, ops::NoAttributes{}, matrix);
  graph.set_results({y, x});
  EXPECT_EQ(use_counts(graph), (std::vector<std::uint32_t>{3, 1}));
}

/// A graph of which each call may change one thing.
struct Variant {
  Type type = matrix;
  Op second = Op::exp;
  double scale = 0.25;
  bool scalar = false;
  bool check = false;
  bool swapped = false;
  bool both_results = false;
  unsigned line = 0;

  [[nodiscard]] Graph graph() const {
    Graph graph;
    const ValueId a = graph.add_parameter(type);
    const ValueId b = graph.add_parameter(type);
    const ScalarId rate = graph.add_scalar(ScalarKind::Number);
    const CheckId first = graph.add_checks();
    const std::vector<ValueId> operands = swapped ? std::vector{b, a} : std::vector{a, b};
    const ScalarFields scalars{scalar ? rate : baked, baked, baked};
    const auto where = line == 0 ? std::source_location() : std::source_location::current();
    const ValueId sum =
        graph.add_node(Op::add_scaled, operands, ops::ScaleAttributes{scale}, std::span(&type, 1),
                       scalars, where, check ? first : unchecked);
    const ValueId last = graph.add_node(second, {sum}, ops::NoAttributes{}, type);
    graph.set_results(both_results ? std::vector{last, sum} : std::vector{last});
    return graph;
  }
};

TEST(Graph, EqualGraphsHaveEqualHashesAndOthersDiffer) {
  const Graph plain = Variant().graph();
  for (const Graph& equal : {Variant().graph(), Variant{.line = 1}.graph()}) {
    EXPECT_TRUE(plain == equal);
    EXPECT_EQ(plain.hash(), equal.hash());
  }
  for (const Graph& other :
       {Variant{.type = row}.graph(), Variant{.type = {{2, 3}, DType::f64}}.graph(),
        Variant{.second = Op::log}.graph(), Variant{.scale = 0.5}.graph(),
        Variant{.scalar = true}.graph(), Variant{.check = true}.graph(),
        Variant{.swapped = true}.graph(), Variant{.both_results = true}.graph(), Graph()}) {
    EXPECT_FALSE(plain == other);
    EXPECT_NE(plain.hash(), other.hash());
  }
}

/// A scan of which each call may change one thing.
struct ScanVariant {
  Op in_body = Op::add;
  ScanFields fields{.carries = 1, .slices = 1, .trips = 2, .reverse = false};
  std::uint32_t scalar = 0;
  std::uint32_t check = 0;
  unsigned line = 0;

  [[nodiscard]] Graph graph() const {
    const auto body = std::make_shared<Graph>();
    const ValueId carry = body->add_parameter(row);
    const ValueId slice = body->add_parameter(row);
    body->add_scalar(ScalarKind::Number);
    (void)body->add_checks();
    const ValueId next =
        body->add_node(in_body, {carry, slice}, ops::NoAttributes{}, row, all_baked,
                       line == 0 ? std::source_location() : std::source_location::current());
    body->set_results({next});
    Graph graph;
    graph.add_scalar(ScalarKind::Number);
    graph.add_scalar(ScalarKind::Number);
    (void)graph.add_checks(2);
    const ValueId first = graph.add_parameter(row);
    const ValueId slices = graph.add_parameter(matrix);
    graph.set_results({graph.add_control({.control = Control::Scan,
                                          .operands = {first, slices},
                                          .regions = {body},
                                          .scan = fields,
                                          .scalars = {static_cast<ScalarId>(scalar)},
                                          .checks = {static_cast<CheckId>(check)}},
                                         {&row, 1})});
    return graph;
  }
};

TEST(Graph, RegionsBelongToWhatIsComparedAndHashed) {
  const Graph plain = ScanVariant().graph();
  for (const Graph& equal : {ScanVariant().graph(), ScanVariant{.line = 1}.graph()}) {
    EXPECT_TRUE(plain == equal);
    EXPECT_EQ(plain.hash(), equal.hash());
  }
  for (const Graph& other :
       {ScanVariant{.in_body = Op::sub}.graph(),
        ScanVariant{.fields = {.carries = 0, .slices = 1, .trips = 2}}.graph(),
        ScanVariant{.fields = {.carries = 1, .slices = 0, .trips = 2}}.graph(),
        ScanVariant{.fields = {.carries = 1, .slices = 1, .trips = 3}}.graph(),
        ScanVariant{.fields = {.carries = 1, .slices = 1, .trips = 2, .reverse = true}}.graph(),
        ScanVariant{.scalar = 1}.graph(), ScanVariant{.check = 1}.graph()}) {
    EXPECT_FALSE(plain == other);
    EXPECT_NE(plain.hash(), other.hash());
  }
}

TEST(Graph, EqualRegionsAreKeptOnce) {
  const Type truth{{}, DType::boolean};
  const auto same = [] {
    const auto region = std::make_shared<Graph>();
    region->set_results({region->add_parameter(row)});
    return region;
  };
  Graph graph;
  const ValueId p = graph.add_parameter(truth);
  const ValueId x = graph.add_parameter(row);
  graph.add_control({.control = Control::Cond, .operands = {p, x}, .regions = {same(), same()}},
                    {&row, 1});
  EXPECT_EQ(graph.region_count(), 1U);
  EXPECT_EQ(graph.node(0).regions[0], graph.node(0).regions[1]);
  EXPECT_EQ(graph.node(0).attributes.index(), ops::Attributes().index());
}

TEST(Graph, AControlNodeNamesWhatIsInTheGraph) {
  Graph graph;
  const ValueId x = graph.add_parameter(row);
  const auto region = std::make_shared<const Graph>();
  const auto refused = [&](const ControlFlow& flow, const char* message) {
    try {
      graph.add_control(flow, {&row, 1});
      ADD_FAILURE() << "it was accepted";
    } catch (const InternalError& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  };
  refused({.control = Control::Scan, .operands = {x, static_cast<ValueId>(1)}, .regions = {region}},
          "graph: scan: operand 1 of 1 is not in the graph");
  refused({.control = Control::Scan, .operands = {x}, .regions = {region}, .scalars = {baked}},
          "scalar 4294967295 of 0 is not in the graph");
  refused({.control = Control::Scan,
           .operands = {x},
           .regions = {region},
           .checks = {static_cast<CheckId>(0)}},
          "check 0 of 0 is not in the graph");
  refused({.control = Control::WhileLoop, .operands = {x}, .regions = {region}},
          "graph: while_loop: it has 1 regions, not 2");
  EXPECT_EQ(graph.node_count(), 0U);
}

TEST(Graph, ACheckOfAnotherGraphIsRefused) {
  Graph graph;
  const ValueId a = graph.add_parameter(row);
  const CheckId check = graph.add_checks(2);
  EXPECT_EQ(graph.check_count(), 2U);
  EXPECT_NO_THROW(graph.add_node(Op::neg, std::vector{a}, ops::NoAttributes{}, std::span(&row, 1),
                                 all_baked, {}, check));
  EXPECT_THROW(graph.add_node(Op::neg, std::vector{a}, ops::NoAttributes{}, std::span(&row, 1),
                              all_baked, {}, static_cast<CheckId>(2)),
               InternalError);
}

}  // namespace graph_test
}  // namespace ddx::ir
