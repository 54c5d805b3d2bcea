#include "ddx/ir/passes/rematerialise.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/evaluate.h"
#include "ddx/core/device.h"
#include "ddx/ir/fusion_plan.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ir/verifier.h"

#include "tests/support/random_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::ir {
namespace rematerialise_test {

/// The text of a graph whose arrays count as large, after rematerialisation.
std::string recomputed(const std::string& text) {
  const Graph result = rematerialise(parse_graph(text), 1);
  EXPECT_NO_THROW(verify(result));
  return to_text(result);
}

/// How many arrays a plan reads and writes.
std::size_t arrays_of(const Graph& graph) {
  std::size_t count = 0;
  for (const Cluster& cluster : plan_fusion(graph).clusters) {
    count += cluster.inputs.size() + cluster.outputs.size();
  }
  return count;
}

TEST(Rematerialise, PartsOfAnActivationAreMadeAgainFromItsOperand) {
  // %4 and %5 are read by the loop behind the second product; what they are made of is there.
  const char* const text = R"(graph(%0: f32[4, 4], %1: f32[4, 4], %2: f32[4]) {
    %3: f32[4, 4] = matmul(%0, %1)
    %4: f32[4, 4] = add(%3, %2)
    %5: f32[4, 4] = sigmoid(%4)
    %6: f32[4, 4] = mul(%4, %5)
    %7: f32[4, 4] = matmul(%6, %1)
    %8: f32[4, 4] = mul(%7, %5)
    %9: f32[4, 4] = mul(%8, %4)
    return %9
  })";
  EXPECT_EQ(recomputed(text),
            "graph(%0: f32[4, 4], %1: f32[4, 4], %2: f32[4]) {\n"
            "  %3: f32[4, 4] = matmul(%0, %1)\n"
            "  %4: f32[4, 4] = add(%3, %2)\n"
            "  %5: f32[4, 4] = sigmoid(%4)\n"
            "  %6: f32[4, 4] = mul(%4, %5)\n"
            "  %7: f32[4, 4] = matmul(%6, %1)\n"
            "  %8: f32[4, 4] = add(%3, %2)\n"
            "  %9: f32[4, 4] = sigmoid(%8)\n"
            "  %10: f32[4, 4] = mul(%7, %9)\n"
            "  %11: f32[4, 4] = mul(%10, %8)\n"
            "  return %11\n"
            "}\n");
  EXPECT_EQ(arrays_of(parse_graph(text)), 15U);
  EXPECT_EQ(arrays_of(rematerialise(parse_graph(text), 1)), 13U);
}

TEST(Rematerialise, WhatOnlyLaterLoopsNeedMovesThere) {
  EXPECT_EQ(recomputed(R"(graph(%0: f32[4, 4], %1: f32[4, 4]) {
    %2: f32[4, 4] = matmul(%0, %1)
    %3: f32[4, 4] = neg(%2)
    %4: f32[4, 4] = square(%3)
    %5: f32[4, 4] = matmul(%3, %1)
    %6: f32[4, 4] = mul(%5, %4)
    return %6
  })"),
            "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
            "  %2: f32[4, 4] = matmul(%0, %1)\n"
            "  %3: f32[4, 4] = neg(%2)\n"
            "  %4: f32[4, 4] = matmul(%3, %1)\n"
            "  %5: f32[4, 4] = neg(%2)\n"
            "  %6: f32[4, 4] = square(%5)\n"
            "  %7: f32[4, 4] = mul(%4, %6)\n"
            "  return %7\n"
            "}\n");
}

TEST(Rematerialise, WhatIsMadeOfAnotherLoopsElementsStays) {
  // The square would run in the loop of %2 again, which makes it for a product.
  const char* const text =
      "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
      "  %2: f32[4, 4] = neg(%0)\n"
      "  %3: f32[4, 4] = matmul(%2, %1)\n"
      "  %4: f32[4, 4] = add(%3, %2)\n"
      "  %5: f32[4, 4] = square(%4)\n"
      "  %6: f32[4, 4] = matmul(%4, %1)\n"
      "  %7: f32[4, 4] = mul(%6, %5)\n"
      "  return %7\n"
      "}\n";
  EXPECT_EQ(recomputed(text), text);
}

