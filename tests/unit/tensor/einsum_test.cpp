#include "ddx/tensor/einsum.h"

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/creation.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/thrown.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx {
namespace einsum_test {

using testing::thrown;

const Tensor<float> a{{1, 2, 3}, {4, 5, 6}};

TEST(Einsum, MovesSumsAndMultiplies) {
  EXPECT_EQ(einsum("ij->ji", a), (Tensor<float>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(einsum("ij -> i", a), (Tensor<float>{6, 15}));
  EXPECT_EQ(einsum("ij,ij", a, a), Tensor<float>(91.0F));
  EXPECT_EQ(einsum("ij,kj->ik", a, a), (Tensor<float>{{14, 32}, {32, 77}}));
  EXPECT_EQ(einsum(std::string("ij,j->i"), a, Tensor<float>{1, 0, 2}), (Tensor<float>{7, 16}));
}

TEST(Einsum, OrdersAnImpliedResultByTheAlphabet) {
  EXPECT_EQ(einsum("zA", a), (Tensor<float>{{1, 4}, {2, 5}, {3, 6}}));
  EXPECT_EQ(einsum("ba", a), einsum("ba->ab", a));
  EXPECT_EQ(einsum("i...", a).shape(), (Shape{3, 2}));
}

TEST(Einsum, KeepsEmptyAxes) {
  EXPECT_EQ(einsum("ij,jk->ik", zeros<float>({2, 0}), zeros<float>({0, 3})), zeros<float>({2, 3}));
  EXPECT_EQ(einsum("ij,jk->ik", zeros<float>({0, 2}), zeros<float>({2, 3})).shape(), (Shape{0, 3}));
  EXPECT_EQ(einsum("i->", zeros<float>({0})), Tensor<float>(0.0F));
  EXPECT_EQ(einsum("", Tensor<float>(4.0F)), Tensor<float>(4.0F));
}

TEST(Einsum, RunsOnTheDeviceOfItsOperands) {
  const auto x = a.to(Device::naive());
  EXPECT_EQ(einsum("ij,kj->ki", x, x).device(), Device::naive());
}

/// The order in which a chain of matrices is multiplied.
TEST(Einsum, ContractsThePairFirstThatMakesTheValuesSmallest) {
  const auto plan = detail::einsum_plan("ij,jk,kl->il", {{10, 1000}, {1000, 5}, {5, 500}});
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.steps[0].left, 0U);
  EXPECT_EQ(plan.steps[0].right, 1U);
  const auto other = detail::einsum_plan("ij,jk,kl->il", {{500, 5}, {5, 1000}, {1000, 10}});
  EXPECT_EQ(other.steps[0].left, 1U);
  EXPECT_EQ(other.steps[0].right, 2U);
}

TEST(Einsum, MovesNoResultThatIsInOrder) {
  EXPECT_TRUE(detail::einsum_plan("bij,bjk->kib", {{2, 3, 4}, {2, 4, 5}}).order.empty());
  EXPECT_TRUE(detail::einsum_plan("ij->ij", {{2, 3}}).order.empty());
  EXPECT_EQ(detail::einsum_plan("ij->ji", {{2, 3}}).order, (Indices{1, 0}));
  EXPECT_TRUE(einsum("ij", a).shares_storage_with(a));
}

TEST(Einsum, NamesTheSubscriptAndBothExtents) {
  EXPECT_EQ(thrown<UsageError>([] { (void)einsum("ij,jk->ik", a, a); }),
            "einsum: subscript 'j' has extent 3 in operand 0 and 2 in operand 1; equation "
            "\"ij,jk->ik\" (here)");
  EXPECT_EQ(thrown<UsageError>([] { (void)einsum("ii", a); }),
            "einsum: subscript 'i' represents extents 2 and 3 of operand 0; shape [2, 3]; equation "
            "\"ii\" (here)");
  EXPECT_EQ(
      thrown<UsageError>([] { (void)einsum("...,...", a, zeros<float>({3, 3})); }),
      "einsum: axis -2 of the ellipsis has extent 2 in operand 0 and 3 in operand 1; equation "
      "\"...,...\" (here)");
}

TEST(Einsum, NamesWhatIsNoEquation) {
  const auto message = [](const char* equation) {
    const std::string text =
        thrown<UsageError>([&] { (void)einsum(equation, std::vector<Tensor<float>>{a, a}); });
    return text.substr(0, text.find("; equation"));
  };
  EXPECT_EQ(message("ij->ij"), "einsum: 1 operands are named and 2 given");
  EXPECT_EQ(message("ij,j1->i"), "einsum: '1' is no subscript");
  EXPECT_EQ(message("ij,..->i"), "einsum: '.' is no subscript");
  EXPECT_EQ(message("ij,ijk->i"),
            "einsum: operand 1 has rank 2, and \"ijk\" names 3 axes; shape [2, 3]");
  EXPECT_EQ(message("ij,i->i"),
            "einsum: operand 1 has rank 2, and \"i\" names 1 axes; shape [2, 3]");
  EXPECT_EQ(message("ij,ij...k->i"),
            "einsum: operand 1 has rank 2, and \"ij...k\" names 3 axes; shape [2, 3]");
  EXPECT_EQ(message("ij,ij->k"), "einsum: subscript 'k' of the result is in no operand");
  EXPECT_EQ(message("ij,ij->ii"), "einsum: subscript 'i' stands twice in the result");
  EXPECT_EQ(message("...j,...j->j"),
            "einsum: the result has no ellipsis for the axes of those of the operands");
  EXPECT_EQ(message("......j,ij->j"), "einsum: '.' is no subscript");
}

// 300 * 300 is infinite in f16, and 256 + 1 is 256 in bf16.
TEST(Einsum, AddsProductsOf16BitsInFloats) {
  EXPECT_EQ(cast<float>(einsum("i,i->", Tensor<Half>{300, 300, 1}, Tensor<Half>{300, -300, 1})),
            Tensor<float>(1));
  EXPECT_EQ(cast<float>(einsum("i,i->", Tensor<BFloat16>{256, 1, 1}, Tensor<BFloat16>{1, 1, 1})),
            Tensor<float>(258));
}

TEST(Einsum, NamesTheDevices) {
  EXPECT_EQ(
      thrown<UsageError>([] { (void)einsum("ij,ij", a.to(Device::naive()), a.to(Device::cpu())); }),
      "einsum: operands lie on devices naive and cpu; shapes [2, 3] and [2, 3]");
}

}  // namespace einsum_test
}  // namespace ddx
