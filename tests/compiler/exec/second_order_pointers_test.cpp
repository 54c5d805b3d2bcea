/// \file
/// Products with Hessians of functions behind pointers: whichever of them is called, its gradient
/// in forward mode calls other functions through pointers, or keeps the order of locks.

#include "ddx/ad.h"
#include "ddx/core/error.h"

#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <list>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace second_order_pointers_test {

/// 20 x^2: the standard library allocates and releases through virtual functions of its own.
double in_pool(double x) {
  std::pmr::monotonic_buffer_resource pool;
  std::pmr::vector<double> v(&pool);
  for (int i = 0; i < 5; ++i) {
    v.push_back(x * i);
  }
  double sum = 0;
  for (const double number : v) {
    sum += number;
  }
  return sum * v[2];
}

/// 2 (x^2 + 2 x) x^2: atomic counters.
double shared(double x) {
  const auto p = std::make_shared<std::vector<double>>(3, x);
  const auto q = p;
  (*q)[1] *= x;
  const std::weak_ptr<std::vector<double>> w = q;
  double sum = 0;
  if (const auto r = w.lock()) {
    for (const double number : *r) {
      sum += number;
    }
  }
  return sum * (*p)[1] * static_cast<double>(p.use_count());
}

/// x^3, in two parts that a lock protects.
double locked(double x) {
  std::mutex mutex;
  std::list<double> factors;
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<std::mutex> lock(mutex);
    factors.push_back(x);
  }
  return factors.front() * factors.back() * x;
}

/// x^2 + x^3, in an atomic number.
double atomic(double x) {
  std::atomic<double> sum = x * x;
  sum.fetch_add(x * x * x);
  return sum.load();
}

/// 2 x^3.
double stored(double x) {
  const std::unordered_map<std::string, std::function<double(double)>> table{
      {"a", [x](double y) { return x + y; }}, {"b", [](double y) { return y * y; }}};
  return table.at("a")(x) * table.at("b")(x);
}

constexpr double at = 1.5;

TEST(second_order_pointers, functions_of_the_standard_library) {
  EXPECT_DOUBLE_EQ(ddx::gradient(in_pool, at), 40 * at);
  EXPECT_DOUBLE_EQ(ddx::hvp(in_pool, at, 2.0), 80);
}

TEST(second_order_pointers, counters_of_shared_pointers) {
  EXPECT_DOUBLE_EQ(ddx::gradient(shared, at), 8 * at * at * at + 12 * at * at);
  EXPECT_DOUBLE_EQ(ddx::hvp(shared, at, 1.0), 24 * at * at + 24 * at);
}

TEST(second_order_pointers, locks) {
  EXPECT_DOUBLE_EQ(ddx::gradient(locked, at), 3 * at * at);
  EXPECT_DOUBLE_EQ(ddx::hvp(locked, at, 1.0), 6 * at);
}

TEST(second_order_pointers, atomic_numbers) {
  EXPECT_DOUBLE_EQ(ddx::gradient(atomic, at), 2 * at + 3 * at * at);
  EXPECT_DOUBLE_EQ(ddx::hvp(atomic, at, 1.0), 2 + 6 * at);
}

TEST(second_order_pointers, stored_functions) {
  EXPECT_DOUBLE_EQ(ddx::gradient(stored, at), 6 * at * at);
  EXPECT_DOUBLE_EQ(ddx::hvp(stored, at, 1.0), 12 * at);
}

/// x^3, whose square a thread computes.
double threaded(double x) {
  double square = 0;
  std::thread([&] { square = x * x; }).join();
  return square * x;
}

TEST(second_order_pointers, threads_are_an_error_at_their_line) {
  EXPECT_DOUBLE_EQ(ddx::gradient(threaded, at), 3 * at * at);
  try {
    (void)ddx::hvp(threaded, at, 1.0);
    FAIL() << "a second derivative of a program that starts threads";
  } catch (const ddx::UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("a derivative of a derivative of code that starts threads"), text.npos)
        << text;
    EXPECT_NE(text.find("(second_order_pointers_test.cpp:"), text.npos) << text;
  }
}

}  // namespace second_order_pointers_test
