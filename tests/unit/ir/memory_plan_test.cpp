#include "ddx/ir/memory_plan.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attribute_fields.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/op.h"

#include "tests/support/random_graph.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::ir {
namespace memory_plan_test {

std::string planned(const std::string& text, const std::vector<bool>& donated = {}) {
  const Graph graph = parse_graph(text);
  return to_text(graph, plan_memory(graph, donated));
}

TEST(MemoryPlan, AChainOfElementwiseOperationsNeedsOnePlace) {
  EXPECT_EQ(planned(R"(graph(%0: f32[100]) {
    %1: f32[100] = neg(%0)
    %2: f32[100] = exp(%1)
    %3: f32[100] = mul(%2, %2)
    %4: f32[] = sum(%3) {axes = 1}
    return %4
  })"),
            "%1: f32[100] = neg(%0)  ; at 0\n"
            "%2: f32[100] = exp(%1)  ; at 0\n"
            "%3: f32[100] = mul(%2, %2)  ; at 0\n"
            "%4: f32[] = sum(%3) {axes = 1}  ; result 0\n"
            "arena of 448 bytes\n");
}

TEST(MemoryPlan, WhatRegionsReadIsNotWrittenOver) {
  EXPECT_EQ(planned(R"(graph(%0: f32[16]) {
    %1: f32[16] = neg(%0)
    %2: f32[16] = scan(%1) {carries = 1, trips = 2,
      body = graph(%0: f32[16]) { return %0 }
    }
    %3: f32[] = sum(%2) {axes = 1}
    return %3
  })"),
            "%1: f32[16] = neg(%0)  ; at 0\n"
            "%2: f32[16] = scan(%1)  ; at 64\n"
            "%3: f32[] = sum(%2) {axes = 1}  ; result 0\n"
            "arena of 128 bytes\n");
}

TEST(MemoryPlan, WhatIsReadLaterIsNotWrittenOver) {
  EXPECT_EQ(planned(R"(graph(%0: f32[16]) {
    %1: f32[16] = neg(%0)
    %2: f32[16] = exp(%1)
    %3: f32[16] = mul(%1, %2)
    return %3
  })"),
            "%1: f32[16] = neg(%0)  ; result 0\n"
            "%2: f32[16] = exp(%1)  ; at 0\n"
            "%3: f32[16] = mul(%1, %2)  ; result 0\n"
            "arena of 64 bytes\n");
}

TEST(MemoryPlan, ADonatedParameterTakesItsSuccessor) {
  const char* const text =
      "graph(%0: f32[16], %1: f32[16]) { %2: f32[16] = add_scaled(%0, %1) {scale = 2} return %2 }";
  EXPECT_EQ(planned(text),
            "%2: f32[16] = add_scaled(%0, %1) {scale = 2}  ; result 0\narena of 0 bytes\n");
  EXPECT_EQ(planned(text, {true}),
            "%2: f32[16] = add_scaled(%0, %1) {scale = 2}  ; parameter 0\narena of 0 bytes\n");
  EXPECT_EQ(planned(text, {false, true}),
            "%2: f32[16] = add_scaled(%0, %1) {scale = 2}  ; parameter 1\narena of 0 bytes\n");
}

TEST(MemoryPlan, AStretchedOperandIsNotWrittenOver) {
  // Its elements are read again after the first result is there.
  EXPECT_EQ(planned(R"(graph(%0: f32[4]) {
    %1: f32[4] = neg(%0)
    %2: f32[1, 4] = reshape(%1)
    %3: f32[4, 1] = reshape(%1)
    %4: f32[4, 4] = add(%2, %3)
    return %4
  })"),
            "%1: f32[4] = neg(%0)  ; at 0\n"
            "%2: f32[1, 4] = reshape(%1)  ; at 0\n"
            "%3: f32[4, 1] = reshape(%1)  ; at 0\n"
            "%4: f32[4, 4] = add(%2, %3)  ; result 0\n"
            "arena of 64 bytes\n");
}

TEST(MemoryPlan, AReshapeKeepsItsOperandAlive) {
  EXPECT_EQ(planned(R"(graph(%0: f32[4]) {
    %1: f32[4] = neg(%0)
    %2: f32[2, 2] = reshape(%1)
    %3: f32[4] = exp(%1)
    %4: f32[2] = sum(%2) {axes = 1}
    return %3, %4
  })"),
            "%1: f32[4] = neg(%0)  ; at 0\n"
            "%2: f32[2, 2] = reshape(%1)  ; at 0\n"
            "%3: f32[4] = exp(%1)  ; result 0\n"
            "%4: f32[2] = sum(%2) {axes = 1}  ; result 1\n"
            "arena of 64 bytes\n");
}

