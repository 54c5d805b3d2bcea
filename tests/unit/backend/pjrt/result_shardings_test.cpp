#include "backend/pjrt/result_shardings.h"

#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

namespace ddx::backend::pjrt {
namespace result_shardings_test {

using ir::Graph;
using ir::ValueId;
using Shardings = std::vector<stablehlo::Sharding>;

const ir::Type matrix{{4, 4}, DType::f32};
const stablehlo::Sharding none{{}, {}};
const stablehlo::Sharding rows{{"x"}, {}};
const stablehlo::Sharding columns{{}, {"x"}};

ValueId add(Graph& graph, ValueId a, ValueId b) {
  return graph.add_node(ops::Op::add, {a, b}, ops::NoAttributes{}, matrix);
}
/// No elementwise operation.
ValueId product(Graph& graph, ValueId a, ValueId b, const ir::Type& type = matrix) {
  return graph.add_node(ops::Op::matmul, {a, b}, ops::MatmulAttributes{}, type);
}

// w, x -> w + x x, as an update.
TEST(ResultShardings, OfAnUpdateAreThoseOfWhatItUpdates) {
  Graph graph;
  const ValueId w = graph.add_parameter(matrix);
  const ValueId x = graph.add_parameter(matrix);
  graph.set_results({add(graph, w, product(graph, x, x))});
  const ResultShardings shardings(graph);
  EXPECT_EQ(shardings.of(Shardings{columns, rows}), Shardings{columns});
  EXPECT_EQ(shardings.of(Shardings{none, rows}), Shardings{none});
}

// What is kept beside an update (m = x x, w = w + m) goes where the update goes.
TEST(ResultShardings, OfWhatAnUpdateIsMadeOfAreThoseOfTheUpdate) {
  Graph graph;
  const ValueId w = graph.add_parameter(matrix);
  const ValueId x = graph.add_parameter(matrix);
  const ValueId m = product(graph, x, x);
  graph.set_results({m, add(graph, w, m)});
  EXPECT_EQ(ResultShardings(graph).of(Shardings{columns, none}), (Shardings{columns, columns}));
}

TEST(ResultShardings, OfParametersThatDifferTheFirstDividedOneCounts) {
  Graph graph;
  const ValueId a = graph.add_parameter(matrix);
  const ValueId b = graph.add_parameter(matrix);
  graph.set_results({add(graph, a, b)});
  const ResultShardings shardings(graph);
  EXPECT_EQ(shardings.of(Shardings{none, rows}), Shardings{rows});
  EXPECT_EQ(shardings.of(Shardings{columns, rows}), Shardings{columns});
}

// What comes from no parameter elementwise lies as the parameters of its type, if they agree.
TEST(ResultShardings, OfOthersAreThoseOfTheirTypeWhereTheyAgree) {
  Graph graph;
  const ValueId a = graph.add_parameter(matrix);
  const ValueId b = graph.add_parameter(matrix);
  graph.add_parameter({{4, 4}, DType::f64});
  graph.set_results({product(graph, a, b)});
  const ResultShardings shardings(graph);
  EXPECT_EQ(shardings.of(Shardings{rows, rows, columns}), Shardings{rows});
  EXPECT_EQ(shardings.of(Shardings{rows, columns, none}), Shardings{none});
  EXPECT_EQ(shardings.of(Shardings{rows, none, rows}), Shardings{none});
}

TEST(ResultShardings, OfAnotherShapeAreNone) {
  Graph graph;
  const ValueId a = graph.add_parameter(matrix);
  const ValueId row = graph.add_parameter({{4}, DType::f32});
  const ir::Type sum{{4}, DType::f32};
  graph.set_results({product(graph, a, row, sum), add(graph, a, row)});
  EXPECT_EQ(ResultShardings(graph).of(Shardings{rows, {{"x"}}}), (Shardings{{{"x"}}, rows}))
      << "a vector as the vector; a row is stretched, and says nothing";
  EXPECT_EQ(ResultShardings(graph).of(Shardings{none, {{"x"}}}), (Shardings{{{"x"}}, none}));
}

// scan(carry w, slices s): what is carried is an update; what is stacked is none.
TEST(ResultShardings, OfTheCarryOfALoopAreThoseOfItsFirstValue) {
  auto body = std::make_shared<Graph>();
  const ValueId carry = body->add_parameter(matrix);
  const ValueId slice = body->add_parameter(matrix);
  const ValueId next = add(*body, carry, slice);
  body->set_results({next, next});
  Graph graph;
  const ValueId w = graph.add_parameter(matrix);
  const ValueId s = graph.add_parameter({{3, 4, 4}, DType::f32});
  const ValueId result = graph.add_control({.control = ir::Control::Scan,
                                            .operands = {w, s},
                                            .regions = {body},
                                            .scan = {.carries = 1, .slices = 1, .trips = 3}},
                                           std::vector<ir::Type>{matrix, {{3, 4, 4}, DType::f32}});
  const auto stacked = static_cast<ValueId>(static_cast<std::uint32_t>(result) + 1);
  graph.set_results({result, stacked});
  EXPECT_EQ(ResultShardings(graph).of(Shardings{rows, {{}, {}, {}}}),
            (Shardings{rows, {{}, {}, {}}}));
}

}  // namespace result_shardings_test
}  // namespace ddx::backend::pjrt
