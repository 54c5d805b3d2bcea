// Every operation as a StableHLO program: its text is read back, obeys the specification, and has
// the types of the graph. What the programs compute is compared where a compiler for them is.

#include "ddx/ir/graph.h"
#include "ddx/ops/op.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"
#include "ddx/stablehlo/verifier.h"

#include "tests/conformance/program_cases.h"

#include <cstddef>
#include <gtest/gtest.h>
#include <string>

namespace ddx::testing {
namespace {

void expect_program_of(const ir::Graph& graph) {
  const stablehlo::Emitted emitted = stablehlo::emit(graph);
  const std::string text = to_text(emitted.module);
  ASSERT_EQ(to_text(stablehlo::emit(graph).module), text);
  const stablehlo::Module again = stablehlo::parse_module(text);
  ASSERT_EQ(to_text(again), text);
  ASSERT_NO_THROW(stablehlo::verify(again)) << text;
  ASSERT_EQ(again.body.parameters.size(), graph.parameters().size());
  for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
    ASSERT_EQ(again.type(again.body.parameters[i]), graph.type(graph.parameters()[i]));
  }
  ASSERT_EQ(again.returned().size(), graph.results().size());
  for (std::size_t i = 0; i < graph.results().size(); ++i) {
    ASSERT_EQ(again.type(again.returned()[i]), graph.type(graph.results()[i]));
  }
}

class Programs : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(Programs, OfOneNodeAreReadBackAndObeyTheSpecification) {
  for_each_program_case(GetParam(), [](const ProgramCase& program) {
    if (!HasFatalFailure()) {
      SCOPED_TRACE(program.name());
      ASSERT_EQ(stablehlo::unsupported_reason(program.op.op, program.dtype), "");
      expect_program_of(program.graph);
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Table, Programs, ::testing::ValuesIn(ops::op_table),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
