#include "ddx/backend/evaluate.h"

#include "ddx/backend/backend.h"
#include "ddx/backend/buffer.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/scalars.h"
#include "ddx/ir/text.h"
#include "ddx/ops/attributes.h"
#include "ddx/ops/check.h"
#include "ddx/ops/kernel.h"
#include "ddx/ops/site.h"

#include <array>
#include <cstddef>
#include <exception>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <vector>

namespace ddx::backend {
namespace evaluate_test {

const Shape two{2};
alignas(64) constexpr std::array<float, 2> x{3, 4};

std::vector<float> floats(const Buffer& buffer, std::size_t count) {
  const auto* const data = reinterpret_cast<const float*>(buffer.data());
  return {data, data + count};
}

std::vector<Buffer> run(const std::string& text, const std::vector<ir::ScalarValue>& scalars = {}) {
  const ops::View view(x.data(), two, DType::f32);
  return evaluate(ir::parse_graph(text), {&view, 1}, scalars, backend_of(Device::naive()));
}

TEST(Evaluate, RunsNodesInTheirOrder) {
  const auto results = run(R"(graph(%0: f32[2]) {
    %1: f32[2] = square(%0)
    %2: f32[2] = sub(%1, %0)
    %3: f32[] = sum(%2) {axes = 1}
    return %3, %1
  })");
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(floats(results[0], 1), (std::vector<float>{9 - 3 + 16 - 4}));
  EXPECT_EQ(floats(results[1], 2), (std::vector<float>{9, 16}));
}

TEST(Evaluate, ScalarsCountAtEachRun) {
  const std::string text =
      "graph(%0: f32[2]; #0: number) { %1: f32[2] = add_scaled(%0, %0) {scale = #0} return %1 }";
  EXPECT_EQ(floats(run(text, {ops::Literal{.real = 2}})[0], 2), (std::vector<float>{9, 12}));
  EXPECT_EQ(floats(run(text, {ops::Literal{.real = -1}})[0], 2), (std::vector<float>{0, 0}));
}

TEST(Evaluate, AResultThatIsAParameterIsACopyAndEqualResultsShare) {
  const auto results = run("graph(%0: f32[2]) { %1: f32[2] = neg(%0) return %0, %1, %1 }");
  EXPECT_EQ(floats(results[0], 2), (std::vector<float>{3, 4}));
  EXPECT_NE(reinterpret_cast<const float*>(results[0].data()), x.data());
  EXPECT_TRUE(results[1] == results[2]);
}

TEST(Evaluate, GivesMemoryBackAsSoonAsNobodyReadsIt) {
  // A chain of ten arrays of 1 MiB: two of them live at any time.
  std::string text = "graph(%0: f32[2]) { %1: f32[262144] = full() {value = 1}";
  for (int i = 2; i < 12; ++i) {
    text += " %" + std::to_string(i) + ": f32[262144] = neg(%" + std::to_string(i - 1) + ")";
  }
  reset_memory_peak();
  const std::size_t before = memory_statistics().in_use;
  const auto results = run(text + " return %11 }");
  EXPECT_EQ(floats(results[0], 1), (std::vector<float>{1}));
  EXPECT_LT(memory_statistics().peak - before, std::size_t{3} << 20);
}

TEST(Evaluate, OtherArgumentsThanTheGraphsAreRefused) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message([] { run("graph(%0: f32[3]) { return %0 }"); }),
            "evaluate: parameter 0 is f32[2], not f32[3]");
  EXPECT_EQ(
      message([] { run("graph(; #0: key) { return }"); }),
      "evaluate: the graph has 0 parameters, 1 scalars and 0 checks, given are 1 parameters, 0 "
      "scalars and 0 checks");
}

/// Refuses elements of the first operand above 3.
std::optional<std::string> large_element(const ops::Call& call) {
  const auto* const elements = call.input(0).data<float>();
  if (elements[0] > 3 || elements[1] > 3) {
    return "too large";
  }
  return std::nullopt;
}

TEST(Evaluate, WhatFailsACheckTakesAlongWhatDependsOnItAndNothingElse) {
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[2]; checks 2) {
    %1: f32[2] = neg(%0) !1
    %2: f32[2] = square(%0) !0
    %3: f32[2] = add(%1, %2)
    %4: f32[2] = square(%3) !1
    return %1, %2, %3, %4
  })");
  const ops::View view(x.data(), two, DType::f32);
  bool after = false;
  static bool* seen = nullptr;
  seen = &after;
  const std::array checks{
      ops::Check{.before = large_element, .site = {"first"}},
      ops::Check{.after = [](const ops::Call& call,
                             const ops::Site&) { *seen = call.output().data<float>()[1] == -4; },
                 .site = {"second"}}};
  const auto outcomes = outcomes_of(graph, {{&view, 1}, {}, checks}, backend_of(Device::naive()));
  EXPECT_TRUE(after);
  EXPECT_EQ(outcomes[0].error, nullptr);
  EXPECT_EQ(floats(outcomes[0].elements, 2), (std::vector<float>{-3, -4}));
  for (std::size_t i = 1; i < 4; ++i) {
    try {
      std::rethrow_exception(outcomes[i].error);
    } catch (const UsageError& error) {
      EXPECT_STREQ(error.what(), "first: too large");
    }
  }
}

}  // namespace evaluate_test
}  // namespace ddx::backend
