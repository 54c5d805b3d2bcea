#include "ddx/backend/profile.h"

#include "ddx/backend/lazy.h"
#include "ddx/backend/roofline.h"
#include "ddx/backend/span_recording.h"
#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include <chrono>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace ddx::backend {
namespace profile_test {

using namespace std::chrono_literals;

/// A launch of a kernel that takes so long.
Span launch(const std::shared_ptr<const KernelInfo>& kernel, std::chrono::nanoseconds time) {
  Span span;
  span.kind = SpanKind::Kernel;
  span.end = span.begin + time;
  span.kernel = kernel;
  return span;
}

std::shared_ptr<const KernelInfo> kernel(const char* operations, const ir::Cost& work) {
  return std::make_shared<const KernelInfo>(
      KernelInfo{operations, 1, "f32[4] -> f32[4]", "at step.cpp:3", work});
}

TEST(Profile, AddsUpTheCallsOfAKernelAndDividesByTheRoof) {
  const auto product =
      kernel("matmul", {.flops = 3'000'000, .bytes_read = 100'000, .bytes_written = 20'000});
  const auto same = kernel("matmul", product->work);  // Of another plan.
  const auto loop = kernel("exp", {.flops = 1'000'000, .bytes_read = 4'000'000});
  Span run;
  run.kind = SpanKind::Run;
  run.end = run.begin + 5s;
  const std::vector<Span> spans{launch(product, 100us), launch(loop, 500us), run,
                                launch(same, 200us)};
  const auto rows = profile_rows(spans);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].kernel.operations, "exp");
  EXPECT_EQ(rows[1].calls, 2U);
  EXPECT_EQ(rows[1].time, 300us);
  // 1e6 flops in 500 us are 2 GFLOP/s, 4e6 bytes 8 GB/s; 6e6 in 300 us 20 GFLOP/s, 240e3 0.8 GB/s.
  EXPECT_EQ(profile_text(rows, {.threads = 2, .flops = 80e9, .bytes = 16e9}),
            "  calls         ms  share   GFLOP/s  % roof     GB/s  % band  kernel\n"
            "      1      0.500   62.5       2.0     2.5      8.0    50.0  exp: f32[4] -> f32[4], "
            "at step.cpp:3\n"
            "      2      0.300   37.5      20.0    25.0      0.8     5.0  matmul: f32[4] -> "
            "f32[4], at step.cpp:3\n"
            "      3      0.800  100.0       8.8    10.9      5.3    33.1  all 2 kernels\n"
            "roof of 2 threads: 80 GFLOP/s of f32, 16.0 GB/s of a copy\n");
  EXPECT_EQ(profile_text(rows, {.threads = 1, .flops = 1, .bytes = 1}, 0).find("exp"),
            std::string::npos);
}

TEST(Profile, OfNothingIsEmpty) {
  EXPECT_TRUE(profile_rows({}).empty());
  EXPECT_NE(profile_text({}, {}).find("all 0 kernels"), std::string::npos);
}

TEST(Profile, MeasuresWhatTheDeviceLaunches) {
  const auto a = full<float>({256, 256}, 0.5F, Device::lazy());
  const auto b = full<float>({256, 256}, 0.25F, Device::lazy());
  lazy_barrier();
  const Profile profile;
  for (int i = 0; i < 5; ++i) {
    (void)matmul(a, b).values();
  }
  const auto rows = profile.rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].calls, 5U);
  EXPECT_EQ(rows[0].kernel.work.flops, 2U * 256 * 256 * 256);
  EXPECT_GT(rows[0].time, 0ns);
  EXPECT_NE(profile.text().find("matmul: f32[256, 256], f32[256, 256] -> f32[256, 256], at "),
            std::string::npos)
      << profile.text();
}

}  // namespace profile_test
}  // namespace ddx::backend
