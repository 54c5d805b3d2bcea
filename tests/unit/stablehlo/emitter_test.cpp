#include "ddx/stablehlo/emitter.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"
#include "ddx/stablehlo/verifier.h"

#include "tests/support/random_graph.h"
#include "tests/support/thrown.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::stablehlo {
namespace emitter_test {

using ddx::testing::thrown;

/// The lines of the function, without those around it.
std::string lines_of(const Emitted& emitted) {
  const std::string text = to_text(emitted.module);
  const std::size_t begin = text.find("  func.func");
  return text.substr(begin, text.rfind("}\n", text.size() - 1) - begin);
}

std::string lines_of(std::string_view graph, const EmitOptions& options = {}) {
  const Emitted emitted = emit(ir::parse_graph(graph), options);
  verify(emitted.module);
  return lines_of(emitted);
}

TEST(Emitter, StretchesOperandsAsTheFrontEndDoes) {
  EXPECT_EQ(lines_of("graph(%0: f32[2, 3], %1: f32[3]) {\n"
                     "  %2: f32[2, 3] = add(%0, %1)\n  return %2\n}"),
            R"(  func.func @main(%0: tensor<2x3xf32>, %1: tensor<3xf32>) -> (tensor<2x3xf32>) {
    %2 = "stablehlo.broadcast_in_dim"(%1) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%3) : (tensor<2x3xf32>) -> ()
  }
)");
}

TEST(Emitter, ComputesElementsOf16BitsInF32) {
  EXPECT_EQ(lines_of("graph(%0: bf16[4]) {\n  %1: bf16[] = sum(%0) {axes = 1}\n  return %1\n}"),
            R"(  func.func @main(%0: tensor<4xbf16>) -> (tensor<bf16>) {
    %1 = "stablehlo.convert"(%0) : (tensor<4xbf16>) -> tensor<4xf32>
    %2 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %6 = "stablehlo.reduce"(%1, %2) ({
    ^bb0(%3: tensor<f32>, %4: tensor<f32>):
      %5 = "stablehlo.add"(%3, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%5) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.convert"(%6) : (tensor<f32>) -> tensor<bf16>
    "func.return"(%7) : (tensor<bf16>) -> ()
  }
)");
}

TEST(Emitter, EqualScalarsArePassedOnce) {
  const ir::Graph graph = ir::parse_graph(
      "graph(%0: f32[2], %1: i32[2]; #0: number, #1: number, #2: key, #3: number) {\n"
      "  %2: f32[] = full() {value = #0}\n  %3: f32[] = full() {value = #1}\n"
      "  %4: i32[] = full() {value = #3}\n  %5: f32[2] = mul(%0, %2)\n"
      "  %6: f32[2] = add(%5, %3)\n  %7: i32[2] = mul(%1, %4)\n  return %6, %7\n}");
  const auto equal = [](std::vector<std::uint32_t> first) {
    std::vector<ir::ScalarId> ids;
    for (const std::uint32_t one : first) {
      ids.push_back(ir::ScalarId{one});
    }
    return EmitOptions{.equal_scalars = ids};
  };
  const ir::Type f32{{}, DType::f32};
  const ir::Type i32{{}, DType::i32};
  const Emitted emitted = emit(graph, equal({0, 0, 2, 0}));
  verify(emitted.module);
  // Of the same number once for each dtype.
  EXPECT_EQ(emitted.scalars,
            (std::vector<ScalarArray>{{{Shape{1}, DType::f32}, {{ir::ScalarId{0}, f32, 0}}},
                                      {{Shape{1}, DType::i32}, {{ir::ScalarId{0}, i32, 0}}}}));
  EXPECT_EQ(emitted.module.parameters.size(), 4U);
  EXPECT_EQ(to_text(emit(graph, equal({0, 1, 2, 3})).module), to_text(emit(graph).module));
  for (const auto& wrong :
       {std::vector<std::uint32_t>{0, 2, 2, 3}, {1, 1, 2, 3}, {0, 0, 2, 1}, {0, 1, 0, 3}}) {
    EXPECT_THROW((void)emit(graph, equal(wrong)), UsageError);
  }
  EXPECT_THROW((void)emit(graph, equal({0, 1})), UsageError);
}

TEST(Emitter, ScalarsOfOneTypeAreOneParameter) {
  const Emitted emitted = emit(ir::parse_graph(
      "graph(%0: f32[2], %1: i32[2]; #0: number, #1: key, #2: number, #3: number, #4: key) {\n"
      "  %2: f32[] = full() {value = #0}\n  %3: i32[] = full() {value = #0}\n"
      "  %4: f32[2] = mul(%0, %2)\n  %5: i32[2] = mul(%1, %3)\n"
      "  %6: bf16[2] = random_bernoulli() {key = #1}\n"
      "  %7: f32[] = full() {value = #3}\n  %8: f32[2] = add(%4, %7)\n"
      "  %9: bf16[2] = random_bernoulli() {key = #4}\n  return %8, %5, %6, %9\n}"));
  verify(emitted.module);
  const ir::Type f32{{}, DType::f32};
  const ir::Type key{Shape{4}, DType::u32};
  const std::vector<ScalarArray> expected{
      {{Shape{2}, DType::f32}, {{ir::ScalarId{0}, f32, 0}, {ir::ScalarId{3}, f32, 1}}},
      {{Shape{1}, DType::i32}, {{ir::ScalarId{0}, {{}, DType::i32}, 0}}},
      {{Shape{8}, DType::u32}, {{ir::ScalarId{1}, key, 0}, {ir::ScalarId{4}, key, 4}}}};
  EXPECT_EQ(emitted.scalars, expected);
  ASSERT_EQ(emitted.module.body.parameters.size(), 5U);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(emitted.module.type(emitted.module.body.parameters[2 + i]), expected[i].type);
  }
  EXPECT_TRUE(
      emit(ir::parse_graph("graph(%0: f32[2]; #0: number) {\n  return %0\n}")).scalars.empty())
      << "it has no use";
}

