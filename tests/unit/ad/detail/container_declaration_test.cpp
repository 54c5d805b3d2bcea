#include "ddx/ad/detail/container_declaration.h"

#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"

#include <concepts>
#include <deque>
#include <gtest/gtest.h>
#include <string>

namespace container_declaration_test {

TEST(DequeTangent, IsADequeOfTangents) {
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::deque<float>>, std::deque<float>>));
  EXPECT_TRUE((std::same_as<ddx::TangentOf<std::deque<std::string>>, ddx::NoTangent>));
}

TEST(DequeTangent, AddsAndTakesTheLengthOfItsValue) {
  std::deque<double> tangent;
  ddx::detail::conform<std::deque<double>>(tangent, {1, 2, 3});
  ddx::detail::accumulate(tangent, std::deque<double>{4, 5, 6});
  EXPECT_EQ(ddx::detail::take(tangent), (std::deque<double>{4, 5, 6}));
  EXPECT_EQ(tangent, std::deque<double>(3));
}

}  // namespace container_declaration_test
