#include "ddx/backend/backend.h"

#include "ddx/backend/kernel_table.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ops/op.h"
#include "ddx/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>

namespace ddx::backend {
namespace backend_test {

TEST(Registry, KnowsTheNaiveBackEndWithoutBeingTold) {
  EXPECT_EQ(backend_of(Device::naive()).name(), "naive");
  const auto devices = available_devices();
  EXPECT_EQ(devices.front(), Device::naive());
}

void answer(const ops::Call& call) noexcept {
  for (std::int64_t i = 0; i < call.output().shape().count(); ++i) {
    call.output().mutable_data<float>()[i] = 42;
  }
}

TEST(Registry, AProgramMayBringItsOwnBackEnd) {
  const Backend& before = backend_of(Device::naive());
  static KernelTable kernels;
  kernels.set(ops::Op::full, DType::f32, answer);
  kernels.set(ops::Op::exp, DType::f32, unsupported("it only knows the answer"));
  static const Backend own("own", kernels);
  register_backend(Device::Kind::Naive, own);
  EXPECT_EQ(backend_of(Device::naive()).name(), "own");
  const auto x = zeros<float>({2}, Device::naive());
  EXPECT_EQ(x, (Tensor<float>{42, 42}));
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)exp(x); }),
            "exp: unsupported on device naive for f32: it only knows the answer");
  EXPECT_EQ(testing::thrown<UsageError>([&] { (void)log(x); }),
            "log: unsupported on device naive for f32: this back end has no kernel for it");
  register_backend(Device::Kind::Naive, before);
}

}  // namespace backend_test
}  // namespace ddx::backend
