#include "ddx/tensor/activation.h"

#include "ddx/core/device.h"
#include "ddx/tensor/closeness.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <gtest/gtest.h>
#include <tuple>

namespace ddx {
namespace activation_test {

TEST(Activations, StayFiniteFarFromZero) {
  const float far = std::exp(-80.0F);
  for (const Device device : {Device::naive(), Device::cpu()}) {
    SCOPED_TRACE(to_string(device));
    const auto x = Tensor<float>{-1000, -80, 80, 1000}.to(device);
    const Tolerance tight{.relative = 1e-5, .absolute = 0};
    const auto expect = [&](const Tensor<float>& got, const Tensor<float>& expected) {
      EXPECT_TRUE(all_close(got, expected, tight)) << got[{0}] << " " << got[{1}];
    };
    expect(softplus(x), Tensor<float>{0, far, 80, 1000});
    expect(log_sigmoid(x), Tensor<float>{-1000, -80, -far, 0});
    expect(elu(x, 0.5F), Tensor<float>{-0.5, -0.5, 80, 1000});
    expect(gelu(x), Tensor<float>{0, 0, 80, 1000});
    expect(gelu_tanh(x), Tensor<float>{0, 0, 80, 1000});
    expect(silu(x), Tensor<float>{0, -80 * far, 80, 1000});
    expect(swish(x, 0.5F), Tensor<float>{0, -80 * std::exp(-40.0F), 80, 1000});
    expect(mish(x), Tensor<float>{0, -80 * far, 80, 1000});
    expect(hard_swish(x), Tensor<float>{0, 0, 80, 1000});
  }
}

// Phi(-10) = 7.619853024160527e-24: 1 + erf(x) would be 0 there.
TEST(Activations, GeluKeepsItsDigitsWhereItIsSmall) {
  EXPECT_TRUE(all_close(gelu(Tensor<double>(-10)), Tensor<double>(-7.619853024160527e-23),
                        {.relative = 1e-13, .absolute = 0}));
}

TEST(Activations, AtTheirKinks) {
  const Tensor<double> kinks{-3, 0, 3, 6};
  EXPECT_EQ(relu6(kinks), (Tensor<double>{0, 0, 3, 6}));
  EXPECT_EQ(hard_sigmoid(kinks), (Tensor<double>{0, 0.5, 1, 1}));
  EXPECT_EQ(leaky_relu(kinks, 0.5), (Tensor<double>{-1.5, 0, 3, 6}));
  const auto slopes = elu_vjp(Tensor<double>{0}, 0.5).pullback(Tensor<double>{4}, Wanted<2>::all());
  EXPECT_EQ(std::get<0>(slopes).item(), 2) << "alpha e^0 from the left";
  EXPECT_EQ(std::get<1>(slopes), 0);
}

TEST(Activations, KeepShapesAndNaN) {
  EXPECT_EQ(mish(zeros<float>({0, 3})).shape(), (Shape{0, 3}));
  EXPECT_TRUE(std::isnan(softplus(Tensor<float>(NAN)).item()));
  EXPECT_TRUE(std::isnan(gelu(Tensor<float>(NAN)).item()));
  EXPECT_TRUE(std::isnan(relu6(Tensor<float>(NAN)).item()));
  EXPECT_TRUE(std::isnan(elu(Tensor<float>(NAN)).item()));
}

}  // namespace activation_test
}  // namespace ddx
