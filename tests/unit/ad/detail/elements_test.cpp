#include "ddx/ad/detail/elements.h"

#include "ddx/core/error.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx::detail {
namespace elements_test {

using Vector = std::vector<double>;

TEST(AddElements, AddsAsManyAsAreGiven) {
  Vector into{1, 2, 3};
  const Vector from{10, 20};
  add_elements(into.data(), from.data(), from.size());
  EXPECT_EQ(into, (Vector{11, 22, 3}));
}

TEST(AddElements, TakesAVectorWithoutElementsForZeros) {
  Vector into{1, 2};
  add_elements(into.data(), Vector{});
  EXPECT_EQ(into, (Vector{1, 2}));
  Vector unshaped;
  add_elements(unshaped, into.data(), into.size());
  EXPECT_EQ(unshaped, into);
}

TEST(AddElements, RefusesAnotherLength) {
  Vector into{1, 2};
  const Vector from{1, 2, 3};
  EXPECT_THROW(add_elements(into, from.data(), from.size()), UsageError);
  add_elements(into, from.data(), 2);
  EXPECT_EQ(into, (Vector{2, 4}));
}

TEST(ElementRange, VisitsAsManyAsAreGiven) {
  Vector numbers{1, 2, 3};
  for (double& number : element_range(numbers.data(), 2)) {
    number = 0;
  }
  EXPECT_EQ(numbers, (Vector{0, 0, 3}));
}

TEST(Elements, MakesZerosOfASymbolicZero) {
  Vector cotangent;
  EXPECT_EQ(elements(cotangent, 3)[2], 0);
  EXPECT_EQ(cotangent, Vector(3));
  EXPECT_EQ(elements(cotangent, 3), cotangent.data());
  EXPECT_THROW((void)elements(cotangent, 2), UsageError);
}

}  // namespace elements_test
}  // namespace ddx::detail