TEST(MemoryPlan, AnUpdateWritesOverItsFirstOperandAlone) {
  const char* const begin = "graph(%0: f32[4]) { %1: f32[4] = neg(%0) %2: f32[4] = exp(%0) ";
  EXPECT_EQ(planned(begin + std::string("%3: f32[4] = update_slice(%1, %2) {step = [1]} "
                                        "%4: f32[] = sum(%3) {axes = 1} return %4 }")),
            "%1: f32[4] = neg(%0)  ; at 0\n"
            "%2: f32[4] = exp(%0)  ; at 64\n"
            "%3: f32[4] = update_slice(%1, %2) {step = [1]}  ; at 0\n"
            "%4: f32[] = sum(%3) {axes = 1}  ; result 0\n"
            "arena of 128 bytes\n");
  EXPECT_EQ(planned(begin + std::string("%3: f32[4] = update_slice(%1, %1) {step = [1]} "
                                        "%4: f32[] = sum(%3) {axes = 1} return %4, %2 }")),
            "%1: f32[4] = neg(%0)  ; at 0\n"
            "%2: f32[4] = exp(%0)  ; result 1\n"
            "%3: f32[4] = update_slice(%1, %1) {step = [1]}  ; at 64\n"
            "%4: f32[] = sum(%3) {axes = 1}  ; result 0\n"
            "arena of 128 bytes\n");
}

TEST(MemoryPlan, GapsAreUsedAgain) {
  // The first of the three dies before the last is made, and is large enough for it.
  EXPECT_EQ(planned(R"(graph(%0: f32[32]) {
    %1: f32[32] = cumulative_sum(%0)
    %2: f32[16] = slice(%1) {step = [1]}
    %3: f32[8] = slice(%2) {step = [2]}
    %4: f32[32] = concatenate(%2, %2)
    %5: f32[] = sum(%4) {axes = 1}
    return %5, %3
  })"),
            "%1: f32[32] = cumulative_sum(%0)  ; at 0\n"
            "%2: f32[16] = slice(%1) {step = [1]}  ; at 128\n"
            "%3: f32[8] = slice(%2) {step = [2]}  ; result 1\n"
            "%4: f32[32] = concatenate(%2, %2)  ; at 0\n"
            "%5: f32[] = sum(%4) {axes = 1}  ; result 0\n"
            "arena of 192 bytes\n");
}

/// Runs the graph in the memory that the plan says, and returns its results.
std::vector<std::vector<std::byte>> run_in(const Graph& graph, const MemoryPlan& plan,
                                           const testing::Arguments& arguments) {
  std::vector<backend::Buffer> parameters;
  for (const ops::View& view : arguments.parameters) {
    const std::size_t bytes = bytes_of({view.shape(), view.dtype()});
    parameters.emplace_back(bytes);
    std::memcpy(parameters.back().data(), view.data<std::byte>(), bytes);
  }
  std::vector<backend::Buffer> results;
  for (const ValueId result : graph.results()) {
    results.emplace_back(bytes_of(graph.type(result)));
  }
  const backend::Buffer arena(plan.arena_bytes);
  const auto data_of = [&](ValueId value) {
    const Home& home = plan[value];
    switch (home.kind) {
      case Home::Kind::Parameter:
        return parameters[home.place].data();
      case Home::Kind::Result:
        return results[home.place].data();
      case Home::Kind::Arena:
        return arena.data() + home.place;
    }
    __builtin_unreachable();
  };
  const auto& kernels = backend::backend_of(Device::naive()).kernels();
  for (std::size_t i = 0; i < graph.node_count(); ++i) {
    const Node node = graph.node(i);
    if (node.op == ops::Op::reshape) {
      EXPECT_EQ(data_of(node.result()), data_of(node.operands[0]));
      continue;
    }
    std::vector<ops::View> inputs;
    std::vector<ops::View> outputs;
    for (const ValueId operand : node.operands) {
      inputs.emplace_back(data_of(operand), graph.type(operand).shape, graph.type(operand).dtype);
    }
    outputs.emplace_back(data_of(node.result()), graph.type(node.result()).shape,
                         graph.type(node.result()).dtype);
    const ops::KeyPlace place = ops::key_place(node.op.row());
    const DType key = (place.among_results ? outputs : inputs)[place.index].dtype();
    const ops::Attributes attributes = bound_attributes(node, arguments.scalars);
    kernels.at(node.op.row(), key).kernel()(ops::Call(inputs, outputs, ops::struct_of(attributes)));
  }
  std::vector<std::vector<std::byte>> bytes;
  for (const ValueId result : graph.results()) {
    bytes.emplace_back(data_of(result), data_of(result) + bytes_of(graph.type(result)));
  }
  return bytes;
}

TEST(MemoryPlan, RandomGraphsComputeTheSameInIt) {
  std::size_t planned_bytes = 0;
  std::size_t all_bytes = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = testing::random_graph(seed, 40);
    const testing::Arguments arguments = testing::random_arguments(graph, seed);
    std::vector<bool> donated;
    for (std::size_t i = 0; i < graph.parameters().size(); ++i) {
      donated.push_back((seed + i) % 3 == 0);
    }
    const MemoryPlan plan = plan_memory(graph, donated);
    const auto expected = backend::evaluate(graph, arguments.parameters, arguments.scalars,
                                            backend::backend_of(Device::naive()));
    const auto got = run_in(graph, plan, arguments);
    for (std::size_t i = 0; i < got.size(); ++i) {
      ASSERT_EQ(std::memcmp(got[i].data(), expected[i].data(), got[i].size()), 0)
          << "result " << i << "\n"
          << to_text(graph, plan);
    }
    planned_bytes += plan.arena_bytes;
    for (std::size_t i = 0; i < graph.node_count(); ++i) {
      all_bytes += arena_alignment;  // At least.
    }
  }
  EXPECT_LT(planned_bytes, all_bytes / 2);
}

}  // namespace memory_plan_test
}  // namespace ddx::ir
