#include "ddx/tensor/detail/array_of.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>

namespace ddx::detail {
namespace array_of_test {

TEST(ArrayOf, RoundsToTheElementType) {
  EXPECT_EQ(Tensor<float>(array_of({0.1, -2}, {2, 1}, DType::f32, Device::cpu())),
            Tensor<float>(Shape{2, 1}, {0.1F, -2.0F}));
  const Tensor<double> moved(array_of({0.1}, {}, DType::f64, Device::naive()));
  EXPECT_EQ(moved.item(), 0.1);
  EXPECT_EQ(moved.device(), Device::naive());
  EXPECT_EQ(array_of({}, {0, 3}, DType::f64, Device::cpu()).shape(), (Shape{0, 3}));
}

}  // namespace array_of_test
}  // namespace ddx::detail
