// The graph of a gradient that a lazy device has recorded.

#include "ddx/tensor/recorded_graph.h"

#include "ddx/ad/operators.h"
#include "ddx/core/device.h"
#include "ddx/ir/passes/optimise.h"
#include "ddx/ir/text.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <gtest/gtest.h>
#include <vector>

namespace ddx {
namespace {

TEST(RecordedGraph, ShowsAGradient) {
  const Tensor<float> x({1, 2, 3}, Device::lazy());
  const auto slope = gradient([](const Tensor<float>& v) { return sum(v * v * v); }, x);
  const ir::Graph graph = recorded_graph(slope);
  EXPECT_EQ(graph.parameters().size(), 1U);
  EXPECT_EQ(ir::to_text(ir::optimised(graph)),
            "graph(%0: f32[3]) {\n"
            "  %1: f32[3] = mul(%0, %0)\n"
            "  %2: f32[3] = add(%1, %1)\n"
            "  %3: f32[3] = add(%2, %1)\n"
            "  return %3\n"
            "}\n");
  EXPECT_EQ(slope.values(), (std::vector<float>{3, 12, 27}));
}

}  // namespace
}  // namespace ddx
