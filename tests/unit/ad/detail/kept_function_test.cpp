#include "ddx/ad/detail/kept_function.h"

#include "ddx/ad/detail/memory.h"
#include "ddx/core/error.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <utility>

namespace kept_function_test {

using namespace ddx::detail;

struct Scaled {
  double factor;
  double operator()(double x) const { return factor * x; }
};

struct Referring {
  int before;
  const double& factor;
  double operator()(double x) const { return factor * x; }
};

double twice(double x) {
  return 2 * x;
}
double silent(double x) noexcept {
  return x;
}

TEST(KeptFunction, CopiesShareTheObject) {
  const std::function<double(double)> first =
      KeptFunction<Scaled>(::new (allocate<Scaled>()) Scaled{3});
  const std::function<double(double)> second = first;
  EXPECT_EQ(second(2), 6);
  ASSERT_NE(held_function<Scaled>(first), nullptr);
  EXPECT_EQ(held_function<Scaled>(first), held_function<Scaled>(second));
}

TEST(KeptFunction, AnObjectOfTheCallerIsFoundToo) {
  const std::function<double(double)> function = Scaled{3};
  ASSERT_NE(held_function<Scaled>(function), nullptr);
  EXPECT_EQ(held_function<Scaled>(function)->factor, 3);
  EXPECT_EQ(held_function<Referring>(function), nullptr);
}

TEST(KeptFunction, ReferencesAreBoundToWhatIsKept) {
  auto* const factor = ::new (allocate<double>()) double{5};
  const double other = 0;
  auto* const made = ::new (allocate<Referring>()) Referring{1, other};
  bind_reference(made, alignof(const double*), *factor);
  const KeptFunction<Referring> kept(made, {Shared<const void>(factor)});
  EXPECT_EQ(&std::launder(kept.get())->factor, factor);
}

TEST(KeptFunction, ThePlaceOfAConstantCanBeMade) {
  const std::unique_ptr<const double> place(::new (allocate<double>()) double{0});
  ::new (raw(*place)) double{4};
  EXPECT_EQ(*std::launder(place.get()), 4);
}

TEST(KeptFunction, FunctionsAreCompared) {
  std::function<double(double)> function = twice;
  EXPECT_TRUE(holds_function(function, &twice));
  EXPECT_FALSE(holds_function(function, &silent));
  function = silent;
  EXPECT_TRUE(holds_function(function, &silent));
  function = Scaled{1};
  EXPECT_FALSE(holds_function(function, &twice));
}

TEST(KeptFunction, WhatIsUnknownThrows) {
  EXPECT_THROW(throw_unknown_function(std::function<double(double)>()), std::bad_function_call);
  EXPECT_THROW(throw_unknown_function(std::function<double(double)>(twice)), ddx::UsageError);
}

}  // namespace kept_function_test
