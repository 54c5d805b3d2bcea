/// \file
/// What a lazy device has recorded.

#pragma once

#include "ddx/backend/lazy.h"
#include "ddx/core/dtype.h"
#include "ddx/ir/graph.h"
#include "ddx/tensor/tensor.h"

#include <array>

namespace ddx {

/// The graph of the operations that this thread has recorded for some results, and that have not
/// run: also of a gradient, or of any other program that makes the results. Nothing is run. What is
/// there already, on any device, is a parameter. `ir::to_text` and `ir::to_graphviz` show it,
/// `ir::optimised` is what would be run of it.
///
/// Throws:  what a result has failed with.
/// Example:
///   const auto y = softmax(matmul(x, w));  // x and w on Device::lazy()
///   std::cout << ir::to_text(recorded_graph(y));
template <TensorScalar... Scalars>
  requires(sizeof...(Scalars) > 0)
[[nodiscard]] ir::Graph recorded_graph(const Tensor<Scalars>&... results) {
  const std::array views{results.array().view()...};
  return backend::recorded_graph(views);
}

}  // namespace ddx
