#include "ddx/stablehlo/verifier.h"

#include "ddx/core/error.h"
#include "ddx/ir/graph.h"
#include "ddx/ir/text.h"
#include "ddx/stablehlo/emitter.h"
#include "ddx/stablehlo/module.h"
#include "ddx/stablehlo/text.h"

#include "tests/support/thrown.h"

#include <cctype>
#include <cstddef>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::stablehlo {
namespace verifier_test {

using ddx::testing::thrown;

/// A program of one line between its parameters and its return.
std::string program(const std::string& parameters, const std::string& line,
                    const std::string& result, const std::string& type) {
  return "module @ddx attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 4 : i32} {\n"
         "  func.func @main(" +
         parameters + ") -> (" + type + ") {\n    " + line + "\n    \"func.return\"(" + result +
         ") : (" + type + ") -> ()\n  }\n}\n";
}

struct Wrong {
  const char* why;
  const char* parameters;
  const char* line;
  const char* type;  ///< Of the result, %9.
  const char* error;
};

const Wrong wrongs[] = {
    {"a permutation that leaves an axis out", "%0: tensor<2x3xf32>",
     "%9 = \"stablehlo.transpose\"(%0) {permutation = array<i64: 1, 1>} : (tensor<2x3xf32>) -> "
     "tensor<3x3xf32>",
     "tensor<3x3xf32>", "permutation to name each axis once, found [1, 1]"},
    {"the axes of another order", "%0: tensor<2x3xf32>",
     "%9 = \"stablehlo.transpose\"(%0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> "
     "tensor<2x3xf32>",
     "tensor<2x3xf32>", "result 0 to be tensor<3x2xf32>, found tensor<2x3xf32>"},
    {"elements that an operation lacks", "%0: tensor<2xi32>",
     "%9 = \"stablehlo.exponential\"(%0) : (tensor<2xi32>) -> tensor<2xi32>", "tensor<2xi32>",
     "elements that the operation is defined for, found tensor<2xi32>"},
    {"another number of operands", "%0: tensor<2xf32>",
     "%9 = \"stablehlo.add\"(%0) : (tensor<2xf32>) -> tensor<2xf32>", "tensor<2xf32>",
     "2 operands, found 1"},
    {"an attribute that is missing", "%0: tensor<2xf32>",
     "%9 = \"stablehlo.reverse\"(%0) : (tensor<2xf32>) -> tensor<2xf32>", "tensor<2xf32>",
     "an attribute dimensions, found none"},
    {"an attribute of another kind", "%0: tensor<2xf32>",
     "%9 = \"stablehlo.reverse\"(%0) {dimensions = 0 : i64} : (tensor<2xf32>) -> tensor<2xf32>",
     "tensor<2xf32>", "dimensions of kind ints, found i64"},
    {"an attribute of another operation", "%0: tensor<2xf32>",
     "%9 = \"stablehlo.negate\"(%0) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> "
     "tensor<2xf32>",
     "tensor<2xf32>", "an attribute of the operation, found dimensions"},
    {"a slice beyond the end", "%0: tensor<5xf32>",
     "%9 = \"stablehlo.slice\"(%0) {start_indices = array<i64: 2>, limit_indices = array<i64: 6>, "
     "strides = array<i64: 1>} : (tensor<5xf32>) -> tensor<4xf32>",
     "tensor<4xf32>", "a slice within [0, 5), found 2 to 6 by 1 on axis 0"},
    {"padding to another extent", "%0: tensor<5xf32>, %1: tensor<f32>",
     "%9 = \"stablehlo.pad\"(%0, %1) {edge_padding_low = array<i64: 1>, edge_padding_high = "
     "array<i64: -2>, interior_padding = array<i64: 1>} : (tensor<5xf32>, tensor<f32>) -> "
     "tensor<9xf32>",
     "tensor<9xf32>", "result 0 to be tensor<8xf32>, found tensor<9xf32>"},
    {"padding that no number counts", "%0: tensor<5xf32>, %1: tensor<f32>",
     "%9 = \"stablehlo.pad\"(%0, %1) {edge_padding_low = array<i64: 9223372036854775807>, "
     "edge_padding_high = array<i64: 0>, interior_padding = array<i64: 1>} : (tensor<5xf32>, "
     "tensor<f32>) -> tensor<9xf32>",
     "tensor<9xf32>", "numbers of 64 bits, found 9223372036854775807 + 9"},
    {"stretching what is not of extent 1", "%0: tensor<2xf32>",
     "%9 = \"stablehlo.broadcast_in_dim\"(%0) {broadcast_dimensions = array<i64: 0>} : "
     "(tensor<2xf32>) -> tensor<4xf32>",
     "tensor<4xf32>", "axis 0 of extent 1 or 4, found 2"},
    {"inner extents that differ", "%0: tensor<2x3xf32>, %1: tensor<4x5xf32>",
     "%9 = \"stablehlo.dot_general\"(%0, %1) {dot_dimension_numbers = "
     "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
     "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : "
     "(tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>",
     "tensor<2x5xf32>", "axis 0 of extent 3, found 4"},
    {"a window that gives another extent", "%0: tensor<6xf32>, %1: tensor<f32>",
     "%9 = \"stablehlo.reduce_window\"(%0, %1) ({\n^bb0(%2: tensor<f32>, %3: tensor<f32>):\n%4 = "
     "\"stablehlo.add\"(%2, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n\"stablehlo.return\"("
     "%4) : (tensor<f32>) -> ()\n}) {window_dimensions = array<i64: 3>, window_strides = "
     "array<i64: 2>, base_dilations = array<i64: 1>, window_dilations = array<i64: 1>, padding = "
     "dense<[[0, 0]]> : tensor<1x2xi64>} : (tensor<6xf32>, tensor<f32>) -> tensor<3xf32>",
     "tensor<3xf32>", "result 0 to be tensor<2xf32>, found tensor<3xf32>"},
    {"a region that reads what is around it", "%0: tensor<6xf32>, %1: tensor<f32>",
     "%9 = \"stablehlo.reduce\"(%0, %1) ({\n^bb0(%2: tensor<f32>, %3: tensor<f32>):\n%4 = "
     "\"stablehlo.add\"(%2, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>\n\"stablehlo.return\"("
     "%4) : (tensor<f32>) -> ()\n}) {dimensions = array<i64: 0>} : (tensor<6xf32>, tensor<f32>) "
     "-> tensor<f32>",
     "tensor<f32>", "a value that is defined before and visible here, found %1"},
    {"a region that returns something else", "%0: tensor<6xf32>, %1: tensor<f32>",
     "%9 = \"stablehlo.reduce\"(%0, %1) ({\n^bb0(%2: tensor<f32>, %3: tensor<f32>):\n%4 = "
     "\"stablehlo.is_finite\"(%2) : (tensor<f32>) -> tensor<i1>\n\"stablehlo.return\"(%4) : "
     "(tensor<i1>) -> ()\n}) {dimensions = array<i64: 0>} : (tensor<6xf32>, tensor<f32>) -> "
     "tensor<f32>",
     "tensor<f32>", "region 0 to return tensor<f32> in place 0, found tensor<i1>"},
    {"a device that is not there", "%0: tensor<6xf32>",
     "%9 = \"stablehlo.all_gather\"(%0) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, "
     "4]]> : tensor<1x2xi64>} : (tensor<6xf32>) -> tensor<12xf32>",
     "tensor<12xf32>", "devices below 4, found [0, 4]"},
    {"half a spectrum of another length", "%0: tensor<6xf32>",
     "%9 = \"stablehlo.fft\"(%0) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: "
     "6>} : (tensor<6xf32>) -> tensor<3xcomplex<f32>>",
     "tensor<3xcomplex<f32>>",
     "result 0 to be tensor<4xcomplex<f32>>, found tensor<3xcomplex<f32>>"},
};

TEST(ProgramVerifier, ErrorsNameThePlaceTheOperationAndWhatWasExpected) {
  for (const Wrong& one : wrongs) {
    SCOPED_TRACE(one.why);
    const std::string text = program(one.parameters, one.line, "%9", one.type);
    const Module module = parse_module(text);
    const std::string error = thrown<UsageError>([&] { verify(module); });
    EXPECT_TRUE(error.starts_with("verify: line ")) << error;
    EXPECT_TRUE(error.ends_with(std::string(": expected ") + one.error)) << error;
  }
}

TEST(ProgramVerifier, PlacementsFitWhatTheyAreSaidOf) {
  const std::string line = "%9 = \"stablehlo.negate\"(%0) : (tensor<6xf32>) -> tensor<6xf32>";
  const auto error_of = [&](const std::string& attributes, const std::string& mesh) {
    std::string text =
        program("%0: tensor<6xf32> {" + attributes + "}", line, "%9", "tensor<6xf32>");
    text.insert(text.find("  func.func"), mesh);
    return thrown<UsageError>([&] { verify(parse_module(text)); });
  };
  const std::string mesh = "sdy.mesh @mesh = <[\"data\"=4]>\n";
  EXPECT_EQ(error_of("tf.aliasing_output = 0 : i32", ""), "nothing was thrown");
  EXPECT_EQ(error_of("tf.aliasing_output = 1 : i32", ""),
            "verify: parameter 0, which is tensor<6xf32>, cannot hold result 1");
  EXPECT_EQ(error_of("sdy.sharding = #sdy.sharding<@mesh, [{\"data\"}]>", mesh),
            "verify: parameter 0 is tensor<6xf32>, of which axis 0 does not fall into 4 parts");
  EXPECT_EQ(error_of("sdy.sharding = #sdy.sharding<@mesh, [{\"model\"}]>", mesh),
            "verify: parameter 0 is sharded along \"model\", which the mesh lacks");
  EXPECT_EQ(error_of("sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>", mesh),
            "verify: parameter 0 is tensor<6xf32>, its sharding has 2 axes");
}

/// A program of many kinds of operations.
std::string large_program() {
  const ir::Graph graph = ir::parse_graph(R"(graph(%0: f32[2, 8, 8, 3], %1: f32[3, 3, 3, 4],
      %2: i32[2], %3: f32[2, 4]) {
    %4: f32[2, 8, 8, 4] = convolution(%0, %1) {size = [3, 3], low = [1, 1], high = [1, 1]}
    %5: f32[2, 4, 4, 4] = max_pool(%4) {size = [2, 2], strides = [2, 2]}
    %6: f32[2, 4] = mean(%5) {axes = 6}
    %7: f32[2] = softmax_cross_entropy(%6, %2)
    %8: f32[4, 2] = transpose(%6) {order = [1, 0]}
    %9: f32[4, 4] = matmul(%8, %3)
    %10: i32[4, 4] = argsort(%9)
    %11: f32[4, 4] = take_along_axis(%9, %10) {axis = 1}
    %12: f32[4, 4] = cumulative_sum(%11)
    %13: f32[2, 8, 8, 4] = max_pool_gradient(%4, %5) {size = [2, 2], strides = [2, 2]}
    return %7, %12, %13
  })");
  return to_text(emit(graph).module);
}

