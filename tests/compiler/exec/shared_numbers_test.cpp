// Derivatives of programs whose threads share numbers, in both modes.

#include "ddx/ad.h"

#include <atomic>
#include <cmath>
#include <cstddef>
#include <gtest/gtest.h>
#include <mutex>
#include <thread>
#include <vector>

namespace shared_numbers_test {

constexpr std::size_t thread_count = 3;

/// (x0^2 + x1^2 + ...)^2.
double square_under_a_lock(const std::vector<double>& x) {
  std::mutex mutex;
  double sum = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < x.size(); i += thread_count) {
        const std::lock_guard lock(mutex);
        sum += x[i] * x[i];
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return sum * sum;
}

/// x0 x1 x2 ..., by exchanges of the bits.
double product_by_exchanges(const std::vector<double>& x) {
  std::atomic<double> product{1};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = t; i < x.size(); i += thread_count) {
        double old = product.load();
        while (!product.compare_exchange_weak(old, old * x[i])) {
        }
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return product.load();
}

// No product of some is 1: an exchange would not see that the others had changed the number and
// back, and would lose their tangents.
const std::vector<double> point = {1.5, 2, 0.7, 4, -1.1};
const std::vector<double> direction = {1, -1, 2, 0.5, 3};

TEST(SharedNumbers, HaveGradientsOfSumsUnderALock) {
  const std::vector<double> gradient = ddx::gradient(square_under_a_lock, point);
  for (std::size_t i = 0; i < point.size(); ++i) {
    EXPECT_NEAR(gradient[i], 4 * 23.95 * point[i], 1e-12);
  }
}

TEST(SharedNumbers, HaveTangentsOfSumsUnderALock) {
  const auto [value, tangent] = ddx::jvp(square_under_a_lock, ddx::along(direction), point);
  EXPECT_NEAR(value, 23.95 * 23.95, 1e-12);
  EXPECT_NEAR(tangent, 4 * 23.95 * (1.5 - 2 + 1.4 + 2 - 3.3), 1e-12);
}

TEST(SharedNumbers, HaveGradientsOfExchangedNumbers) {
  const std::vector<double> gradient = ddx::gradient(product_by_exchanges, point);
  for (std::size_t i = 0; i < point.size(); ++i) {
    EXPECT_NEAR(gradient[i], -9.24 / point[i], 1e-12);
  }
}

TEST(SharedNumbers, HaveTangentsOfExchangedNumbers) {
  const auto [value, tangent] = ddx::jvp(product_by_exchanges, ddx::along(direction), point);
  EXPECT_NEAR(value, -9.24, 1e-12);
  EXPECT_NEAR(tangent, -9.24 * (1 / 1.5 - 0.5 + 2 / 0.7 + 0.125 - 3 / 1.1), 1e-12);
}

}  // namespace shared_numbers_test
