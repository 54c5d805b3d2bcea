#include "backend/pjrt/run_steps.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"

#include "backend/lazy/trace_inputs.h"
#include "backend/pjrt/device_buffer.h"
#include "backend/pjrt/planned_program.h"
#include "tests/unit/backend/pjrt/fakes.h"

#include <array>
#include <gtest/gtest.h>
#include <vector>

namespace ddx::backend::pjrt {
namespace run_steps_test {

// A run owns its arrays until its checks are known, to say what was wrong with them. Many runs may
// come before that, each of which has a momentum of its own.
TEST(StartedRun, OwnsNoFilterState) {
  const PlannedProgram program(
      ir::parse_graph(
          "graph(%0: f32[1, 1, 1, 1], %1: f32[1, 1, 1, 1], %2: f32[1, 1, 1, 1]) {\n"
          "  %3: f32[1, 1, 1, 1] = convolution_filter_gradient(%0, %1) {size = [1, 1]}\n"
          "  %4: f32[1, 1, 1, 1] = add(%2, %3)\n"
          "  return %4\n}"),
      false);
  lazy::TraceInputs given;
  for (int i = 0; i < 3; ++i) {
    given.arrays.push_back({Buffer(4), DType::f32});
  }
  const auto client = fake_client();
  const std::array<bool, 1> flag{};
  const auto run = started_run(
      program, DeviceBuffer::copied(client, {flag.data(), DType::boolean, {1}}, client->device(0)),
      {}, given, {}, std::vector<bool>{false, false, false});
  ASSERT_NE(run, nullptr);
  EXPECT_EQ(given.arrays[0].buffer.owners(), 2U);
  EXPECT_EQ(given.arrays[1].buffer.owners(), 2U);
  EXPECT_EQ(given.arrays[2].buffer.owners(), 1U);
}

}  // namespace run_steps_test
}  // namespace ddx::backend::pjrt
