/// \file
/// Programs as text, in the generic form of MLIR:
///
///   module @ddx attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
///     func.func @main(%0: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<2xf32>) {
///       %1 = "stablehlo.negate"(%0) : (tensor<2xf32>) -> tensor<2xf32>
///       "func.return"(%1) : (tensor<2xf32>) -> ()
///     }
///   }

#pragma once

#include "ddx/ir/graph.h"
#include "ddx/stablehlo/module.h"

#include <string>
#include <string_view>

namespace ddx::stablehlo {

/// Renders as "tensor<2x3xf32>".
[[nodiscard]] std::string to_string(const ir::Type& type);

/// Renders a program, an operation a line. Equal programs have equal text.
[[nodiscard]] std::string to_text(const Module& module);

/// Parses the output of `to_text`. The program is not verified.
///
/// Throws:  UsageError if the text is not a program of this form: line and column, the operation
///          there, the expected and the found.
[[nodiscard]] Module parse_module(std::string_view text);

}  // namespace ddx::stablehlo
