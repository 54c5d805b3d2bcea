// The second derivatives of every operation against central differences of gradients, one test per
// row of the table and device.

#include "tests/conformance/second_order/second_order.h"

#include "ddx/backend/backend.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "tests/conformance/gradients.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

const std::map<ops::Op, std::vector<SecondOrderCheck>>& all_checks() {
  static const auto all = [] {
    std::map<ops::Op, std::vector<SecondOrderCheck>> joined;
    for (const auto& part : {unary_second_order(), binary_second_order(), structural_second_order(),
                             layer_second_order(), linear_algebra_second_order()}) {
      for (const auto& [op, check] : part) {
        joined[op].push_back(check);
      }
    }
    return joined;
  }();
  return all;
}

class SecondOrder : public ::testing::TestWithParam<ops::OpInfo> {};

TEST_P(SecondOrder, AgreesWithDifferencesOfGradients) {
  const ops::OpInfo& op = GetParam();
  const auto checks = all_checks().find(op.op);
  ASSERT_NE(checks, all_checks().end()) << "no check of second derivatives for " << op.name;
  for (const Device device : backend::available_devices()) {
    if (backend::backend_of(device).kernels().at(op.op, DType::f64).kernel() != nullptr) {
      SCOPED_TRACE(to_string(device));
      for (const auto& check : checks->second) {
        check(device);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, SecondOrder, ::testing::ValuesIn(differentiable_operations()),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace ddx::testing
