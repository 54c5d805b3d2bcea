#include "ddx/stablehlo/text.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include "tests/support/thrown.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <variant>

namespace ddx::stablehlo {
namespace text_test {

using ddx::testing::thrown;

const char* const sample =
    R"(module @ddx attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=1]>
  func.func @main(%0: tensor<2x3xf32> {tf.aliasing_output = 0 : i32}, %1: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@mesh, []>}, %2: tensor<4xui64>) -> (tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, tensor<2xcomplex<f32>>) {
    %3 = "stablehlo.constant"() {value = dense<-2.5e+10> : tensor<f32>} : () -> tensor<f32>
    %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<2x3xf32>
    %10:2 = "stablehlo.case"(%1) ({
      %5 = "stablehlo.add"(%0, %4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      %6 = "stablehlo.constant"() {value = dense<(1.0, 0x7F800000)> : tensor<2xcomplex<f32>>} : () -> tensor<2xcomplex<f32>>
      "stablehlo.return"(%5, %6) : (tensor<2x3xf32>, tensor<2xcomplex<f32>>) -> ()
    }, {
      %7 = "stablehlo.multiply"(%0, %4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
      %8 = "stablehlo.constant"() {value = dense<(-0.0, 1.5)> : tensor<2xcomplex<f32>>} : () -> tensor<2xcomplex<f32>>
      %9 = "stablehlo.transpose"(%7) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
      "stablehlo.return"(%7, %8) : (tensor<2x3xf32>, tensor<2xcomplex<f32>>) -> ()
    }) : (tensor<i32>) -> (tensor<2x3xf32>, tensor<2xcomplex<f32>>)
    "func.return"(%10#0, %10#1) : (tensor<2x3xf32>, tensor<2xcomplex<f32>>) -> ()
  }
}
)";

TEST(ProgramText, IsReadAndPrintedTheSame) {
  EXPECT_EQ(to_text(parse_module(sample)), sample);
}

TEST(ProgramText, SaysWhatIsKnownOfParametersAndResults) {
  const Module module = parse_module(sample);
  EXPECT_EQ(module.partitions, 2);
  EXPECT_EQ(module.parameters[0].donation, Donation::Result);
  EXPECT_EQ(module.parameters[1].donation, Donation::Any);
  EXPECT_TRUE(module.parameters[1].is_sharded);
  EXPECT_EQ(module.results[0].sharding, (Sharding{{"data"}, {}}));
  EXPECT_EQ(module.type(module.body.parameters[2]), (ir::Type{Shape{4}, DType::u64}));
  const auto& constant =
      std::get<Dense>(module.body.operations[2].regions[0].operations[1].attributes[0].second);
  EXPECT_EQ(constant.element.real, 1.0);
  EXPECT_EQ(constant.element.imaginary, INFINITY);
}

/// The error of the sample with its first `from` replaced.
std::string error_of(const std::string& from, const std::string& to) {
  std::string text = sample;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  return thrown<UsageError>([&] { (void)parse_module(text); });
}

TEST(ProgramText, ErrorsNameThePlaceTheOperationAndWhatWasExpected) {
  EXPECT_EQ(error_of("\"stablehlo.add\"", "\"stablehlo.plus\""),
            "parse_module: line 7, column 12, stablehlo.plus: expected an operation of the table, "
            "or stablehlo.return, found \"stablehlo.plus\"");
  EXPECT_EQ(error_of("\"stablehlo.add\"(%0, %4)", "\"stablehlo.add\"(%0, %7)"),
            "parse_module: line 7, column 32, stablehlo.add: expected a value that is defined "
            "before, found %7");
  EXPECT_EQ(error_of("(%0, %4) : (tensor<2x3xf32>", "(%0, %4) : (tensor<2x3xf64>"),
            "parse_module: line 7, column 39, stablehlo.add: expected the type of operand 0, "
            "tensor<2x3xf32>, found tensor<2x3xf64>");
  EXPECT_EQ(error_of("%10#0", "%10#2"),
            "parse_module: line 16, column 19, func.return: expected one of 2 results, found "
            "%10#2");
  EXPECT_EQ(error_of("    %4 = ", "    %3 = "),
            "parse_module: line 5, column 5, stablehlo.broadcast_in_dim: expected a new name, "
            "found that of another value, %3");
  EXPECT_EQ(error_of("%10:2", "%10:3"),
            "parse_module: line 15, column 27, stablehlo.case: expected 3 types, found 2");
  EXPECT_EQ(error_of("tensor<2xcomplex<f32>>) {", "tensor<3xcomplex<f32>>) {"),
            "parse_module: line 3, column 179, func.func: expected the types that are returned, "
            "(tensor<2x3xf32>, tensor<2xcomplex<f32>>), found (tensor<2x3xf32>, "
            "tensor<3xcomplex<f32>>)");
  EXPECT_EQ(error_of("array<i64>}", "array<i8>}"),
            "parse_module: line 5, column 73, stablehlo.broadcast_in_dim: expected 'i1', found "
            "'i8>} : (tensor<f'");
  EXPECT_EQ(error_of("tensor<4xui64>", "tensor<4xui128>"),
            "parse_module: line 3, column 168: expected an element type, found "
            "'ui128>) -> (tens'");
}

TEST(ProgramText, EndsWhereTheProgramDoes) {
  const std::string text = sample;
  EXPECT_THROW((void)parse_module(text + "x"), UsageError);
  for (std::size_t length = 0; length + 2 < text.size(); length += 7) {
    EXPECT_THROW((void)parse_module(text.substr(0, length)), UsageError) << length;
  }
}

}  // namespace text_test
}  // namespace ddx::stablehlo
