#include "ddx/ad/detail/element_type.h"

#include <gtest/gtest.h>
#include <list>
#include <type_traits>
#include <vector>

namespace {

using ddx::detail::ElementTypeOf;

/// An iterator that names no type of its elements.
struct Bare {
  const double& operator*() const { return number; }
  double number = 2;
};

TEST(ElementType, IsThatOfTheElements) {
  EXPECT_TRUE((std::is_same_v<ElementTypeOf<const double*>, double>));
  EXPECT_TRUE((std::is_same_v<ElementTypeOf<std::vector<float>::const_iterator>, float>));
  EXPECT_TRUE((std::is_same_v<ElementTypeOf<std::list<int>::iterator>, int>));
  EXPECT_TRUE((std::is_same_v<ElementTypeOf<Bare>, double>));
}

TEST(ElementType, OfAProxyIsNotTheProxy) {
  EXPECT_TRUE((std::is_same_v<ElementTypeOf<std::vector<bool>::iterator>, bool>));
}

}  // namespace
