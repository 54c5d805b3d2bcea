/// \file
/// A model as a table of its layers.

#pragma once

#include "ddx/nn/detail/layer_rows.h"
#include "ddx/nn/path.h"

#include <string>

namespace ddx::nn {

/// The layers of a model as a table: path, class, shape of the output, number of parameters; then
/// how many parameters there are in all and how many of them are trained (those in Frozen are not).
///
/// The model is called once. Sequential, Residual, Branches and TimeDistributed show the outputs of
/// their layers; so does any class with a member function template `trace_calls(call, input)` that
/// computes what the class computes, but by `call("name", layer, input)` for each layer. Of other
/// classes, the inner layers are listed without outputs.
///
/// Throws:  UsageError where the model does not take the input.
/// Example:
///   std::cout << summary(model, zeros<float>({1, 28, 28, 1}));
template <class Model, class Input>
[[nodiscard]] std::string summary(const Model& model, const Input& input) {
  detail::LayerTable table;
  const std::string output = detail::text_of_shape(detail::add_rows(table, Path(), model, input));
  return detail::rendered(table, detail::class_name<Model>(), output, detail::parameters_of(model));
}

}  // namespace ddx::nn
