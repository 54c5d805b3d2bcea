// The line of the operation that makes a NaN, where operations get none from their caller. Built
// with debug information of several kinds, and without.

#include "ddx/backend/asynchronous.h"
#include "ddx/ddx.h"
#include "ddx/tensor/compile.h"
#include "ddx/tensor/debug_nans.h"
#include "ddx/tensor/vmap.h"

#include "backend/queue.h"
#include "tests/support/temporary_folder.h"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <source_location>
#include <string>
#include <thread>
#include <vector>

namespace ddx {
namespace {

using ddx::testing::message_of;

// DDX_HAS_LINES, DDX_HAS_LIBDW: what this is built with.
constexpr bool has_lines = DDX_HAS_LINES && DDX_HAS_LIBDW;

/// The end of a message that names a line of this file.
std::string place(std::uint32_t line) {
  const std::string file = std::source_location::current().file_name();
  return file.substr(file.rfind('/')) + ":" + std::to_string(line) + ")";
}

/// That it is an error of this operation, which has been called at the line.
void expect_called_at(const std::string& text, const std::string& operation, std::uint32_t line,
                      const std::string& how = "(at ") {
  EXPECT_TRUE(text.starts_with(operation + ": element")) << text;
  if (has_lines) {
    EXPECT_TRUE(text.ends_with(place(line))) << text << "; wanted: " << line;
    EXPECT_NE(text.find(" " + how), std::string::npos) << text;
  } else {
    EXPECT_EQ(text.find("(at "), std::string::npos) << text;
    EXPECT_NE(text.find("debug information (-g) can tell the line"), std::string::npos) << text;
  }
}

/// Expects an error of this operation that names no line as certain.
void expect_no_line(const std::string& text, const std::string& operation) {
  EXPECT_TRUE(text.starts_with(operation + ": element")) << text;
  EXPECT_EQ(text.find("(at "), std::string::npos) << text;
}

constexpr std::uint32_t next_line(
    const std::source_location& where = std::source_location::current()) {
  return where.line() + 1;
}

class NanLines : public ::testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Tensor<float> row(float first, float second) {
    return Tensor<float>(Shape{2}, std::vector<float>{first, second}, GetParam());
  }
};

TEST_P(NanLines, OfAnOperatorAndOfAFunction) {
  const DebugNans nans;
  const auto x = row(0, 1);
  auto line = next_line();
  expect_called_at(message_of<UsageError>([&] { (void)(x / x).values(); }), "div", line);
  line = next_line();
  expect_called_at(message_of<UsageError>([&] { (void)(x + log(x)).values(); }), "log", line);
  const auto several_lines = [&] {
    const auto y = x + 1.0F;
    const auto z = y * 2.0F - 2.0F;
    return (z / z + y).values();
  };
  expect_called_at(message_of<UsageError>(several_lines), "div", line + 4);
}

constexpr std::uint32_t line_of_inverse = next_line() + 1;
inline Tensor<float> inverse_of(const Tensor<float>& x) {
  return 1.0F / x;
}

TEST_P(NanLines, OfAHelperThatMayBeInlined) {
  const DebugNans nans;
  const auto x = row(2, 0);
  expect_called_at(message_of<UsageError>([&] { (void)sum(inverse_of(x)).item(); }), "div",
                   line_of_inverse);
}

TEST_P(NanLines, OfAFunctionThatTheStandardLibraryCalls) {
  const DebugNans nans;
  const std::array<Tensor<float>, 2> rows{row(1, 1), row(0, 0)};
  const auto line = next_line();
  const auto quotient = [](const Tensor<float>& a, const Tensor<float>& b) { return a / b; };
  const std::string text = message_of<UsageError>(
      [&] { (void)std::accumulate(rows.begin(), rows.end(), row(1, 1), quotient).values(); });
  expect_called_at(text, "div", line);
}

/// Optimised, it is left before the operation begins, and the stack has its caller alone.
constexpr std::uint32_t line_of_divide = next_line() + 1;
[[gnu::noinline]] void divide(Tensor<float>& x, const Tensor<float>& y) {
  x /= y;
}

TEST_P(NanLines, TheLineOfACallerIsNotTakenForThatOfTheOperation) {
  const DebugNans nans;
  const auto zero = row(0, 0);
  const std::string text = message_of<UsageError>([&] {
    auto x = row(0, 0);
    divide(x, zero);
    (void)x.values();
  });
  if (text.ends_with(place(line_of_divide))) {
    EXPECT_TRUE(has_lines);
  } else {
    expect_no_line(text, "div");
  }
}

TEST_P(NanLines, OfATurnOfALoop) {
  const DebugNans nans;
  auto x = row(20, 40);
  const auto line = next_line() + 3;
  const std::string text = message_of<UsageError>([&] {
    for (int turn = 0; turn < 30; ++turn) {
      x = exp(log(x));
      x = x - 1.0F;
      (void)x.values();
    }
  });
  EXPECT_NE(text.find("nan"), std::string::npos) << text;
  expect_called_at(text, "log", line - 1);
}

TEST_P(NanLines, OfTheSecondOfTwoCallsThatAreAlike) {
  const auto first = [](const Tensor<float>& x) { return log(x * 2.0F).values(); };
  const auto line = next_line();
  const auto second = [](const Tensor<float>& x) { return log(x * 2.0F).values(); };
  (void)first(row(1, 1));
  const DebugNans nans;
  EXPECT_EQ(message_of<UsageError>([&] { (void)first(row(1, 2)); }), "(no exception)");
  expect_called_at(message_of<UsageError>([&] { (void)second(row(0, 1)); }), "log", line);
}

TEST_P(NanLines, OfTheSecondCallThatTakesItsLine) {
  const auto first = [](const Tensor<float>& x) { return sum(x).item(); };
  const auto line = next_line();
  const auto second = [](const Tensor<float>& x) { return sum(x).item(); };
  (void)first(row(1, 1));
  const DebugNans nans;
  (void)first(row(1, 1));
  const std::string text = message_of<UsageError>([&] { (void)second(row(3e38F, 3e38F)); });
  EXPECT_TRUE(text.ends_with(place(line))) << text << "; wanted: " << line;
}

TEST_P(NanLines, WhatWasRecordedBeforeHasNoLine) {
  if (!GetParam().is_lazy()) {
    GTEST_SKIP() << "there it has run before";
  }
  const auto elsewhere = [](const Tensor<float>& x) { return log(x); };
  {
    const DebugNans nans;
    (void)elsewhere(row(1, 2)).values();
  }
  const auto y = log(row(0, 1));
  const DebugNans nans;
  expect_no_line(message_of<UsageError>([&] { (void)y.values(); }), "log");
}

TEST_P(NanLines, OfAFunctionThatIsRecordedTheCallIsNotTold) {
  const auto logarithm = [](const Tensor<float>& x) { return log(x); };
  const auto compiled = compile(logarithm);
  (void)compiled(row(1, 1));
  const DebugNans nans;
  expect_no_line(message_of<UsageError>([&] { (void)compiled(row(0, 1)).values(); }), "log");
  expect_no_line(message_of<UsageError>([&] { (void)vmap(logarithm)(row(0, 1)).values(); }), "log");
}

TEST_P(NanLines, OfTheSecondOfTwoCompiledFunctionsThatAreAlike) {
  const auto first = compile([](const Tensor<float>& x) { return sum(x); });
  const auto line = next_line();
  const auto second = compile([](const Tensor<float>& x) { return sum(x); });
  (void)first(row(1, 1)).item();
  (void)second(row(1, 1)).item();
  const DebugNans nans;
  const std::string text = message_of<UsageError>([&] { (void)second(row(3e38F, 3e38F)).item(); });
  EXPECT_TRUE(text.ends_with(place(line))) << text << "; wanted: " << line;
}

constexpr std::uint32_t line_of_root = next_line() + 1;
Tensor<float> sum_of_roots(const Tensor<float>& x) {
  const auto roots = sqrt(x);
  return sum(roots);
}

TEST_P(NanLines, OfTheOperationWhoseDerivativeMakesIt) {
  const DebugNans nans;
  const auto x = row(0, 1);
  expect_called_at(message_of<UsageError>([&] { (void)gradient(sum_of_roots, x).values(); }),
                   "cotangent_quotient", line_of_root, "(in the derivative of the call at ");
}

TEST_P(NanLines, OfAnOperationOfTheFunctionThatIsDifferentiated) {
  const DebugNans nans;
  const auto x = row(-1, 1);
  expect_called_at(message_of<UsageError>([&] { (void)gradient(sum_of_roots, x).values(); }),
                   "sqrt", line_of_root);
}

constexpr std::uint32_t line_of_logarithm = next_line() + 3;
Tensor<float> repeated_logarithm(const Tensor<float>& x, const int times) {
  Tensor<float> y = x;
  for (int i = 0; i < times; ++i) {
    y = log(y);
  }
  return sum(y);
}

TEST_P(NanLines, OfATurnOfALoopThatIsDifferentiated) {
  const DebugNans nans;
  const auto x = row(1, 1);
  // log(log(1)); of the value, as the slope alone does not need it on a lazy device.
  const std::string text = message_of<UsageError>([&] {
    const auto [value, slope] =
        value_with_gradient([](const Tensor<float>& a) { return repeated_logarithm(a, 2); }, x);
    (void)value.item();
  });
  expect_called_at(text, "log", line_of_logarithm);
}

TEST_P(NanLines, OfEachThread) {
  const DebugNans nans;
  std::array<std::string, 4> texts;
  std::vector<std::thread> threads;
  const auto device = GetParam();
  const auto line = next_line() + 3;
  for (std::string& text : texts) {
    threads.emplace_back([&text, device] {
      const Tensor<float> x(Shape{2}, std::vector<float>{0, 1}, device);
      text = message_of<UsageError>([&] { (void)(x / x).values(); });
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const std::string& text : texts) {
    expect_called_at(text, "div", line);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, NanLines,
                         ::testing::Values(Device::naive(), Device::cpu(), Device::lazy()),
                         [](const ::testing::TestParamInfo<Device>& info) {
                           return to_string(info.param);
                         });

TEST(NanLinesOfAnAsynchronousDevice, AreThoseOfTheCallNotOfTheLook) {
  const DebugNans nans;
  backend::set_asynchronous(Device::cpu(), true);
  const double before = backend::set_break_even(0);
  const Tensor<float> x({0, 1}, Device::cpu());
  const auto line = next_line();
  const auto y = log(x) + 1.0F;
  const std::string text = message_of<UsageError>([&] { (void)y.values(); });
  backend::set_asynchronous(Device::cpu(), false);
  (void)backend::set_break_even(before);
  expect_called_at(text, "log", line);
}

}  // namespace
}  // namespace ddx
