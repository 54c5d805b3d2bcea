#include "ddx/ir/scalars.h"

#include "ddx/core/random_key.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attributes.h"

#include <gtest/gtest.h>
#include <variant>
#include <vector>

namespace ddx::ir {
namespace scalars_test {

TEST(BoundAttributes, GivenFieldsAreFilledInAndBakedOnesStay) {
  const Graph graph = parse_graph(R"(graph(; #0: number, #1: key) {
    %0: f32[2] = random_normal() {key = #1, mean = #0, deviation = 3}
    %1: f32[2] = full() {value = #0}
    return %0, %1
  })");
  const std::vector<ScalarValue> values{ops::Literal{.real = 0.5, .integer = 9}, RandomKey(7)};
  const auto normal =
      std::get<ops::RandomNormalAttributes>(bound_attributes(graph.node(0), values));
  EXPECT_EQ(normal.key, RandomKey(7));
  EXPECT_EQ(normal.mean, 0.5);
  EXPECT_EQ(normal.deviation, 3);
  const auto full = std::get<ops::FullAttributes>(bound_attributes(graph.node(1), values));
  EXPECT_EQ(full.value.real, 0.5);
  EXPECT_EQ(full.value.integer, 9);
}

}  // namespace scalars_test
}  // namespace ddx::ir