TEST(Emitter, ScalarsAreOnEachDeviceOfAMesh) {
  const Emitted emitted =
      emit(ir::parse_graph("graph(%0: f32[8]; #0: number) {\n  %1: f32[] = full() {value = #0}\n"
                           "  %2: f32[8] = mul(%0, %1)\n  return %2\n}"),
           {.partitions = 4,
            .mesh = {{{"data", 4}}},
            .parameter_shardings = {Sharding{{"data"}}},
            .result_shardings = {Sharding{{"data"}}}});
  verify(emitted.module);
  const std::string text = to_text(emitted.module);
  EXPECT_NE(text.find("%1: tensor<1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})"),
            std::string::npos)
      << text;
}

TEST(Emitter, ChecksAreOneResultBehindTheOthersInTheirOrder) {
  const Emitted emitted = emit(ir::parse_graph(
      "graph(%0: f32[3], %1: i32[2], %2: i32[2]; checks 3) {\n"
      "  %3: f32[2] = gather(%0, %1) !2\n  %4: i32[2] = div(%1, %2) !0\n  return %3, %4\n}"));
  verify(emitted.module);
  const auto& returned = emitted.module.returned();
  ASSERT_EQ(returned.size(), 3U);
  EXPECT_EQ(emitted.module.type(returned[2]), (ir::Type{Shape{3}, DType::boolean}));
  const auto producer = [&](ValueId id) -> const Operation& {
    const auto found =
        std::ranges::find_if(emitted.module.body.operations, [&](const Operation& operation) {
          return operation.result_count > 0 && operation.first_result == id;
        });
    EXPECT_NE(found, emitted.module.body.operations.end());
    return *found;
  };
  const Operation& flags = producer(returned[2]);
  ASSERT_EQ(flags.code, Code::concatenate_);
  ASSERT_EQ(flags.operands.size(), 3U);
  const auto code_of_check = [&](std::size_t i) {
    return producer(producer(flags.operands[i]).operands[0]).code;  // Behind a reshape.
  };
  EXPECT_EQ(code_of_check(0), Code::reduce_);    // Is a divisor 0?
  EXPECT_EQ(code_of_check(1), Code::constant_);  // Of no node: it cannot fail.
  EXPECT_EQ(code_of_check(2), Code::reduce_);    // Is an index outside?
  EXPECT_EQ(emit(ir::parse_graph("graph(%0: f32[2]) {\n  return %0\n}")).module.returned().size(),
            1U);
}

