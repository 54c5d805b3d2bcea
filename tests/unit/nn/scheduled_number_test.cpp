#include "ddx/nn/scheduled_number.h"

#include "ddx/core/error.h"
#include "ddx/nn/runtime_number.h"
#include "ddx/tensor/compile.h"

#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

namespace ddx::nn {
namespace {

TEST(ScheduledNumber, IsANumber) {
  ScheduledNumber rate = 0.5;
  EXPECT_EQ(rate, 0.5);
  rate *= 0.25;
  EXPECT_EQ(rate, ScheduledNumber(0.125));
  rate = 3;
  const double value = rate;
  EXPECT_EQ(value, 3);
  EXPECT_TRUE(rate.number().is_known());
}

TEST(ScheduledNumber, CopiesAreIndependent) {
  ScheduledNumber rate = 1;
  const ScheduledNumber copy = rate;
  rate *= 2;
  EXPECT_EQ(copy, 1.0);
}

TEST(ScheduledNumber, IsAParameterOfAFunctionThatIsStaged) {
  int recordings = 0;
  const auto halved = compile([&](ScheduledNumber rate) {
    ++recordings;
    EXPECT_FALSE(rate.number().is_known());
    rate *= 0.5;
    return rate;
  });
  EXPECT_EQ(halved(ScheduledNumber(3)), 1.5);
  EXPECT_EQ(halved(ScheduledNumber(5)), 2.5);
  EXPECT_EQ(recordings, 1);
}

TEST(ScheduledNumber, OfAnArgumentIsNotObserved) {
  const auto observed =
      compile([](const ScheduledNumber& rate) { return static_cast<double>(rate); });
  EXPECT_EQ(ddx::testing::message_of<UsageError>([&] { (void)observed(ScheduledNumber(3)); }),
            "compile: the function observes elements of argument 0, which has none while it is "
            "recorded");
}

TEST(ScheduledNumber, WhatIsNotKnownEqualsItselfAlone) {
  (void)compile([](const ScheduledNumber& a, const ScheduledNumber& b) {
    EXPECT_TRUE(a == ScheduledNumber(a));
    EXPECT_FALSE(a == b);
    return a;
  })(ScheduledNumber(1), ScheduledNumber(1));
}

}  // namespace
}  // namespace ddx::nn
