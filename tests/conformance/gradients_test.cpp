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

using ops::Op;

/// Why an operation has no derivative; null where it must have one.
const char* reason_for_none(const ops::OpInfo& op) {
  if (!contains(op.dtypes, DType::f64)) {
    return "it is not for floating numbers";
  }
  if (op.name.ends_with("_gradient")) {
    return "it is a part of a derivative";
  }
  switch (op.family) {
    case ops::Family::Random:
      return "its numbers depend on a key alone";
    case ops::Family::Comparison:
    case ops::Family::Predicate:
    case ops::Family::ArgReduction:
    case ops::Family::Sorting:
      return "its result is not floating";
    case ops::Family::Creation:
      return op.op == Op::iota ? "it has no operand" : nullptr;
    case ops::Family::Fourier:
      return "its result is complex: compiled/complex_gradients_test.cpp";
    case ops::Family::Indexing:
      return op.op == Op::one_hot ? "its operand is an integer" : nullptr;
    default:
      return nullptr;
  }
}

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

std::vector<ops::OpInfo> differentiable() {
  std::vector<ops::OpInfo> rows;
  for (const auto& op : ops::op_table) {
    if (reason_for_none(op) == nullptr) {
      rows.push_back(op);
    }
  }
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Table, Gradients, ::testing::ValuesIn(differentiable()),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(GradientChecks, ExistOnlyForDifferentiableRows) {
  for (const auto& [op, check] : all_gradients()) {
    EXPECT_EQ(reason_for_none(ops::info(op)), nullptr) << to_string(op);
  }
}

}  // namespace
}  // namespace ddx::testing
