/// \file
/// Programs in StableHLO, written by hand.

#pragma once

#include <string>

namespace ddx::backend::pjrt {

/// A module with one function: its parameters, the types of its results, its body.
inline std::string module_of(const std::string& parameters, const std::string& results,
                             const std::string& body) {
  return "module @test {\n  func.func @main(" + parameters + ") -> (" + results + ") {\n" + body +
         "  }\n}\n";
}

/// x + x, of `count` floats.
inline std::string doubling(int count, const std::string& attributes = "") {
  const std::string type = "tensor<" + std::to_string(count) + "xf32>";
  return module_of("%x: " + type + attributes, type,
                   "    %0 = \"stablehlo.add\"(%x, %x) : (" + type + ", " + type + ") -> " + type +
                       "\n    \"func.return\"(%0) : (" + type + ") -> ()\n");
}

/// The sum of what all devices have, of two floats; `more` goes to the attributes.
inline std::string sum_over_devices(const std::string& more = "") {
  return module_of("%x: tensor<2xf32>", "tensor<2xf32>",
                   R"(
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>)" +
                       more + R"(} : (tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
)");
}

}  // namespace ddx::backend::pjrt
