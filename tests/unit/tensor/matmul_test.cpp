#include "ddx/tensor/matmul.h"

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/ranges.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <source_location>
#include <utility>
#include <vector>

namespace ddx {
namespace matmul_test {

using testing::thrown;

TEST(Matmul, MultipliesRowsByColumns) {
  const Tensor<double> a{{1, 2}, {3, 4}, {5, 6}};
  const Tensor<double> b{{1, 0, 2}, {0, 1, 3}};
  EXPECT_EQ(matmul(a, b), (Tensor<double>{{1, 2, 8}, {3, 4, 18}, {5, 6, 28}}));
  EXPECT_EQ(matmul(a, a, {.transpose_left = true}), (Tensor<double>{{35, 44}, {44, 56}}));
}

TEST(Matmul, NamesWhatDoesNotFit) {
  const auto a = zeros<float>({2, 3});
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a, zeros<float>({4, 5})); }),
            "matmul: inner extents 3 and 4 differ; shapes [2, 3] and [4, 5] (here)");
  EXPECT_EQ(thrown<UsageError>(
                [&] { (void)matmul(a, a, {.transpose_left = true, .transpose_right = true}); }),
            "matmul: inner extents 2 and 3 differ; shapes [2, 3] transposed and [2, 3] transposed "
            "(here)");
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a, zeros<float>({3})); }),
            "matmul: ranks 2 and 1 are not both at least 2; shapes [2, 3] and [3] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)matmul(zeros<float>({4, 2, 3}), zeros<float>({5, 3, 2})); }),
      "matmul: leading extents 4 and 5 differ; shapes [4, 2, 3] and [5, 3, 2] (here)");
  EXPECT_EQ(
      thrown<UsageError>([&] { (void)matmul(zeros<float>({4, 2, 3}), zeros<float>({1, 5, 2})); }),
      "matmul: inner extents 3 and 5 differ; shapes [4, 2, 3] and [1, 5, 2] (here)");
  const auto elsewhere = zeros<float>({3, 2}, Device::naive()).to(Device::cpu());
  EXPECT_EQ(thrown<UsageError>([&] { (void)matmul(a.to(Device::naive()), elsewhere); }),
            "matmul: operands lie on devices naive and cpu; shapes [2, 3] and [3, 2] (here)");
}

/// 1, 2, 3, ... in this shape.
Tensor<double> counted_from_one(const Shape& shape) {
  return reshape(iota<double>(shape.count()), shape) + 1.0;
}

/// The matrix of a stack whose leading axes broadcast to `leading` at this place.
Tensor<double> matrix_at(const Tensor<double>& x, const Shape& leading, std::int64_t place) {
  const Shape matrix{x.shape()[x.rank() - 2], x.shape()[x.rank() - 1]};
  std::vector<std::int64_t> extents(leading.extents().begin(), leading.extents().end());
  extents.insert(extents.end(), {matrix[0], matrix[1]});
  const auto all = reshape(broadcast_to(x, Shape(extents)), {-1, matrix[0], matrix[1]});
  return reshape(slice(all, {.start = {place, 0, 0}, .stop = {place + 1, matrix[0], matrix[1]}}),
                 matrix);
}

// numpy.matmul of arange(1, ...) with these shapes.
TEST(Matmul, LeadingAxesBroadcast) {
  const auto y = matmul(counted_from_one({2, 1, 1, 2}), counted_from_one({3, 2, 1}));
  EXPECT_EQ(y.shape(), (Shape{2, 3, 1, 1}));
  EXPECT_EQ(y.values(), (std::vector<double>{5, 11, 17, 11, 25, 39}));
  EXPECT_EQ(matmul(counted_from_one({1, 1, 2}), counted_from_one({1, 1, 2, 1})),
            Tensor<double>(Shape{1, 1, 1, 1}, {5}));
  EXPECT_EQ(matmul(zeros<double>({5, 2, 0}), zeros<double>({1, 0, 3})), zeros<double>({5, 2, 3}));
  EXPECT_EQ(matmul(zeros<double>({0, 2, 1}), zeros<double>({1, 1, 3})), zeros<double>({0, 2, 3}));
}

TEST(Matmul, BroadcastsAsLoopsOverTheStackDo) {
  const Shape leading{4, 2, 3};
  for (const Device device : {Device::naive(), Device::cpu(), Device::lazy()}) {
    for (const auto& [of_a, of_b] : {std::pair{Shape{2, 1}, Shape{4, 1, 3}},
                                     {Shape{4, 2, 3}, Shape{1, 3}},
                                     {Shape{4, 2, 1}, Shape{3}}}) {
      const auto stack = [](const Shape& shape, std::int64_t rows, std::int64_t columns) {
        std::vector<std::int64_t> extents(shape.extents().begin(), shape.extents().end());
        extents.insert(extents.end(), {rows, columns});
        return counted_from_one(Shape(extents));
      };
      const auto a = stack(of_a, 5, 2);
      const auto b = stack(of_b, 5, 3);
      const MatmulOptions options{.transpose_left = true};
      const auto dy = stack(leading, 2, 3);
      const auto where = std::source_location::current();
      const auto [y, pullback] = matmul_vjp(a.to(device), b.to(device), options, where);
      const auto [da, db] = pullback(dy.to(device), Wanted<2>::all());
      EXPECT_EQ(y.shape(), (Shape{4, 2, 3, 2, 3}));
      EXPECT_EQ(da.shape(), a.shape());
      EXPECT_EQ(db.shape(), b.shape());
      double products_a = 0;  // <da, a> = <dy, y> = <db, b>, as the product is linear in each.
      for (std::int64_t place = 0; place < leading.count(); ++place) {
        const auto expected =
            matmul(matrix_at(a, leading, place), matrix_at(b, leading, place), options);
        EXPECT_EQ(matrix_at(y.to(Device::cpu()), leading, place), expected) << device << place;
        products_a += sum(expected * matrix_at(dy, leading, place)).item();
      }
      EXPECT_DOUBLE_EQ(sum(da.to(Device::cpu()) * a).item(), products_a) << device;
      EXPECT_DOUBLE_EQ(sum(db.to(Device::cpu()) * b).item(), products_a) << device;
    }
  }
}

}  // namespace matmul_test
}  // namespace ddx
