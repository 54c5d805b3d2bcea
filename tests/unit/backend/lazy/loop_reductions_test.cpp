#include "backend/lazy/loop_reductions.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/evaluate.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/ops/kernel.h"

#include "backend/cpu/isa.h"
#include "backend/cpu_jit/loop_compiler.h"
#include "backend/cpu_jit/object_code.h"
#include "backend/lazy/fused_loop.h"
#include "backend/lazy/plan.h"
#include "tests/support/loop_choice.h"
#include "tests/support/random_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ddx::backend::lazy {
namespace loop_reductions_test {

/// How many of the graph's nodes its only loop has.
std::size_t nodes_in_loop(const Plan& plan) {
  return plan.loops().size() == 1 ? plan.loops()[0].nodes().size() : 0;
}

/// Expects that the only loop of a plan has so many nodes, and that a plan gives the bits of node
/// by node.
void expect_same(const std::string& text, std::size_t nodes) {
  SCOPED_TRACE(text);
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(text);
  const Backend& backend = backend_of(Device::cpu());
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 3);
  const Arguments given{arguments.parameters, arguments.scalars, {}};
  const Plan plan(graph);
  if (cpu_jit::is_on()) {
    EXPECT_EQ(nodes_in_loop(plan), nodes);
  }
  const auto expected = outcomes_of(graph, given, backend);
  const auto got = plan.run(given, backend);
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i].error, nullptr);
    EXPECT_EQ(std::memcmp(got[i].elements.data(), expected[i].elements.data(),
                          bytes_of(graph.type(graph.results()[i]))),
              0)
        << "result " << i;
  }
}

// More than one chunk, and last pieces that are not whole.
TEST(LoopReductions, OfAllElements) {
  for (const char* const count : {"2048", "4097", "131071", "300001", "1300000"}) {
    const std::string n = count;
    for (const char* const dtype : {"f32", "f64"}) {
      const std::string t = dtype;
      expect_same("graph(%0: " + t + "[" + n + "], %1: " + t + "[" + n + "]) {\n  %2: " + t + "[" +
                      n + "] = sub(%0, %1)\n  %3: " + t + "[" + n + "] = square(%2)\n  %4: " + t +
                      "[] = mean(%3) {axes = 1}\n  %5: " + t + "[] = sum(%2) {axes = 1}\n  %6: " +
                      t + "[] = max(%3) {axes = 1}\n  %7: " + t +
                      "[] = min(%2) {axes = 1}\n  return %4, %5, %6, %7\n}",
                  6);
    }
  }
}

TEST(LoopReductions, OfWhatOthersReadToo) {
  expect_same(R"(graph(%0: f32[200000]) {
    %1: f32[200000] = exp(%0)
    %2: f32[200000] = mul(%1, %0)
    %3: f32[] = sum(%1) {axes = 1}
    %4: f32[] = sum(%2) {axes = 1}
    return %3, %1, %4
  })",
              4);
}

TEST(LoopReductions, OfOneOperation) {
  expect_same(R"(graph(%0: f32[500, 400]) {
    %1: f32[500, 400] = square(%0)
    %2: f32[] = sum(%1) {axes = 3, keep_dims = false}
    return %2
  })",
              2);
}

TEST(LoopReductions, OfRows) {
  for (const char* const shape :
       {"700, 900", "3, 20000", "90000, 7", "4099, 1", "1, 5000", "129, 65536", "2, 65537"}) {
    const std::string x = "f32[" + std::string(shape) + "]";
    const std::string rows(shape, std::strchr(shape, ','));
    const bool is_reduced = rows != "2" && std::string(shape) != "4099, 1";
    expect_same("graph(%0: " + x + ") {\n  %1: " + x + " = exp(%0)\n  %2: " + x +
                    " = mul(%1, %0)\n  %3: f32[" + rows + "] = sum(%2) {axes = 2}\n  %4: f32[" +
                    rows + "] = max(%1) {axes = 2}\n  return %3, %4\n}",
                is_reduced ? 4U : 2U);
  }
}

