#include "backend/pjrt/planned_program.h"

#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/module.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::backend::pjrt {
namespace planned_program_test {

using TraceInputs = std::vector<bool>;

/// Of parameters f32[2], f32[3], f32[2], f32[2]: the sum of the first and the last, twice, and the
/// second as it is.
ir::Graph graph() {
  ir::Graph graph;
  const ir::Type two{{2}, DType::f32};
  const ir::Type three{{3}, DType::f32};
  const ir::ValueId a = graph.add_parameter(two);
  const ir::ValueId b = graph.add_parameter(three);
  (void)graph.add_parameter(two);
  const ir::ValueId c = graph.add_parameter(two);
  const ir::ValueId sum = graph.add_node(ops::Op::add, {a, c}, ops::NoAttributes{}, two);
  graph.set_results({sum, b, sum});
  return graph;
}

TEST(PlannedProgram, MakesEachResultOnceAndNoParameter) {
  const PlannedProgram program(graph());
  EXPECT_EQ(program.graph()->results().size(), 1U);
  ASSERT_EQ(program.sources().size(), 3U);
  EXPECT_FALSE(program.sources()[0].is_parameter);
  EXPECT_TRUE(program.sources()[1].is_parameter);
  EXPECT_EQ(program.sources()[1].place, 1U);
  EXPECT_FALSE(program.sources()[2].is_parameter);
  EXPECT_EQ(program.sources()[2].place, program.sources()[0].place);
}

TEST(PlannedProgram, OnlyWhatAResultReplacesIsGivenAway) {
  const PlannedProgram program(graph());
  EXPECT_EQ(program.donations(TraceInputs{true, true, true, true}),
            (TraceInputs{true, false, false, false}))
      << "the sum replaces its first operand";
  EXPECT_EQ(program.donations(TraceInputs{false, true, false, true}),
            (TraceInputs{false, false, false, false}))
      << "the last parameter has the type of the sum, but is not what it replaces";
  const auto memory = program.memory({true, false, false, false});
  EXPECT_EQ(memory[0].donation, stablehlo::Donation::Result);
  EXPECT_EQ(memory[0].aliased, 0U);
  EXPECT_EQ(memory[3].donation, stablehlo::Donation::None);
}

// On GPUs: the last parameter is the momentum of a filter.
TEST(PlannedProgram, FilterStateIsGivenAwayUnlessItWouldBeCopied) {
  const ir::Graph graph = ir::parse_graph(
      "graph(%0: f32[1, 1, 1, 1], %1: f32[1, 1, 1, 1], %2: f32[1, 1, 1, 1]) {\n"
      "  %3: f32[1, 1, 1, 1] = convolution_filter_gradient(%0, %1) {size = [1, 1]}\n"
      "  %4: f32[1, 1, 1, 1] = add(%2, %3)\n"
      "  return %4\n}");
  const TraceInputs all{true, true, true};
  EXPECT_EQ(PlannedProgram(graph).donations(all), (TraceInputs{false, false, true}));
  EXPECT_EQ(PlannedProgram(graph).filter_state(), (TraceInputs{false, false, false}));
  EXPECT_EQ(PlannedProgram(graph, false).donations(all), (TraceInputs{false, false, false}));
  EXPECT_EQ(PlannedProgram(graph, false).filter_state(), (TraceInputs{false, false, true}));
}

TEST(PlannedProgram, AfterFourSetsNothingIsGivenAway) {
  ir::Graph wide;
  std::vector<ir::ValueId> results;
  for (int i = 0; i < 3; ++i) {
    const ir::Type type{{2}, DType::f32};
    const ir::ValueId x = wide.add_parameter(type);
    results.push_back(wide.add_node(ops::Op::exp, {x}, ops::NoAttributes{}, type));
  }
  wide.set_results(results);
  const PlannedProgram program(wide);
  for (const TraceInputs& given :
       {TraceInputs{true, false, false}, TraceInputs{false, true, false},
        TraceInputs{false, false, true}, TraceInputs{true, true, true}}) {
    EXPECT_EQ(program.donations(given), given);
  }
  EXPECT_EQ(program.donations(TraceInputs{true, true, false}), (TraceInputs{false, false, false}));
  EXPECT_EQ(program.donations(TraceInputs{false, true, false}), (TraceInputs{false, true, false}))
      << "it is one of the four";
}

}  // namespace planned_program_test
}  // namespace ddx::backend::pjrt
