// The derivative of every operation against central differences, one test per row of the table.

#include "tests/conformance/gradients.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

class Gradients : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(Gradients, AgreeWithCentralDifferences) {
  const ops::OpInfo& op = GetParam();
  const auto check = all_gradients().find(op.op);
  ASSERT_NE(check, all_gradients().end()) << "no gradient check for " << op.name;
  for (const Device device : backend::available_devices()) {
    if (backend::backend_of(device).kernels().at(op.op, DType::f64).kernel() != nullptr) {
      SCOPED_TRACE(to_string(device));
      check->second(op.saves, device);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Gradients, ::testing::ValuesIn(differentiable_operations()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(GradientChecks, ExistOnlyForDifferentiableRows) {
  for (const auto& [op, check] : all_gradients()) {
    EXPECT_EQ(reason_for_none(ops::info(op)), nullptr) << to_string(op);
  }
}

}  // namespace
}  // namespace ddx::testing
