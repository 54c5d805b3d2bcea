#include "ddx/ops/check.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include "backend/queued_call.h"
#include "tests/support/thrown.h"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>

namespace ddx::ops {
namespace check_test {

using testing::thrown;

/// What has happened, in order.
std::string& history() {
  static std::string text;
  return text;
}

void kernel(const Call& call) noexcept {
  history() += "kernel ";
  *call.output().mutable_data<float>() = 2 * *call.input(0).data<float>();
}

std::optional<std::string> before(const Call& call) {
  history() += "before ";
  if (*call.input(0).data<float>() < 0) {
    return "negative";
  }
  return std::nullopt;
}

void after(const Call& call, const Site& site) {
  history() += "after ";
  if (*call.output().data<float>() > 10) {
    throw std::overflow_error(site.operation);
  }
}

/// Runs the kernel on a number; returns twice that.
float run(float x, const Check& check) {
  history().clear();
  const Shape scalar;
  float y = 0;
  const std::array inputs{View(&x, scalar, DType::f32)};
  const std::array outputs{View(&y, scalar, DType::f32)};
  backend::Request{kernel, inputs, outputs, nullptr, 0, check}.run();
  return y;
}

TEST(Check, IsAskedOfOperandsBeforeTheKernelAndOfResultsAfterIt) {
  EXPECT_EQ(run(3, {.before = before, .after = after, .site = {"twice"}}), 6);
  EXPECT_EQ(history(), "before kernel after ");
  EXPECT_EQ(run(-3, {}), -6);
  EXPECT_EQ(history(), "kernel ");
}

TEST(Check, OfOperandsKeepsTheKernelFromThem) {
  EXPECT_EQ(thrown<UsageError>(
                [] { (void)run(-3, {.before = before, .after = after, .site = {"twice"}}); }),
            "twice: negative");
  EXPECT_EQ(history(), "before ");
}

TEST(Check, OfResultsIsTheKernelsWayToFail) {
  EXPECT_THROW((void)run(6, {.after = after, .site = {"twice"}}), std::overflow_error);
  EXPECT_EQ(history(), "kernel after ");
}

}  // namespace check_test
}  // namespace ddx::ops