bool is_refused(const std::string& text) {
  try {
    verify(parse_module(text));
  } catch (const UsageError&) {
    return true;
  }
  return false;
}

// Numbers of attributes and types decide what follows; with any of them changed, something no
// longer fits. Exempt are names of values, constants, and the dilation of a window of one element,
// which changes nothing.
TEST(ProgramVerifier, AChangedExtentOrAttributeIsFound) {
  const std::string text = large_program();
  ASSERT_FALSE(is_refused(text));
  std::size_t changed = 0;
  std::vector<std::string> missed;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    const std::string before = text.substr(at < 12 ? 0 : at - 12, at < 12 ? at : 12);
    const bool in_type = before.ends_with("tensor<") ||
                         (before.ends_with("x") && before.find("tensor<") != std::string::npos);
    const bool in_array = before.ends_with("array<i64: ");
    const bool changes_nothing = text.substr(0, at).ends_with("window_dilations = array<i64: ");
    if (!is_digit || changes_nothing || !(in_type || in_array) ||
        std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0) {
      continue;
    }
    std::string other = text;
    other[at] = text[at] == '9' ? '8' : static_cast<char>(text[at] + 1);
    ++changed;
    if (!is_refused(other)) {
      missed.push_back(
          text.substr(text.rfind('\n', at) + 1, text.find('\n', at) - text.rfind('\n', at) - 1));
    }
  }
  EXPECT_GT(changed, 150U);
  EXPECT_EQ(missed, std::vector<std::string>{});
}

}  // namespace verifier_test
}  // namespace ddx::stablehlo
