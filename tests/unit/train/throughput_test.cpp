#include "ddx/train/throughput.h"

#include <chrono>
#include <gtest/gtest.h>

namespace ddx::train {
namespace throughput_test {

using std::chrono::milliseconds;

TEST(Throughput, TellsRateAndTimeLeft) {
  std::chrono::steady_clock::time_point now{};
  const Throughput throughput(100, [&] { return now; });
  EXPECT_EQ(throughput.text(0), "");
  EXPECT_EQ(throughput.text(5), "");  // No time has passed: no rate yet.
  now += milliseconds(500);
  EXPECT_EQ(throughput.seconds(), 0.5);
  EXPECT_EQ(throughput.text(0), "");
  EXPECT_EQ(throughput.text(10), "20 steps/s, 0:05 left");  // 90 / 20 = 4.5
  now += milliseconds(7500);
  EXPECT_EQ(throughput.text(10), "1.25 steps/s, 1:12 left");  // 90 / 1.25 = 72
  EXPECT_EQ(throughput.text(100), "12 steps/s, 0:00 left");   // 12.5, to even
}

TEST(DurationText, HasHoursWhereThereAreAny) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(59.01), "1:00");
  EXPECT_EQ(duration_text(754), "12:34");
  EXPECT_EQ(duration_text(7205), "2:00:05");
}

}  // namespace throughput_test
}  // namespace ddx::train
