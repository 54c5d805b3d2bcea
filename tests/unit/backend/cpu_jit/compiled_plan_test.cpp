// That plans run what has been compiled for them.

#include "ddx/backend/backend.h"
#include "ddx/backend/loop_compilation.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/cpu_jit/object_code.h"
#include "backend/lazy/plan.h"
#include "tests/support/loop_choice.h"

#include <array>
#include <cstddef>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::cpu_jit {
namespace compiled_plan_test {

/// What a plan makes of ones while `ddx_sub_f32` is compiled in the place of `ddx_add_f32`.
float with_wrong_code(const char* text) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  const auto before = set_object_compiler([](std::span<const FunctionText> functions,
                                             cpu::Isa isa) {
    std::vector<FunctionText> wrong(functions.begin(), functions.end());
    for (FunctionText& function : wrong) {
      for (std::size_t at = 0; (at = function.text.find("ddx_add_", at)) != std::string::npos;) {
        function.text.replace(at, 8, "ddx_sub_");
      }
    }
    return compile(wrong, isa);
  });
  const ir::Graph graph = ir::parse_graph(text);
  const lazy::Plan plan(graph);
  set_object_compiler(before);
  std::vector<float> ones(2048, 1);
  const std::array<ops::View, 1> views{
      ops::View(ones.data(), graph.type(graph.parameters()[0]).shape, DType::f32)};
  const auto outcomes = plan.run({views, {}, {}}, backend_of(Device::cpu()));
  return *reinterpret_cast<const float*>(outcomes[0].elements.data());
}

// Results do not tell, since they are equal. No other test has these loops, which stay wrong.
TEST(CompiledPlan, RunsItsLoops) {
  if (!is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  EXPECT_EQ(with_wrong_code(R"(graph(%0: f32[2048]) {
    %1: f32[2048] = add(%0, %0)
    %2: f32[2048] = cosh(%1)
    %3: f32[2048] = erfc(%2)
    %4: f32[2048] = log10(%3)
    return %1, %4
  })"),
            0);
  EXPECT_EQ(with_wrong_code(R"(graph(%0: f32[2048]) {
    %1: f32[2048] = scan(%0) {
      carries = 1, slices = 0, trips = 1,
      body = graph(%0: f32[2048]) {
        %1: f32[2048] = add(%0, %0)
        %2: f32[2048] = sinh(%1)
        %3: f32[2048] = erfc(%2)
        %4: f32[2048] = add(%3, %1)
        return %4
      }
    }
    return %1
  })"),
            1)
      << "erfc(sinh(1 - 1)) - (1 - 1)";
}

}  // namespace compiled_plan_test
}  // namespace ddx::backend::cpu_jit