TEST(Rematerialise, WhatIsInMemoryForOthersStays) {
  for (const char* const text : {// A product and a result read it.
                                 "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
                                 "  %2: f32[4, 4] = neg(%0)\n"
                                 "  %3: f32[4, 4] = matmul(%2, %1)\n"
                                 "  %4: f32[4, 4] = mul(%3, %2)\n"
                                 "  return %4\n"
                                 "}\n",
                                 "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
                                 "  %2: f32[4, 4] = neg(%0)\n"
                                 "  %3: f32[4, 4] = square(%0)\n"
                                 "  %4: f32[4, 4] = matmul(%2, %1)\n"
                                 "  %5: f32[4, 4] = mul(%4, %3)\n"
                                 "  return %5, %3\n"
                                 "}\n"}) {
    EXPECT_EQ(recomputed(text), text);
  }
}

TEST(Rematerialise, WhatTakesLongerThanMemoryStays) {
  const char* const text =
      "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
      "  %2: f32[4, 4] = neg(%0)\n"
      "  %3: f32[4, 4] = lgamma(%2)\n"
      "  %4: f32[4, 4] = matmul(%2, %1)\n"
      "  %5: f32[4, 4] = mul(%4, %3)\n"
      "  return %5\n"
      "}\n";
  EXPECT_EQ(recomputed(text), text);
}

TEST(Rematerialise, NoMoreMemoryIsHeldForIt) {
  // Two products would have to be kept instead of their sum.
  const char* const text =
      "graph(%0: f32[4, 4], %1: f32[4, 4]) {\n"
      "  %2: f32[4, 4] = matmul(%0, %1)\n"
      "  %3: f32[4, 4] = matmul(%1, %0)\n"
      "  %4: f32[4, 4] = add(%2, %3)\n"
      "  %5: f32[4, 4] = square(%4)\n"
      "  %6: f32[4, 4] = matmul(%5, %1)\n"
      "  %7: f32[4, 4] = mul(%6, %4)\n"
      "  return %7\n"
      "}\n";
  EXPECT_EQ(recomputed(text), text);
}

TEST(Rematerialise, SmallArraysStay) {
  const Graph graph = parse_graph(R"(graph(%0: f32[4, 4], %1: f32[4, 4]) {
    %2: f32[4, 4] = neg(%0)
    %3: f32[4, 4] = square(%2)
    %4: f32[4, 4] = matmul(%2, %1)
    %5: f32[4, 4] = mul(%4, %3)
    return %5
  })");
  EXPECT_TRUE(rematerialise(graph) == graph);
}

TEST(Rematerialise, RandomGraphsKeepTheirValuesAndMoveNoMore) {
  std::size_t changed = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Graph graph = testing::random_graph(seed, 60);
    const Graph result = rematerialise(graph, 1);
    ASSERT_NO_THROW(verify(result));
    if (result == graph) {
      continue;
    }
    ++changed;
    EXPECT_LT(arrays_of(result), arrays_of(graph)) << to_text(graph) << to_text(result);
    const testing::Arguments arguments = testing::random_arguments(graph, seed);
    const auto run = [&](const Graph& made) {
      return backend::evaluate(made, arguments.parameters, arguments.scalars,
                               backend::backend_of(Device::naive()));
    };
    const std::vector<backend::Buffer> expected = run(graph);
    const std::vector<backend::Buffer> got = run(result);
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const std::size_t bytes = bytes_of(graph.type(graph.results()[i]));
      EXPECT_EQ(std::memcmp(got[i].data(), expected[i].data(), bytes), 0) << "result " << i;
    }
  }
  EXPECT_GT(changed, 20U);
}

}  // namespace rematerialise_test
}  // namespace ddx::ir