// The loop sums long rows itself, in one or several blocks; short ones are pieces.
TEST(LoopReductions, OfRowsThatAreSummed) {
  for (const char* const shape :
       {"700, 900", "90000, 7", "513, 511", "513, 512", "41, 4096", "40, 4097", "9, 60001"}) {
    const std::string x = "f32[" + std::string(shape) + "]";
    const std::string rows(shape, std::strchr(shape, ','));
    expect_same("graph(%0: " + x + ") {\n  %1: " + x + " = exp(%0)\n  %2: " + x +
                    " = mul(%1, %0)\n  %3: f32[" + rows + "] = sum(%2) {axes = 2}\n  %4: f32[" +
                    rows + "] = mean(%1) {axes = 2}\n  %5: f32[" + rows +
                    "] = mean(%2) {axes = 2}\n  return %3, %4, %5\n}",
                5);
  }
}

// Of one array a sum and an extreme, of others a sum alone, in memory too, and of another type.
TEST(LoopReductions, OfAllElementsInSeveralWays) {
  expect_same(R"(graph(%0: f32[300001], %1: f64[300001]) {
    %2: f32[300001] = square(%0)
    %3: f32[300001] = neg(%2)
    %4: f32[300001] = add(%2, %0)
    %5: f64[300001] = mul(%1, %1)
    %6: f32[] = sum(%2) {axes = 1}
    %7: f32[] = max(%2) {axes = 1}
    %8: f32[] = mean(%3) {axes = 1}
    %9: f32[] = sum(%4) {axes = 1}
    return %6, %7, %8, %9, %4, %5
  })",
              7);
}

TEST(LoopReductions, OfSeveralLastAxes) {
  expect_same(R"(graph(%0: f64[40, 3, 50, 11]) {
    %1: f64[40, 3, 50, 11] = square(%0)
    %2: f64[40, 3, 50, 11] = mul(%1, %0)
    %3: f64[40, 3] = mean(%2) {axes = 12}
    %4: f64[40, 3] = min(%2) {axes = 12}
    %5: f64[40, 50] = sum(%2) {axes = 10}
    return %3, %4, %5
  })",
              4);
}

// Rows and columns that are read for all, and reductions that go in other pieces than the first.
TEST(LoopReductions, OfStretchedOperands) {
  expect_same(R"(graph(%0: f32[700, 900], %1: f32[900], %2: f32[700, 1]) {
    %3: f32[700, 900] = sub(%0, %1)
    %4: f32[700, 900] = mul(%3, %2)
    %5: f32[700] = sum(%4) {axes = 2}
    %6: f32[900] = sum(%4) {axes = 1}
    %7: f32[] = sum(%4) {axes = 3}
    return %5, %6, %7
  })",
              3);
  expect_same(R"(graph(%0: f32[90000, 7], %1: f32[7]) {
    %2: f32[90000, 7] = sub(%0, %1)
    %3: f32[90000, 7] = mul(%2, %0)
    %4: f32[90000] = max(%3) {axes = 2}
    return %4
  })",
              3);
  expect_same(R"(graph(%0: f32[90, 8, 70], %1: f32[8, 70]) {
    %2: f32[90, 8, 70] = sub(%0, %1)
    %3: f32[90, 8, 70] = mul(%2, %0)
    %4: f32[90, 8] = max(%3) {axes = 4}
    return %4
  })",
              3);
  expect_same(R"(graph(%0: f32[90, 8, 70], %1: f32[70]) {
    %2: f32[90, 8, 70] = sub(%0, %1)
    %3: f32[90, 8, 70] = mul(%2, %0)
    %4: f32[90] = mean(%3) {axes = 6}
    %5: f32[] = mean(%3) {axes = 7}
    return %4, %5
  })",
              3);
}

