#include "backend/lazy/trace_trie.h"

#include "ddx/backend/buffer.h"
#include "ddx/core/dtype.h"
#include "ddx/core/shape.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "backend/lazy/cpu_executor.h"
#include "backend/lazy/flush_points.h"
#include "backend/lazy/operation.h"
#include "backend/lazy/trace_trie_match.h"
#include "backend/lazy_value.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ddx::backend::lazy {
namespace trace_trie_test {

/// An array as operations see it.
class Array {
 public:
  explicit Array(Shape shape, DType dtype = DType::f32)
      : shape_(shape), dtype_(dtype), buffer_(Buffer(256)) {}
  Array(Shape shape, DType dtype, std::uint32_t result)
      : shape_(shape), dtype_(dtype), buffer_(Buffer::lazy()) {
    lazy_value_of(*buffer_.block())->result = result;
    lazy_value_of(*buffer_.block())->dtype = dtype;
  }

  [[nodiscard]] Array with_shape(Shape shape) const {
    Array other = *this;
    other.shape_ = shape;
    return other;
  }
  [[nodiscard]] ops::View view() const {
    return {buffer_.is_lazy() ? nullptr : buffer_.data(), shape_, dtype_, buffer_.block()};
  }

 private:
  Shape shape_;
  DType dtype_;
  Buffer buffer_;
};

/// A bare number.
class Number {
 public:
  explicit Number(float value) : value_(value) {}
  [[nodiscard]] ops::View view() const { return {&value_, shape_, DType::f32}; }

 private:
  float value_;
  Shape shape_;
};

/// A sequence of operations on its way through a tree.
class Walk {
 public:
  explicit Walk(TraceTrie& tree) : tree_(tree) {}

  template <class Attributes = ops::NoAttributes, class... Operands>
  Array operator()(ops::Op op, Shape shape, const Attributes& attributes,
                   const Operands&... operands) {
    return apply(op, shape, DType::f32, attributes, {}, {operands.view()...});
  }
  Array apply(ops::Op op, Shape shape, DType dtype, const auto& attributes, const ops::Check& check,
              const std::vector<ops::View>& inputs) {
    Array result(shape, dtype, count_++);
    const ops::View output = result.view();
    const std::span views(inputs);
    const std::span outputs(&output, 1);
    const Operation operation{op, views, outputs, &attributes, check, {}};
    const TraceTrie::Node known = tree_.known(node_, operation, given_);
    node_ = known != TraceTrie::root ? known : tree_.add(node_, operation, given_);
    return result;
  }

  [[nodiscard]] TraceTrie::Node node() const { return node_; }
  [[nodiscard]] const TraceInputs& given() const { return given_; }
  [[nodiscard]] std::string text() const {
    auto recorded = tree_.graph_of(node_);
    recorded.graph.set_results({recorded.results.back()});
    return to_text(recorded.graph);
  }

 private:
  TraceTrie& tree_;
  TraceTrie::Node node_ = TraceTrie::root;
  std::uint32_t count_ = 0;
  TraceInputs given_;
};

constexpr ops::NoAttributes none;

TEST(TraceTrie, AnEqualSequenceEndsAtTheSamePlace) {
  TraceTrie tree(nullptr);
  const Array x({2, 3});
  const auto walk = [&](const Array& a, float factor, double scale) {
    Walk steps(tree);
    const Array y = steps(ops::Op::mul, {2, 3}, none, a, Number(factor));
    (void)steps(ops::Op::add_scaled, {2, 3}, ops::ScaleAttributes{scale}, y, a);
    return std::pair(steps.node(), steps.given());
  };
  const auto [first, given] = walk(x, 0.3F, 0.7);
  const Array other({2, 3});
  const auto [again, given_again] = walk(other, 0.4F, 0.9);
  EXPECT_EQ(again, first);
  ASSERT_EQ(given_again.arrays.size(), 1U) << "used twice";
  EXPECT_EQ(given_again.arrays[0].buffer.block(), block_of(other.view()));
  ASSERT_EQ(given_again.scalars.size(), 2U);
  EXPECT_EQ(std::get<ops::Literal>(given_again.scalars[0]).real, 0.4F);
  EXPECT_EQ(std::get<ops::Literal>(given_again.scalars[1]).real, 0.9);
}

TEST(TraceTrie, EveryDifferenceLeadsElsewhere) {
  TraceTrie tree(nullptr);
  const Array x({2, 3});
  const Array y({2, 3});
  std::vector<TraceTrie::Node> nodes;
  const auto add = [&](auto step) {
    Walk walk(tree);
    const Array first = walk(ops::Op::add, {2, 3}, none, x, x);
    step(walk, first);
    for (const TraceTrie::Node node : nodes) {
      EXPECT_NE(walk.node(), node) << "case " << nodes.size();
    }
    nodes.push_back(walk.node());
    Walk again(tree);
    step(again, again(ops::Op::add, {2, 3}, none, x, x));
    EXPECT_EQ(again.node(), walk.node()) << "case " << nodes.size();
  };
  const ops::Check check{.before = [](const ops::Call&) { return std::optional<std::string>(); }};
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, x); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::sub, {2, 3}, none, a, x); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, x, a); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, a); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, y); });
  add([&](Walk& walk, const Array& a) {
    (void)walk(ops::Op::mul, {2, 3}, none, a, x.with_shape({3}));
  });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, Number(0.3F)); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, Number(2)); });
  add([&](Walk& walk, const Array& a) { (void)walk(ops::Op::mul, {2, 3}, none, a, Number(1)); });
  add([&](Walk& walk, const Array& a) {
    (void)walk(ops::Op::mul, {3, 2}, none, a.with_shape({3, 2}), x.with_shape({3, 2}));
  });
  add([&](Walk& walk, const Array& a) {
    (void)walk.apply(ops::Op::equal, {2, 3}, DType::boolean, none, {}, {a.view(), x.view()});
  });
  add([&](Walk& walk, const Array& a) {
    (void)walk.apply(ops::Op::mul, {2, 3}, DType::f32, none, check, {a.view(), x.view()});
  });
  add([&](Walk& walk, const Array& a) {
    (void)walk(ops::Op::sum, {3}, ops::ReductionAttributes{1, false}, a);
  });
  add([&](Walk& walk, const Array& a) {
    (void)walk(ops::Op::sum, {1, 3}, ops::ReductionAttributes{1, true}, a);
  });
}

