// The judge judged: what it must not let pass.
#include "gradient_check.h"

#include <functional>
#include <gtest/gtest-spi.h>
#include <string>

namespace harness {

double square(double x) {
  return x * x;
}
double step(double x) {
  return x < 1 ? x : 2 * x;
}

double off_by_a_millionth(double x) {
  return x * x;
}
DDX_DERIVATIVE_OF(off_by_a_millionth) auto off_by_a_millionth_vjp(double x) {
  return ddx::vjp(x * x, [x](double dy) { return (2 + 1e-6) * x * dy; });
}

double off_in_value(double x) {
  return x * x;
}
DDX_DERIVATIVE_OF(off_in_value) auto off_in_value_vjp(double x) {
  return ddx::vjp(x * x * (1 + 1e-12), [x](double dy) { return 2 * x * dy; });
}

int pulled = 0;

double right_once(double x) {
  return x * x;
}
DDX_DERIVATIVE_OF(right_once) auto right_once_vjp(double x) {
  return ddx::vjp(x * x, [x](double dy) { return pulled++ == 0 ? 2 * x * dy : 0; });
}

/// The failures of one row, as one text.
std::string failures_of(const std::function<void()>& row) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    row();
  }
  std::string text;
  for (int i = 0; i < results.size(); ++i) {
    text += results.GetTestPartResult(i).message();
  }
  return text;
}

std::string failures_at_three_points(const auto& program, double near) {
  using ddx::testing::at;
  return failures_of(
      [&] { ddx::testing::check_gradient<double>(program, at(near), at(near + 1), at(near + 2)); });
}

TEST(Harness, accepts_a_right_gradient) {
  EXPECT_EQ(failures_at_three_points(DDX_CALL_OF(square), 0.5), "");
}

TEST(Harness, finds_a_point_at_a_kink) {
  EXPECT_NE(failures_at_three_points(DDX_CALL_OF(step), 1).find("too near a kink"),
            std::string::npos);
}

#ifdef __DDX__
TEST(Harness, finds_a_gradient_off_by_half_a_millionth) {
  const std::string failures = failures_at_three_points(DDX_CALL_OF(off_by_a_millionth), 0.5);
  EXPECT_NE(failures.find("gradient, scalar 0"), std::string::npos) << failures;
  EXPECT_NE(failures.find("pullback, scalar 0"), std::string::npos) << failures;
}

TEST(Harness, finds_a_value_off_by_a_trillionth) {
  const std::string failures = failures_at_three_points(DDX_CALL_OF(off_in_value), 1);
  EXPECT_NE(failures.find("value of value_with_gradient"), std::string::npos) << failures;
  EXPECT_NE(failures.find("value of value_with_pullback"), std::string::npos) << failures;
}

TEST(Harness, finds_a_pullback_that_is_right_only_once) {
  const std::string failures = failures_at_three_points(DDX_CALL_OF(right_once), 1);
  EXPECT_NE(failures.find("called again"), std::string::npos) << failures;
}
#endif

}  // namespace harness
