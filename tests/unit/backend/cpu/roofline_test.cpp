#include "ddx/backend/roofline.h"

#include "ddx/core/device.h"
#include "ddx/tensor.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <limits>

namespace ddx::backend {
namespace roof_test {

using Clock = std::chrono::steady_clock;

TEST(Roofline, IsMeasuredOnce) {
  const Roofline& first = machine_roofline();
  const auto begin = Clock::now();
  const Roofline& second = machine_roofline();
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(1));
  EXPECT_EQ(&first, &second);
  EXPECT_GE(first.threads, 1);
}

TEST(Roofline, NoProductOfMatricesIsAboveIt) {
  // The library's own product comes near; a roofline that is too low lies below it. A machine
  // where other tests run lowers either, by chance: hence the bounds.
  const auto a = full<float>({1024, 1024}, 0.5F, Device::cpu());
  double fastest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 8; ++i) {
    const auto begin = Clock::now();
    const auto product = matmul(a, a);
    (void)product.elements();  // It may have been queued.
    fastest = std::min(fastest, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  const double flops = 2.0 * 1024 * 1024 * 1024 / fastest;
  EXPECT_LT(flops, 2.5 * machine_roofline().flops);
  EXPECT_GT(flops, 0.1 * machine_roofline().flops);
}

TEST(Roofline, BandwidthIsThatOfMemory) {
  // 1 GB/s is a slow machine, 10 TB/s is no memory of a processor.
  EXPECT_GT(machine_roofline().bytes, 1e9);
  EXPECT_LT(machine_roofline().bytes, 1e13);
}

}  // namespace roof_test
}  // namespace ddx::backend
