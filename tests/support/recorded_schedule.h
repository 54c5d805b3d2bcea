/// \file
/// Compares a schedule with the recordings of tests/goldens/make_schedules.py.

#pragma once

#include "ddx/core/error.h"
#include "ddx/nn/schedules/schedule.h"

#include "tests/support/temporary_folder.h"

#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::testing {

/// Expects the rates of the recording, and that a negative step is refused.
template <nn::Schedule S>
void expect_recorded_rates(const std::string& name, const S& schedule, const char* type) {
  static const std::map<std::string, std::vector<double>> recorded = {
#include "tests/goldens/schedules.inc"
  };
  const auto& expected = recorded.at(name);
  for (std::size_t step = 0; step < expected.size(); ++step) {
    EXPECT_NEAR(schedule(static_cast<std::int64_t>(step)), expected[step], 1e-13)
        << name << ", step " << step;
  }
  EXPECT_EQ(message_of<UsageError>([&] { (void)schedule(-1); }),
            std::string(type) + ": step is -1, at least 0 is required");
}

/// Expects that these options are refused.
template <class S, class Options>
void expect_refused(const Options& options, const std::string& message) {
  EXPECT_EQ(message_of<UsageError>([&] { S schedule(options); }), message);
}

}  // namespace ddx::testing
