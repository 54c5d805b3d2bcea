#include "ddx/tensor/qr.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/matmul.h"
#include "ddx/tensor/random.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/near_tensors.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>

namespace ddx {
namespace qr_test {

using testing::expect_near;
using testing::thrown;

/// Orthonormal columns times a triangle without negative elements on its diagonal is the matrix.
template <FloatingScalar Scalar>
void expect_factors(const Tensor<Scalar>& x, bool full, double tolerance) {
  const auto [q, r] = qr(x, {.full = full});
  const std::int64_t columns = q.shape()[q.rank() - 1];
  const auto unit = eye<Scalar>(columns, columns, x.device());
  expect_near(matmul(q, q, {.transpose_left = true}),
              q.rank() == 2 ? unit : broadcast_to(unit, {x.shape()[0], columns, columns}),
              tolerance);
  expect_near(matmul(q, r), x, tolerance);
  EXPECT_EQ(band_part(r, 0, -1), r);
  EXPECT_TRUE(all(greater_equal(diagonal_part(r), Scalar{0})).item());
}

TEST(Qr, HasTheFactorsOfASmallMatrix) {
  // 3/5, 4/5 is the first column; 0.6 * 1 + 0.8 * 2 = 2.2; what remains of (1, 2) is (-0.32, 0.24).
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const auto [q, r] = qr(Tensor<double>({2, 2}, {3, 1, 4, 2}, device));
    expect_near(q, Tensor<double>{{0.6, -0.8}, {0.8, 0.6}}, 1e-15);
    expect_near(r, Tensor<double>{{5, 2.2}, {0, 0.4}}, 1e-15);
  }
}

TEST(Qr, FactorsMatricesOfAnyShape) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    for (const Shape& shape :
         {Shape{1, 1}, Shape{6, 4}, Shape{4, 6}, Shape{3, 5, 2}, Shape{2, 3, 3}, Shape{40, 30},
          Shape{3, 0}, Shape{0, 3}, Shape{0, 3, 2}}) {
      SCOPED_TRACE(to_string(device) + " " + to_string(shape));
      for (const bool full : {false, true}) {
        expect_factors(random_normal<double>(RandomKey(1), shape, {}, device), full, 1e-13);
        expect_factors(random_normal<float>(RandomKey(2), shape, {}, device), full, 2e-5);
      }
    }
  }
}

TEST(Qr, StaysOrthogonalForAnIllConditionedMatrix) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    expect_factors(testing::hilbert<double>(10, device), false, 1e-14);
    expect_factors(testing::hilbert<float>(10, device), false, 2e-6);
  }
}

TEST(Qr, FactorsMatricesWithoutFullRank) {
  for (const Device device : {Device::naive(), Device::cpu()}) {
    const Tensor<double> twice(Shape{3, 2}, {1, 2, 2, 4, 3, 6}, device);
    expect_factors(twice, false, 1e-14);
    EXPECT_EQ((qr(twice).r[{1, 1}]), 0) << "except for rounding, the columns are parallel";
    expect_factors(zeros<double>({3, 3}, device), true, 0);
  }
}

TEST(Qr, HasNoDerivativeWhereItIsNotUnique) {
  constexpr std::source_location here = std::source_location::current();
  EXPECT_EQ(thrown<UsageError>([&] { (void)qr_vjp(ones<double>({3, 2}), {.full = true}, {}); }),
            "qr: complete factors of matrices that are not square have no derivative: their last "
            "columns may be any basis; shape [3, 2]");
  const Tensor<double> twice{{1, 2}, {2, 4}};
  const auto pullback = qr_vjp(twice, {}, here).pullback;
  EXPECT_EQ(thrown<UsageError>([&] {
              (void)pullback({ones<double>({2, 2}), Tensor<double>()});
            }).substr(0, 73),
            "triangular_solve: matrix is singular: zero on its diagonal at 1; shape [2");
}

TEST(Qr, NamesWhatIsNoMatrix) {
  EXPECT_EQ(thrown<UsageError>([] { (void)qr(zeros<float>({4})); }),
            "qr: the operand is no matrix; shape [4] (here)");
}

}  // namespace qr_test
}  // namespace ddx
