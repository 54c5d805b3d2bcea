#include "ddx/tensor/detail/borrowed.h"

#include "ddx/tensor.h"
#include "ddx/tensor/compile.h"

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx::detail {
namespace borrowed_test {

struct Options {
  int count = 0;
};

template <class... T>
constexpr bool all_borrowed = (is_borrowed<T> && ...);
template <class... T>
constexpr bool none_holds_borrowed = (!holds_borrowed<T> && ...);

/// A class that is its own element, like a value of JSON.
struct Nested {
  using value_type = Nested;
};

TEST(Borrowed, ArePointersReferencesViewsAndIterators) {
  EXPECT_TRUE((all_borrowed<double*, const double*, const char*, void*, const Options*, double**>));
  EXPECT_TRUE((all_borrowed<std::span<const float>, std::span<int, 3>, std::string_view,
                            std::u8string_view>));
  EXPECT_TRUE((all_borrowed<std::reference_wrapper<double>, std::tuple<const double&, int>,
                            std::pair<int, Options&>>));
  EXPECT_TRUE((all_borrowed<std::vector<int>::iterator, std::set<int>::const_iterator,
                            std::reverse_iterator<std::deque<int>::iterator>>));
}

TEST(Borrowed, AreSeenInTuplesAndContainers) {
  EXPECT_TRUE((holds_borrowed<std::set<const double*>>));
  EXPECT_TRUE((holds_borrowed<std::tuple<int, std::pair<std::string_view, int>>>));
  EXPECT_TRUE((holds_borrowed<std::vector<std::array<char*, 2>>>));
  EXPECT_TRUE((holds_borrowed<std::map<int, std::optional<std::span<int>>>>));
}

TEST(Borrowed, AreNoValues) {
  EXPECT_TRUE((none_holds_borrowed<double, std::nullptr_t, std::string, Options, Nested>));
  EXPECT_TRUE((none_holds_borrowed<float (*)(float), int Options::*>));
  EXPECT_TRUE((none_holds_borrowed<std::vector<bool>, std::map<std::string, std::set<int>>,
                                   std::optional<std::tuple<int, std::array<double, 2>>>>));
}

float doubled(float x) {
  return 2 * x;
}
float halved(float x) {
  return x / 2;
}

// Given by name, it is passed as a pointer; each function has its own recording.
TEST(Borrowed, PointersToFunctionsAreValues) {
  int calls = 0;
  const auto f = compile([&](const Tensor<float>& x, float (*scale)(float)) {
    ++calls;
    return x * scale(1);
  });
  const Tensor<float> x(3.0F);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(f(x, doubled).item(), 6);
    EXPECT_EQ(f(x, &halved).item(), 1.5F);
  }
  EXPECT_EQ(calls, 2);
}

/// Compared as a whole: what its members point to is its own affair.
struct Named {
  const char* name = "";
  const double* table = nullptr;
  double* other = nullptr;

  friend bool operator==(const Named&, const Named&) = default;
};

TEST(Borrowed, MembersOfClassesThatAreComparedAsAWholeAreNotSeen) {
  int calls = 0;
  const auto f = compile([&](const Tensor<float>& x, const Named& named) {
    ++calls;
    return x * static_cast<float>(named.table[0]);
  });
  const double two = 2;
  const double three = 3;
  const Tensor<float> x(3.0F);
  EXPECT_EQ(f(x, Named{"a", &two}).item(), 6);
  EXPECT_EQ(f(x, Named{"a", &three}).item(), 9);
  EXPECT_EQ(f(x, Named{"a", &two}).item(), 6);
  EXPECT_EQ(calls, 2);
}

}  // namespace borrowed_test
}  // namespace ddx::detail
