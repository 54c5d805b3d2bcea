#include "ddx/ad/differentiable.h"

#include <array>
#include <concepts>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace differentiable_test {

using ddx::NoTangent;
using ddx::TangentOf;

template <class Scalar>
struct Dense {
  std::vector<Scalar> weights;
  Scalar bias[2];
  int units;
  DDX_DIFFERENTIABLE(Dense, weights, bias)
  DDX_NO_DERIVATIVE(units)
};

class Net {
 public:
  Dense<double> first;
  std::array<Dense<double>, 2> rest;
  bool training = false;
  DDX_DIFFERENTIABLE(Net, first, rest, training)
};

struct Flatten {
  DDX_DIFFERENTIABLE(Flatten)
};

struct Many {
  double f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14, f15, f16;
  double f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30, f31, f32;
  double f33, f34, f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45, f46, f47, f48;
  double f49, f50, f51, f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62, f63, f64;
  DDX_DIFFERENTIABLE(Many, f01, f02, f03, f04, f05, f06, f07, f08, f09, f10, f11, f12, f13, f14,
                     f15, f16, f17, f18, f19, f20, f21, f22, f23, f24, f25, f26, f27, f28, f29, f30,
                     f31, f32, f33, f34, f35, f36, f37, f38, f39, f40, f41, f42, f43, f44, f45, f46,
                     f47, f48, f49, f50, f51, f52, f53, f54, f55, f56, f57, f58, f59, f60, f61, f62,
                     f63, f64)
};

TEST(Differentiable, TangentHasTheMembersOfTheClass) {
  using Tangent = Dense<float>::TangentVector;
  EXPECT_TRUE((std::same_as<TangentOf<Dense<float>>, Tangent>));
  EXPECT_TRUE((std::same_as<decltype(Tangent::weights), std::vector<float>>));
  EXPECT_TRUE((std::same_as<decltype(Tangent::bias), float[2]>));
  EXPECT_TRUE((std::same_as<decltype(Net::TangentVector::first), Dense<double>::TangentVector>));
  EXPECT_TRUE((std::same_as<decltype(Net::TangentVector::rest),
                            std::array<Dense<double>::TangentVector, 2>>));
}

TEST(Differentiable, AListedMemberWithoutTangentHoldsNone) {
  EXPECT_TRUE((std::same_as<decltype(Net::TangentVector::training), NoTangent>));
}

TEST(Differentiable, AClassWithoutParametersHasAnEmptyTangent) {
  EXPECT_TRUE(ddx::Differentiable<Flatten>);
  EXPECT_EQ(std::tuple_size_v<decltype(Flatten::TangentVector{}.ddx_fields())>, 0U);
}

TEST(Differentiable, ATangentIsItsOwnTangent) {
  EXPECT_TRUE((std::same_as<TangentOf<Net::TangentVector>, Net::TangentVector>));
}

TEST(Differentiable, ADefaultTangentIsZero) {
  const Dense<double>::TangentVector tangent;
  EXPECT_TRUE(tangent.weights.empty());
  EXPECT_EQ(tangent.bias[0], 0.0);
  EXPECT_EQ(tangent.bias[1], 0.0);
}

TEST(Differentiable, FieldsReferToTheMembersInOrder) {
  Dense<double> layer{{1.0, 2.0}, {3.0, 4.0}, 2};
  EXPECT_EQ(&std::get<0>(layer.ddx_fields()), &layer.weights);
  EXPECT_EQ(&std::get<1>(layer.ddx_fields()), &layer.bias);
  const Dense<double>& constant = layer;
  EXPECT_TRUE((std::same_as<decltype(constant.ddx_fields()),
                            std::tuple<const std::vector<double>&, const double(&)[2]>>));
}

TEST(Differentiable, TangentsAddMemberByMember) {
  Net::TangentVector sum;
  Net::TangentVector step;
  step.first.weights = {1.0, 2.0};
  step.first.bias[1] = 3.0;
  step.rest[1].weights = {4.0};
  sum += step;
  sum += step;
  EXPECT_EQ(sum.first.weights, (std::vector{2.0, 4.0}));
  EXPECT_EQ(sum.first.bias[1], 6.0);
  EXPECT_TRUE(sum.rest[0].weights.empty());
  EXPECT_EQ(sum.rest[1].weights, std::vector{8.0});
}

TEST(Differentiable, TakesSixtyFourMembers) {
  Many::TangentVector tangent;
  EXPECT_EQ(std::tuple_size_v<decltype(tangent.ddx_fields())>, 64U);
  EXPECT_EQ(&std::get<63>(tangent.ddx_fields()), &tangent.f64);
}

TEST(Differentiable, NamesTheMembersWithoutDerivative) {
  // The compiler looks members up in this class by name.
  EXPECT_TRUE((std::same_as<decltype(Dense<double>::DdxNoDerivative::units), char>));
}

TEST(Differentiable, WorksInALocalClass) {
  struct Line {
    double slope, offset;
    DDX_DIFFERENTIABLE(Line, slope, offset)
  };
  Line::TangentVector tangent{1.0, 2.0};
  tangent += tangent;
  EXPECT_EQ(tangent.slope, 2.0);
  EXPECT_EQ(tangent.offset, 4.0);
}

}  // namespace differentiable_test
