// The derivative of every operation against central differences, computed by XLA's compiler for
// CPUs.

#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "tests/conformance/gradients.h"
#include "tests/conformance/xla_device.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

class XlaGradients : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(XlaGradients, AgreeWithCentralDifferences) {
  all_gradients().at(GetParam().op)(GetParam().saves, xla_device());
}

std::vector<ops::OpInfo> checked() {
  std::vector<ops::OpInfo> rows;
  for (const auto& [op, check] : all_gradients()) {
    rows.push_back(ops::info(op));
  }
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Table, XlaGradients, ::testing::ValuesIn(checked()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