TEST(Emitter, AScanIsALoopOverSlices) {
  EXPECT_EQ(
      lines_of(R"(graph(%0: f32[], %1: f32[5]) {
  %2: f32[], %3: f32[5] = scan(%0, %1) {
    carries = 1, slices = 1, trips = 5, reverse = true,
    body = graph(%0: f32[], %1: f32[]) {
      %2: f32[] = mul(%0, %1)
      return %2, %0
    }
  }
  return %2, %3
})"),
      R"(  func.func @main(%0: tensor<f32>, %1: tensor<5xf32>) -> (tensor<f32>, tensor<5xf32>) {
    %2 = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<5xf32>
    %4 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %25:4 = "stablehlo.while"(%4, %0, %3, %1) ({
    ^bb0(%5: tensor<i32>, %6: tensor<f32>, %7: tensor<5xf32>, %8: tensor<5xf32>):
      %9 = "stablehlo.constant"() {value = dense<5> : tensor<i32>} : () -> tensor<i32>
      %10 = "stablehlo.compare"(%5, %9) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%10) : (tensor<i1>) -> ()
    }, {
    ^bb0(%11: tensor<i32>, %12: tensor<f32>, %13: tensor<5xf32>, %14: tensor<5xf32>):
      %15 = "stablehlo.constant"() {value = dense<4> : tensor<i32>} : () -> tensor<i32>
      %16 = "stablehlo.subtract"(%15, %11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %17 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
      %18 = "stablehlo.dynamic_slice"(%14, %16) {slice_sizes = array<i64: 1>} : (tensor<5xf32>, tensor<i32>) -> tensor<1xf32>
      %19 = "stablehlo.reshape"(%18) : (tensor<1xf32>) -> tensor<f32>
      %20 = "stablehlo.multiply"(%12, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %21 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
      %22 = "stablehlo.add"(%11, %21) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %23 = "stablehlo.reshape"(%12) : (tensor<f32>) -> tensor<1xf32>
      %24 = "stablehlo.dynamic_update_slice"(%13, %23, %16) : (tensor<5xf32>, tensor<1xf32>, tensor<i32>) -> tensor<5xf32>
      "stablehlo.return"(%22, %20, %24, %14) : (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>) -> ()
    }) : (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>) -> (tensor<i32>, tensor<f32>, tensor<5xf32>, tensor<5xf32>)
    "func.return"(%25#1, %25#2) : (tensor<f32>, tensor<5xf32>) -> ()
  }
)");
}