TEST(TraceTrie, AFieldOfTheAttributesLeadsElsewhere) {
  TraceTrie tree(nullptr);
  const Array x({4, 4});
  std::set<TraceTrie::Node> nodes;
  for (int turn = 0; turn < 2; ++turn) {
    const auto add = [&](ops::Op op, const auto& attributes, const auto&... operands) {
      Walk walk(tree);
      (void)walk(op, {4, 4}, attributes, x, operands...);
      nodes.insert(walk.node());
    };
    for (const bool left : {false, true}) {
      for (const bool right : {false, true}) {
        add(ops::Op::matmul, ops::MatmulAttributes{left, right}, x);
      }
    }
    for (const std::size_t axis : {0U, 1U}) {
      for (const bool reverse : {false, true}) {
        add(ops::Op::cumulative_sum, ops::CumulativeAttributes{axis, reverse});
      }
    }
    for (const bool lower : {false, true}) {
      add(ops::Op::triangular_solve, ops::TriangleAttributes{.lower = lower}, x);
      add(ops::Op::triangular_solve, ops::TriangleAttributes{.lower = lower, .unit_diagonal = true},
          x);
    }
  }
  EXPECT_EQ(nodes.size(), 12U);
}

TEST(TraceTrie, AnExtentLeadsElsewhere) {
  TraceTrie of_operands(nullptr);
  TraceTrie of_results(nullptr);
  std::vector<Shape> shapes{{},     {2},       {3},       {2, 3},    {3, 2},      {2, 3, 4},
                            {2, 4}, {2, 3, 5}, {2, 1, 4}, {1, 3, 4}, {2, 3, 4, 1}};
  std::set<TraceTrie::Node> operands;
  std::set<TraceTrie::Node> results;
  for (int turn = 0; turn < 4; ++turn) {
    for (const Shape& shape : shapes) {
      Walk reduced(of_operands);
      (void)reduced(ops::Op::sum, {}, ops::ReductionAttributes{}, Array(shape));
      operands.insert(reduced.node());
      Walk stretched(of_results);
      (void)stretched(ops::Op::broadcast_to, shape, none, Array({}));
      results.insert(stretched.node());
    }
    std::ranges::reverse(shapes);  // What was looked for last is looked at first.
  }
  EXPECT_EQ(operands.size(), shapes.size());
  EXPECT_EQ(results.size(), shapes.size());
}

TEST(TraceTrie, APlaceKnowsTheHashOfWhatLeadsThere) {
  TraceTrie tree(nullptr);
  const Array x({4});
  std::uint64_t hash = FlushPoints::empty_hash;
  Walk walk(tree);
  EXPECT_EQ(tree.hash(walk.node()), hash);
  for (const ops::Op op : {ops::Op::exp, ops::Op::neg, ops::Op::exp}) {
    (void)walk(op, {4}, none, x);
    hash = FlushPoints::extended(hash, tree.signature(walk.node()));
    EXPECT_EQ(tree.hash(walk.node()), hash);
  }
  Walk other(tree);
  (void)other(ops::Op::neg, {4}, none, x);
  EXPECT_NE(tree.hash(other.node()), hash);
}

