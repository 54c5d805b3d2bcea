/// \file
/// Models out of arrays by name: from files of one's own, of NumPy or TensorFlow.

#pragma once

#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/train/detail/named_arrays.h"
#include "ddx/train/detail/stored.h"

#include <functional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::train {

/// Which array goes where.
struct ModelLoadOptions {
  /// What the array for a path is called; where there is no function, as the path.
  std::function<std::string(const std::string& path)> name_of = {};
  /// Paths that keep their values, with all below them: "head" includes "head.bias".
  std::vector<std::string> ignored_paths = {};
  /// Whether each array must have a place in the model; else those without are passed by.
  bool uses_all = false;
};

/// All that a checkpoint of the model holds, by path: its parameters, and the state that layers
/// keep beside them.
///
/// Example:
///   io::write_npz("model.npz", train::model_arrays(model));
template <class Model>
[[nodiscard]] io::StoredTensors model_arrays(const Model& model) {
  io::StoredTensors arrays;
  auto copy = model;  // Visiting asks for mutable values; tensors are not copied by this.
  nn::visit_state(
      [&](const nn::Path& path, auto& value) { arrays[to_string(path)] = detail::stored(value); },
      copy);
  return arrays;
}

/// Sets the model to these arrays. The model gives the form: dtypes and shapes must be its own.
///
/// Throws:  UsageError where an array is missing, has another dtype or shape (names path, array and
///          both forms), where an ignored path is none of the model's, and, with `uses_all`, where
///          an array has no place. The model is then unchanged.
/// Example:
///   train::load_model(model, io::TensorBundle("bert_model.ckpt").read_all(),
///                     {.name_of = bert_name, .ignored_paths = {"classifier"}});
template <class Model>
void load_model(Model& model, const io::StoredTensors& arrays, const ModelLoadOptions& options = {},
                std::source_location where = std::source_location::current()) {
  detail::NamedArrays source(arrays, options.name_of, options.ignored_paths, where);
  auto loaded = model;
  nn::visit_state(
      [&](const nn::Path& path, auto& value) {
        if (const auto* array = source.find(to_string(path), detail::form(value))) {
          detail::restore(value, *array);
        }
      },
      loaded);
  source.check_ignored();
  if (options.uses_all) {
    source.check_used();
  }
  model = std::move(loaded);
}

}  // namespace ddx::train
