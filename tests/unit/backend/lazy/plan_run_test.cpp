#include "backend/lazy/plan_run.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/tensor.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace {

// More than a process can address.
constexpr std::int64_t too_many = std::int64_t{1} << 46;

std::string error_of(const Tensor<float>& x) {
  try {
    (void)x.elements();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlanRun, WhatHasNoMemoryLeavesTheRest) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const Tensor<float> y = x + 1.0F;
  const Tensor<float> huge = broadcast_to(reshape(y, {2, 1}), {2, too_many});
  const Tensor<float> moved = exp(transpose(huge));
  const Tensor<float> z = y * 3.0F;
  const std::string text = error_of(moved);
  EXPECT_TRUE(text.starts_with("allocate: 562949953421312 bytes ")) << text;  // 2 * 2^46 * 4.
  EXPECT_EQ(z.values(), (std::vector<float>{6, 9}));
  EXPECT_EQ(y.values(), (std::vector<float>{2, 3}));
}

TEST(PlanRun, WhatHasNoMemoryIsTriedAtEachLook) {
  const Tensor<float> x({2}, {1, 2}, Device::lazy());
  const Tensor<float> huge = exp(broadcast_to(reshape(x, {2, 1}), {2, too_many}));
  EXPECT_EQ(error_of(huge), error_of(huge));
  EXPECT_THROW((void)(huge + 1.0F), EnvironmentError);
  EXPECT_EQ((x + 1.0F).values(), (std::vector<float>{2, 3}));
}

}  // namespace
}  // namespace ddx::backend::lazy