TEST(TraceTrie, WhatAStepThatDoesNotMatchTakesIsTakenBack) {
  TraceTrie tree(nullptr);
  const Array x({4});
  const Array y({4});
  const auto walk = [&](float number, auto&& second, double scale) {
    Walk steps(tree);
    const Array square = steps(ops::Op::mul, {4}, none, x, x);
    (void)steps(ops::Op::add_scaled, {4}, ops::ScaleAttributes{scale}, Number(number),
                second(square));
    return steps.given();
  };
  const auto result = [](const Array& square) { return square; };
  const auto array = [&](const Array&) { return y; };
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(walk(0.3F, result, 0.7).scalars.size(), 2U);
    const TraceInputs given = walk(0.4F, array, 0.9);
    ASSERT_EQ(given.scalars.size(), 2U);
    EXPECT_EQ(std::get<ops::Literal>(given.scalars[0]).real, 0.4F);
    EXPECT_EQ(given.arrays.size(), 2U);
    EXPECT_EQ(walk(0.3F, array, 0.5).scalars.size(), 1U);
  }
}

TEST(TraceTrie, OperandsThatAreDifferentArraysAreNotTheSameOne) {
  TraceTrie tree(nullptr);
  const Array x({4});
  const Array y({4});
  Walk square(tree);
  (void)square(ops::Op::mul, {4}, none, x, x);
  Walk product(tree);
  (void)product(ops::Op::mul, {4}, none, x, y);
  EXPECT_NE(product.node(), square.node());
  EXPECT_EQ(product.given().arrays.size(), 2U);
}

TEST(TraceTrie, AGraphHasParametersScalarsAndReshapes) {
  TraceTrie tree(nullptr);
  const Array x({2, 3});
  const Array b({3});
  Walk walk(tree);
  const Array y = walk(ops::Op::add, {2, 3}, none, x, b);
  const Array z = walk(ops::Op::mul, {6}, none, y.with_shape({6}), Number(0.3F));
  (void)walk(ops::Op::mul, {6}, none, z, x.with_shape({6}));
  EXPECT_EQ(walk.text(), R"(graph(%0: f32[2, 3], %1: f32[3]; #0: number) {
  %2: f32[2, 3] = add(%0, %1)
  %3: f32[6] = reshape(%2)
  %4: f32[] = full() {value = #0}
  %5: f32[6] = mul(%3, %4)
  %6: f32[6] = reshape(%0)
  %7: f32[6] = mul(%5, %6)
  return %7
}
)");
}

TEST(TraceTrie, PlansAreMadeOnce) {
  TraceTrie tree(nullptr);
  const Array x({4});
  Walk walk(tree);
  (void)walk(ops::Op::neg, {4}, none, walk(ops::Op::exp, {4}, none, x));
  const std::vector<std::uint32_t> last{1};
  const std::vector<std::uint32_t> both{0, 1};
  const auto plan = tree.plan_of(walk.node(), last, cpu_executor());
  EXPECT_EQ(tree.plan_of(walk.node(), last, cpu_executor()), plan);
  EXPECT_NE(tree.plan_of(walk.node(), both, cpu_executor()), plan);
  EXPECT_EQ(plan->recorded().results().size(), 1U);
  EXPECT_EQ(tree.plan_of(walk.node(), both, cpu_executor())->recorded().results().size(), 2U);
}

TEST(TraceTrie, WhatFollowsInManyWaysIsStillRight) {
  TraceTrie tree(nullptr);
  for (int turn = 0; turn < 3; ++turn) {
    for (Shape::Extent n = 1; n < 60; ++n) {
      Walk walk(tree);
      const Array x({n});
      const Array y = walk(ops::Op::exp, {n}, none, x);
      (void)walk(ops::Op::neg, {n}, none, y);
      const auto recorded = tree.graph_of(walk.node());
      ASSERT_EQ(recorded.graph.node_count(), 2U);
      ASSERT_EQ(recorded.graph.type(recorded.results[1]).shape, Shape{n});
    }
  }
}

TEST(TraceTrie, TellsWhenItIsLarge) {
  TraceTrie tree(nullptr);
  Walk walk(tree);
  Array x({1});
  std::size_t steps = 0;
  while (!tree.is_large() && steps < 100'000) {
    x = walk(ops::Op::exp, {1}, none, x);
    ++steps;
  }
  EXPECT_EQ(steps, 32768U);
  tree.clear();
  EXPECT_FALSE(tree.is_large());
}

}  // namespace trace_trie_test
}  // namespace ddx::backend::lazy