// Pieces of chunks begin anywhere, but where rows are read for all they may not.
TEST(LoopReductions, AreLeftWhereTheirPiecesAreNotThoseOfTheLoop) {
  expect_same(R"(graph(%0: f32[700, 901], %1: f32[901]) {
    %2: f32[700, 901] = sub(%0, %1)
    %3: f32[700, 901] = mul(%2, %0)
    %4: f32[] = sum(%3) {axes = 3}
    return %4
  })",
              2);
  expect_same(R"(graph(%0: f32[3, 257, 1021], %1: f32[257, 1021]) {
    %2: f32[3, 257, 1021] = sub(%0, %1)
    %3: f32[3, 257, 1021] = mul(%2, %0)
    %4: f32[3, 257] = sum(%3) {axes = 4}
    return %4
  })",
              2);
}

TEST(LoopReductions, OfNaNsAndZeros) {
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[10000]) {
    %1: f32[10000] = neg(%0)
    %2: f32[] = max(%1) {axes = 1}
    %3: f32[] = sum(%1) {axes = 1}
    return %2, %3
  })");
  const Backend& backend = backend_of(Device::cpu());
  std::vector<float> elements(10000, 0.0F);
  for (const bool has_nan : {false, true}) {
    elements[5000] = has_nan ? std::numeric_limits<float>::quiet_NaN() : 0.0F;
    const ops::View view(elements.data(), graph.type(graph.parameters()[0]).shape, DType::f32);
    const Arguments given{{&view, 1}, {}, {}};
    const auto expected = outcomes_of(graph, given, backend);
    const auto got = Plan(graph).run(given, backend);
    for (std::size_t i = 0; i < 2; ++i) {
      const float wanted = *reinterpret_cast<const float*>(expected[i].elements.data());
      const float is = *reinterpret_cast<const float*>(got[i].elements.data());
      EXPECT_TRUE(has_nan ? is != is && wanted != wanted
                          : std::memcmp(&is, &wanted, sizeof(is)) == 0);
    }
  }
}

// Nothing else has these loops, whose code never comes: in blocks, and of one operation.
TEST(LoopReductions, AreLeftToKernelsWhereThereIsNoCode) {
  const auto before = cpu_jit::set_object_compiler(
      [](std::span<const cpu_jit::FunctionText>, cpu::Isa) -> cpu_jit::ObjectCode {
        throw EnvironmentError("compile loops", "not today");
      });
  expect_same(R"(graph(%0: f32[300, 1000]) {
    %1: f32[300, 1000] = cosh(%0)
    %2: f32[300, 1000] = div(%1, %0)
    %3: f32[300] = sum(%2) {axes = 2}
    %4: f32[300] = max(%1) {axes = 2}
    return %3, %4
  })",
              4);
  expect_same(R"(graph(%0: f32[200000]) {
    %1: f32[200000] = sinh(%0)
    %2: f32[] = mean(%1) {axes = 1}
    return %2
  })",
              2);
  cpu_jit::set_object_compiler(before);
}

TEST(LoopReductions, WhatOnlyTheyReadIsNeverInMemory) {
  if (!cpu_jit::is_on()) {
    GTEST_SKIP() << "no LLVM";
  }
  const ddx::testing::LoopChoice choice({.in_background = false});
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[3000000]) {
    %1: f32[3000000] = square(%0)
    %2: f32[3000000] = mul(%1, %0)
    %3: f32[] = sum(%2) {axes = 1}
    return %3
  })");
  const ddx::testing::Arguments arguments = ddx::testing::random_arguments(graph, 1);
  const Plan plan(graph);
  const std::size_t before = memory_statistics().in_use;
  reset_memory_peak();
  (void)plan.run({arguments.parameters, {}, {}}, backend_of(Device::cpu()));
  EXPECT_LT(memory_statistics().peak - before, 1000000U);
}

}  // namespace loop_reductions_test
}  // namespace ddx::backend::lazy
