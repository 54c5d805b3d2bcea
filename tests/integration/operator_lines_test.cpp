// The user's line in the errors of operators and of layers behind `|`, which cannot capture it.
// Built with debug information of several kinds, and without.

#include "ddx/ddx.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <gtest/gtest.h>
#include <source_location>
#include <string>

namespace ddx {
namespace {

// DDX_HAS_LINES, DDX_HAS_LIBDW: what this is built with.
constexpr bool operator_lines_are_known = DDX_HAS_LINES && DDX_HAS_LIBDW;

/// Expects an error that begins so and, where lines are known, ends with the line of the call.
template <class F>
void expect_line_of_call(const std::string& begin, F f, const std::string& how = "(called at ",
                         std::source_location here = std::source_location::current()) {
  std::string text = "nothing was thrown";
  try {
    f();
  } catch (const UsageError& error) {
    text = error.what();
  }
  EXPECT_TRUE(text.starts_with(begin)) << text;
  if (!operator_lines_are_known) {
    EXPECT_EQ(text.find(how), std::string::npos) << text;
    return;
  }
  const std::string file = std::string(here.file_name());
  const std::size_t place = text.rfind(file.substr(file.rfind('/')) + ":");
  ASSERT_NE(place, std::string::npos) << text;
  EXPECT_NE(text.find(how), std::string::npos) << text;
  const auto line = std::stol(text.substr(text.rfind(':') + 1));
  EXPECT_LE(std::abs(line - static_cast<long>(here.line())), 2) << text;  // Statements are broken.
}

class OperatorLines : public ::testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Tensor<float> wide() { return ones<float>({2, 8}, GetParam()); }
  [[nodiscard]] static Tensor<float> row() { return ones<float>({7}, GetParam()); }
};

TEST_P(OperatorLines, OfArithmetic) {
  const auto a = wide();
  const auto b = row();
  expect_line_of_call("add: axis -1", [&] { (void)(a + b); });
  expect_line_of_call("sub: axis -1", [&] { (void)(a - b); });
  expect_line_of_call("mul: axis -1", [&] { (void)(a * b); });
  expect_line_of_call("div: axis -1", [&] { (void)(a / b); });
  expect_line_of_call("add: axis -1", [&] { (void)(1.0F - (a + 2.0F) * 0.5F + -b); });
}

TEST_P(OperatorLines, OfUpdatesAndElements) {
  auto a = wide();
  const auto b = row();
  expect_line_of_call("add: axis -1", [&] { a += b; });
  expect_line_of_call("mul: axis -1", [&] { a *= b; });
  expect_line_of_call("element: position [2, 0]", [&] { (void)a[{2, 0}]; });
}

TEST_P(OperatorLines, OfLayersBehindAPipe) {
  const nn::Dense<float> dense{{.in = 7, .out = 2, .device = GetParam()}};
  const auto x = wide();
  expect_line_of_call("matmul: inner extents", [&] { (void)(x | dense | dense); });
}

TEST_P(OperatorLines, OfAGradient) {
  const auto a = wide();
  const auto b = row();
  const auto loss = [&](const Tensor<float>& x) { return sum(x * b); };
  expect_line_of_call(
      "mul: axis -1", [&] { (void)gradient(loss, a); }, "at ", std::source_location::current());
}

// The check of the elements is called through a pointer, its failure is not.
TEST(OperatorLinesOfChecks, AreThoseOfCallsThatCompute) {
  Tensor<std::int32_t> a({3}, {1, 2, 3}, Device::naive());
  const Tensor<std::int32_t> b({3}, {1, 0, -1}, Device::naive());
  expect_line_of_call("div: element 1 of the integer divisor is 0", [&] { (void)(a / b); });
  expect_line_of_call("div: element 1 of the integer divisor is 0", [&] { a /= b; });
  expect_line_of_call("div: the integer divisor is 0", [&] { (void)(a / 0); });
}

INSTANTIATE_TEST_SUITE_P(Devices, OperatorLines, ::testing::Values(Device::cpu(), Device::lazy()),
                         [](const auto& info) { return to_string(info.param); });

// What is looked up is where the result is observed, which is no line of the operation.
TEST(DeferredChecks, TellNoLineOfTheObserver) {
  const Tensor<std::int32_t> one(Shape{1}, {1}, Device::lazy());
  const auto quotient = one / (one - 1);
  std::string text;
  try {
    (void)quotient.values();
  } catch (const UsageError& error) {
    text = error.what();
  }
  EXPECT_TRUE(text.starts_with("div: element 0 of the integer divisor is 0")) << text;
  EXPECT_EQ(text.find("called at"), std::string::npos) << text;
}

}  // namespace
}  // namespace ddx
