// What the first page promises of `#include <ddx/ddx.h>`: no other header of ddx is read here.

#include "ddx/ddx.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace ddx {
namespace {

const Device devices[] = {Device::naive(), Device::cpu(), Device::lazy()};

Tensor<float> sum_of_squares(const Tensor<float>& x) {
  return sum(x * x);
}

TEST(UmbrellaHeader, RecordsFunctions) {
  const Tensor<float> x({2, 2}, {1, 2, 3, 4}, Device::lazy());
  EXPECT_EQ(compile(sum_of_squares)(x).item(), 30);
  EXPECT_EQ(vmap(sum_of_squares)(x).values(), (std::vector<float>{5, 25}));
  EXPECT_NE(ir::to_text(graph(sum_of_squares)(x)).find("mul(%0, %0)"), std::string::npos);
}

TEST(UmbrellaHeader, RecordsControlFlow) {
  using Number = Tensor<std::int64_t>;
  const auto add = [](const Number& carry, const Number& slice) {
    return std::pair{carry + slice, carry * slice};
  };
  for (const Device device : devices) {
    const auto [total, products] =
        scan(add, Number(std::int64_t{1}, device), Number({3}, {2, 3, 4}, device));
    EXPECT_EQ(total.item(), 10) << to_string(device);
    EXPECT_EQ(products.values(), (std::vector<std::int64_t>{2, 9, 24})) << to_string(device);
  }
}

TEST(UmbrellaHeader, MakesTensorsOnTheDeviceOfAnArgument) {
  // sum of x^2 (x + 2): gradient 3 x^2 + 4 x.
  const auto f = [](const Tensor<float>& x) {
    const auto twos = full<float>(x.shape(), 2, x.device());
    const auto next = x + twos;
    return sum(x * x * next);
  };
  // sum of x_i w_i: gradient w. Tensors that are made of numbers, too.
  const auto weighted = [](const Tensor<double>& x) {
    const Tensor<double> w(Shape{2}, std::vector<double>{5, 7}, x.device());
    return sum(x * w);
  };
  for (const Device device : devices) {
    EXPECT_EQ(gradient(weighted, Tensor<double>({2}, {1, 2}, device)).values(),
              (std::vector<double>{5, 7}))
        << to_string(device);
    const auto slope = gradient(f, Tensor<float>({2}, {1, -3}, device));
    EXPECT_EQ(slope.values(), (std::vector<float>{7, 15})) << to_string(device);
    EXPECT_EQ(slope.device(), device) << to_string(slope.device());
  }
}

}  // namespace
}  // namespace ddx
