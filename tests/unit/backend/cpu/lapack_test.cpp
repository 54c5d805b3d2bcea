// Linear algebra by LAPACK against the reference kernels, where the system has LAPACK.

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/ops/op.h"
#include "ddx/tensor/cholesky.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/eigh.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/qr.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/solve.h"
#include "ddx/tensor/stacking.h"
#include "ddx/tensor/svd.h"
#include "ddx/tensor/tensor.h"

#include "backend/cpu/lapack/kernels.h"
#include "backend/cpu/lapack/library.h"
#include "tests/support/near_tensors.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <thread>
#include <vector>

namespace ddx::backend::cpu {
namespace lapack_test {

using ops::Op;
using testing::expect_near;

using Doubles = Tensor<double>;

class ByLapack : public ::testing::Test {
 protected:
  void SetUp() override {
    if (lapack() == nullptr) {
      GTEST_SKIP() << "this system has no LAPACK";
    }
  }
};

/// A matrix that needs the blocked code of LAPACK, and for large n its threads.
Doubles regular(std::int64_t n, Device device) {
  return random_normal<double>(RandomKey(4), {n, n}, {}, device) + 30.0 * eye<double>(n, n, device);
}

TEST_F(ByLapack, AgreesWithTheReferenceOnMatricesOfSeveralBlocks) {
  const Doubles x = regular(150, Device::naive());
  const Doubles definite = matmul(x, x, {.transpose_right = true});
  const Doubles y = x.to(Device::cpu());
  const Doubles also_definite = definite.to(Device::cpu());
  expect_near(cholesky(also_definite), cholesky(definite), 1e-10);
  expect_near(solve(y, also_definite), solve(x, definite), 1e-10);
  expect_near(qr(y).q, qr(x).q, 1e-11);
  expect_near(qr(y).r, qr(x).r, 1e-11);
  expect_near(svdvals(y), svdvals(x), 1e-11);
  expect_near(eigvalsh(y), eigvalsh(x), 1e-11);
}

TEST_F(ByLapack, ComputesEachMatrixOfAStackAsAlone) {
  const Doubles x = random_normal<double>(RandomKey(5), {400, 6, 6}, {}, Device::cpu());
  const std::vector<Doubles> parts = unstack(x);
  const auto all = svd(x);
  const auto one = svd(parts[377]);
  EXPECT_EQ(unstack(all.u)[377], one.u);
  EXPECT_EQ(unstack(all.s)[377], one.s);
  EXPECT_EQ(unstack(all.v)[377], one.v);
}

TEST_F(ByLapack, GivesTheSameBitsFromSeveralThreads) {
  const Doubles x = regular(120, Device::cpu());
  const Doubles expected = inverse(x);
  std::vector<Doubles> results(4);
  std::vector<std::thread> threads;
  for (Doubles& result : results) {
    threads.emplace_back([&result, &x] { result = inverse(x); });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  for (const Doubles& result : results) {
    EXPECT_EQ(result, expected);
  }
}

TEST_F(ByLapack, LeavesTheThreadsOfOpenBlasAsTheyWere) {
  if (lapack()->openblas_set_num_threads == nullptr) {
    GTEST_SKIP() << "this LAPACK is no OpenBLAS";
  }
  const int before = lapack()->openblas_get_num_threads();
  lapack()->openblas_set_num_threads(2);
  (void)inverse(regular(100, Device::cpu()));
  EXPECT_EQ(lapack()->openblas_get_num_threads(), 2);
  lapack()->openblas_set_num_threads(before);
}

TEST(LapackKernels, AreOfOneFamilyAndForFloatingNumbers) {
  EXPECT_NE(lapack_kernel(Op::svd, DType::f32), nullptr);
  EXPECT_EQ(lapack_kernel(Op::svd, DType::i32), nullptr);
  EXPECT_EQ(lapack_kernel(Op::matmul, DType::f64), nullptr);
}

}  // namespace lapack_test
}  // namespace ddx::backend::cpu
