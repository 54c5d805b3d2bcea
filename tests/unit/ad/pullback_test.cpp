#include "ddx/ad/pullback.h"

#include "ddx/core/error.h"

#include "tests/support/thrown.h"
#include "tests/unit/ad/leaf.h"

#include <concepts>
#include <cstddef>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pullback_test {

using ddx::Pullback;
using ddx::detail::PullbackState;
using ddx::testing::Leaf;

using Vector = std::vector<double>;

/// The state that the compiler would make of y = factor * x, with x a vector.
class ScaledState final : public PullbackState<Vector, std::tuple<double, Vector>> {
 public:
  ScaledState(double factor, Vector x) : factor_(factor), x_(std::move(x)) {
    Vector y = x_;
    for (double& element : y) {
      element *= factor_;
    }
    value = std::move(y);
  }

  void reverse(const Vector& seed, std::tuple<double, Vector>& tangents) override {
    auto& [d_factor, d_x] = tangents;
    for (std::size_t i = 0; i < x_.size(); ++i) {
      d_factor += x_[i] * seed[i];
      d_x[i] += factor_ * seed[i];
    }
  }

 private:
  double factor_;
  Vector x_;
};

/// A pullback that adds nothing: its tangents stay what they were.
class SilentState final : public PullbackState<double, std::tuple<Leaf>> {
 public:
  SilentState() { value = 0.0; }
  void reverse(const double&, std::tuple<Leaf>& tangents) override { std::get<0>(tangents) = {}; }
};

using Scaled = Pullback<Vector, double, Vector>;

Scaled scaled(double factor, const Vector& x) {
  return Scaled(ddx::detail::make_owned<ScaledState>(factor, x), factor, x);
}

TEST(Pullback, ReturnsATupleForSeveralArguments) {
  const Scaled pullback = scaled(2.0, {3.0, 4.0});
  EXPECT_EQ(pullback(Vector{1.0, 10.0}), std::tuple(43.0, Vector{2.0, 20.0}));
}

TEST(Pullback, ReturnsTheTangentOfOneArgument) {
  const Pullback<double, Leaf> pullback(ddx::detail::make_owned<SilentState>(), Leaf{{1.0}});
  EXPECT_TRUE((std::same_as<decltype(pullback(1.0)), Leaf>));
}

TEST(Pullback, GivesASymbolicZeroTheShapeOfItsArgument) {
  const Pullback<double, Leaf> pullback(ddx::detail::make_owned<SilentState>(), Leaf{{1.0, 2.0}});
  EXPECT_EQ(pullback(1.0), (Leaf{{0.0, 0.0}}));
}

TEST(Pullback, StartsFromZeroAtEachCall) {
  const Scaled pullback = scaled(2.0, {3.0, 4.0});
  const auto first = pullback(Vector{1.0, 0.0});
  EXPECT_EQ(pullback(Vector{1.0, 0.0}), first);
}

TEST(Pullback, CopiesShareWhatOutlivesTheOriginal) {
  Scaled copy = scaled(1.0, {0.0});
  {
    const Scaled original = scaled(2.0, {3.0, 4.0});
    copy = original;
  }
  const Scaled moved = std::move(copy);
  EXPECT_EQ(std::get<0>(moved(Vector{1.0, 1.0})), 7.0);
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Scaled>);
}

TEST(Pullback, AnEmptyCotangentCountsAsZero) {
  EXPECT_EQ(scaled(2.0, {3.0, 4.0})(Vector{}), std::tuple(0.0, Vector{0.0, 0.0}));
}

TEST(Pullback, ACotangentOfAnotherLengthThrows) {
  const Scaled pullback = scaled(2.0, {3.0, 4.0});
  try {
    (void)pullback(Vector{1.0, 2.0, 3.0});
    FAIL() << "a cotangent of 3 elements was taken for a result of 2";
  } catch (const ddx::UsageError& error) {
    EXPECT_EQ(ddx::testing::without_called_at(error.what()),
              "conform: a tangent of 3 elements meets a value of 2");
  }
}

}  // namespace pullback_test
