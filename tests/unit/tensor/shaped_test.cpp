#include "ddx/tensor/shaped.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>
#include <source_location>
#include <string>

namespace ddx {
namespace {

template <detail::ShapeClaim claim>
std::string message(const Shape& shape) {
  try {
    (void)shaped<claim>(zeros<float>(shape));
  } catch (const UsageError& error) {
    const std::string text = error.what();
    return text.substr(0, text.find(" (at "));
  }
  return "";
}

TEST(Shaped, ReturnsItsArgumentIfTheShapeIsAsClaimed) {
  const auto x = ones<float>({2, 3, 3});
  EXPECT_EQ(shaped<"_ n n">(x), x);
  EXPECT_TRUE(shaped<"2 _ 3">(x).shares_storage_with(x));
  EXPECT_EQ(shaped<"">(ones<float>({})).rank(), 0U);
}

TEST(Shaped, RejectsAnotherRankExtentOrTwoExtentsOfOneName) {
  EXPECT_EQ(message<"n 784">({2}), "shaped: shape [2] is not [n, 784]");
  EXPECT_EQ(message<"n 784">({2, 500}), "shaped: shape [2, 500] is not [n, 784]");
  EXPECT_EQ(message<"n n">({2, 3}), "shaped: shape [2, 3] is not [n, n]");
}

TEST(Shaped, NamesTheLineOfTheCaller) {
  try {
    (void)shaped<"3">(zeros<float>({2}));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("shaped_test.cpp:"), std::string::npos);
  }
}

TEST(Shaped, LetsTheCotangentThrough) {
  const Tensor<float> x{1, 2};
  const Tensor<float> dy{3, 4};
  const auto made = detail::claimed_vjp(x, "n", std::source_location::current());
  EXPECT_EQ(made.value, x);
  EXPECT_EQ(made.pullback(dy), dy);
}

}  // namespace
}  // namespace ddx