TEST(Emitter, ALoopEndsWhereACheckInItFails) {
  const std::string text = lines_of(R"(graph(%0: i32[2], %1: i32[2]; checks 2) {
  %2: i32[2] = while_loop(%0, %1; !1, !0) {
    condition = graph(%0: i32[2], %1: i32[2]; checks 2) {
      %2: i32[2] = div(%0, %1) !0
      %3: i32[] = sum(%2) {axes = 1}
      %4: i32[] = full() {value = 100i}
      %5: bool[] = less(%3, %4)
      return %5
    },
    body = graph(%0: i32[2], %1: i32[2]; checks 2) {
      %2: i32[2] = remainder(%0, %1) !1
      return %2
    }
  }
  return %2
})");
  // The answer of the condition and both checks are carried; the loop asks all three.
  EXPECT_NE(text.find("-> (tensor<2xi32>, tensor<i1>, tensor<i1>, tensor<i1>, tensor<2xi32>)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("-> (tensor<2xi32>, tensor<2xi1>) {"), std::string::npos) << text;
}

TEST(Emitter, DonatedParametersAreOverwrittenByTheResultsThatAreNamed) {
  const char* const graph =
      "graph(%0: f32[2], %1: f32[2], %2: f32[3]) {\n"
      "  %3: f32[2] = add(%0, %1)\n  %4: f32[] = sum(%2) {axes = 1}\n"
      "  %5: f32[2] = neg(%3)\n  return %4, %3, %5\n}";
  const ParameterMemory read{};
  const auto overwritten = [](std::size_t result) {
    return ParameterMemory{.donation = Donation::Result, .aliased = result};
  };
  const std::string text =
      lines_of(graph, {.memory = {overwritten(2), overwritten(1), {.donation = Donation::Any}}});
  EXPECT_TRUE(
      text.starts_with("  func.func @main(%0: tensor<2xf32> {tf.aliasing_output = 2 : i32}, "
                       "%1: tensor<2xf32> {tf.aliasing_output = 1 : i32}, "
                       "%2: tensor<3xf32> {jax.buffer_donor = true}) ->"))
      << text;
  const auto error_of = [&](std::vector<ParameterMemory> memory) {
    return thrown<UsageError>(
        [&] { (void)emit(ir::parse_graph(graph), {.memory = std::move(memory)}); });
  };
  EXPECT_EQ(error_of({overwritten(1)}), "emit: 1 donations of parameters for 3 of the graph");
  EXPECT_EQ(error_of({read, overwritten(3), read}), "emit: there is no result 3 for parameter 1");
  EXPECT_EQ(error_of({overwritten(1), overwritten(1), read}),
            "emit: another parameter has result 1 for parameter 1");
  EXPECT_EQ(error_of({read, read, overwritten(1)}),
            "emit: another type has result 1 for parameter 2");
}

TEST(Emitter, ShardingsNameTheAxesOfAMesh) {
  const Emitted emitted =
      emit(ir::parse_graph("graph(%0: f32[8, 3]) {\n  %1: f32[8, 3] = neg(%0)\n  return %1\n}"),
           {.memory = {{.donation = Donation::Result, .aliased = 0}},
            .partitions = 4,
            .mesh = {{{"data", 4}}},
            .parameter_shardings = {Sharding{{"data"}, {}}},
            .result_shardings = {Sharding{{"data"}, {}}}});
  verify(emitted.module);
  const std::string text = to_text(emitted.module);
  EXPECT_NE(text.find("mhlo.num_partitions = 4 : i32"), std::string::npos);
  EXPECT_NE(text.find("sdy.mesh @mesh = <[\"data\"=4]>"), std::string::npos);
  EXPECT_NE(text.find("%0: tensor<8x3xf32> {tf.aliasing_output = 0 : i32, sdy.sharding = "
                      "#sdy.sharding<@mesh, [{\"data\"}, {}]>}) -> (tensor<8x3xf32> {sdy.sharding "
                      "= #sdy.sharding<@mesh, [{\"data\"}, {}]>})"),
            std::string::npos)
      << text;
}

/// The types of the results of every kind of collective operation, on a result f32[8, 4].
TEST(Emitter, ResultsGoThroughCollectiveOperations) {
  const ir::Graph graph =
      ir::parse_graph("graph(%0: f32[8, 4]) {\n  %1: f32[8, 4] = neg(%0)\n  return %1\n}");
  struct Kind {
    Collective collective;
    Shape shape;
  };
  const std::vector<std::vector<std::int64_t>> groups{{0, 2}, {1, 3}};
  const Kind kinds[] = {
      {{.kind = CollectiveKind::AllReduce, .groups = groups}, {8, 4}},
      {{.kind = CollectiveKind::AllGather, .axis = 1, .groups = groups}, {8, 8}},
      {{.kind = CollectiveKind::ReduceScatter, .axis = 0, .groups = groups}, {4, 4}},
      {{.kind = CollectiveKind::AllToAll, .axis = 0, .concatenated = 1, .groups = groups}, {4, 8}},
      {{.kind = CollectiveKind::CollectivePermute, .groups = {{0, 1}, {1, 0}}}, {8, 4}},
  };
  for (const Kind& kind : kinds) {
    for (const bool partitioned : {false, true}) {
      EmitOptions options{.collectives = {kind.collective}};
      (partitioned ? options.partitions : options.replicas) = 4;
      const Emitted emitted = emit(graph, options);
      const Module again = parse_module(to_text(emitted.module));
      ASSERT_NO_THROW(verify(again)) << to_text(again);
      EXPECT_EQ(again.type(again.returned()[0]), (ir::Type{kind.shape, DType::f32}));
    }
  }
  const auto error_of = [&](const Collective& collective) {
    return thrown<UsageError>(
        [&] { (void)emit(graph, {.replicas = 4, .collectives = {collective}}); });
  };
  EXPECT_EQ(error_of({.result = 1, .groups = groups}),
            "emit: there is no result 1 for a collective operation");
  EXPECT_EQ(error_of({.groups = {}}), "emit: a collective operation: it has no group of devices");
  EXPECT_EQ(error_of({.groups = {{0, 1}, {2}}}),
            "emit: a collective operation: groups of 2 and 1 devices");
  EXPECT_EQ(error_of({.kind = CollectiveKind::ReduceScatter, .groups = {{0, 1, 2}}}),
            "emit: a collective operation: axis 0 does not fall into 3 parts; shape [8, 4]");
  EXPECT_EQ(error_of({.kind = CollectiveKind::AllGather, .axis = 2, .groups = groups}),
            "emit: a collective operation: there is no axis 2; shape [8, 4]");
  EXPECT_EQ(error_of({.kind = CollectiveKind::CollectivePermute, .groups = {{0, 1, 2}}}),
            "emit: a collective operation: its pairs have 3 devices");
}

TEST(Emitter, RandomGraphsBecomeProgramsThatObeyTheSpecification) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    for (const bool has_regions : {false, true}) {
      const ir::Graph graph = has_regions ? testing::random_graph_with_regions(seed, 14)
                                          : testing::random_graph(seed, 20);
      SCOPED_TRACE(ir::to_text(graph));
      const Emitted emitted = emit(graph);
      const std::string text = to_text(emitted.module);
      const Module again = parse_module(text);
      ASSERT_EQ(to_text(again), text);
      ASSERT_NO_THROW(verify(again)) << text;
    }
  }
}

TEST(Emitter, SaysWhatItCannotExpress) {
  EXPECT_EQ(unsupported_reason(ops::Op::matmul, DType::f32), "");
  EXPECT_EQ(unsupported_reason(ops::Op::matmul, DType::i32),
            "the operation is not defined for this dtype");
}

}  // namespace emitter_test
}  // namespace ddx::stablehlo
