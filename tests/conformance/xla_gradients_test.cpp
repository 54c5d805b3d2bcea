// The derivative of every operation against central differences, computed by XLA's compiler: all
// cases of an operation in one program.

#include "ddx/core/dtype.h"
#include "ddx/ops/op.h"

#include "tests/conformance/deferred_checks.h"
#include "tests/conformance/gradients.h"
#include "tests/conformance/xla_device.h"
#include "tests/conformance/xla_groups.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ddx::testing {
namespace {

std::atomic<std::size_t> counted_comparisons{0};

class XlaGradients : public ::testing::TestWithParam<ops::OpInfo> {
 public:
  static void SetUpTestSuite() {
    std::map<std::string, XlaGroup> groups;
    for (const auto& [op, check] : all_gradients()) {
      const ops::OpInfo& row = ops::info(op);
      const auto one_by_one = [&row, &checked_by = check] { checked_by(row.saves, xla_device()); };
      const auto together = [one_by_one] {
        DeferredChecks checks;
        one_by_one();
        const std::size_t comparisons = checks.run();
        EXPECT_GT(comparisons, 0U) << "the check of the derivative compares nothing";
        counted_comparisons += comparisons;
      };
      groups[std::string(row.name)] = {together, one_by_one};
    }
    (void)xla_device();
    counted_comparisons = 0;
    groups_ = std::make_unique<XlaGroups>("Table/XlaGradients", groups);
  }
  static void TearDownTestSuite() {
    groups_.reset();
    std::printf("XlaGradients: %zu comparisons; %s\n", counted_comparisons.load(),
                xla_programs().c_str());
  }

 protected:
  static inline std::unique_ptr<XlaGroups> groups_;
};

TEST_P(XlaGradients, AgreeWithCentralDifferences) {
  groups_->report(std::string(GetParam().name));
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
