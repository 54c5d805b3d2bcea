/// \file
/// Weights of published models, into models and out of them.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/detail/weight_plan.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/nn/detail/quantized_state.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/detail/kept_memory.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {

namespace detail {

template <TensorScalar Scalar>
ModelArray asked_for(std::string path, const Tensor<Scalar>& value) {
  const bool is_empty = value.array().is_symbolic_zero() || value.shape().count() == 0;
  return {std::move(path), dtype_of<Scalar>, value.shape(), is_empty};
}
template <TensorScalar Scalar>
ModelArray asked_for(std::string path, const Scalar&) {
  return {std::move(path), dtype_of<Scalar>, Shape(), false};
}

/// Sets an array of the model to what is published for it: in its place where it owns its memory
/// alone and the layout allows it. (Truth values may be refused on the way.)
template <TensorScalar Scalar>
void load_array(Tensor<Scalar>& value, const WeightPlan& plan, std::size_t number) {
  if (dtype_of<Scalar> != DType::boolean && value.array().unshared() &&
      plan.reads_in_place(number)) {
    const auto elements = value.mutable_elements();
    plan.read_into(number,
                   {reinterpret_cast<std::uint8_t*>(elements.data()), elements.size_bytes()});
  } else {
    value = Tensor<Scalar>(plan.read(number)).to(value.device());
  }
}
template <TensorScalar Scalar>
void load_array(Scalar& value, const WeightPlan& plan, std::size_t number) {
  std::memcpy(&value, plan.read(number).data(), sizeof value);
}

template <TensorScalar Scalar>
ddx::detail::Array elements_of(const Tensor<Scalar>& value) {
  return value.to(Device::cpu()).array();
}
template <TensorScalar Scalar>
ddx::detail::Array elements_of(const Scalar& value) {
  return Tensor<Scalar>(value, Device::cpu()).array();
}

}  // namespace detail

/// How weights are loaded.
struct LoadWeightsOptions {
  /// Paths of the model that keep their values, with all below them: "classifier". Published arrays
  /// for them, of whatever shape, are not read.
  std::vector<std::string> ignored_paths = {};
  /// 8 or 4: dense and embedding layers keep their weights in at most so many bits, as nn::quantize
  /// does, one array at a time. Numbers and scales that a GGUF file has in that form (Q8_0, Q4_0)
  /// are taken as they are.
  std::optional<int> quantized_bits = std::nullopt;
};

namespace detail {

/// Sets the weights of layers that can be quantised and have a published array, and marks the
/// numbers of these in `is_set`.
template <class Model>
void load_quantized(Model& model, const WeightPlan& plan, int bits, std::vector<bool>& is_set,
                    const std::source_location& where) {
  nn::visit_objects(
      [&](const nn::Path& path, auto& object) {
        nn::detail::require_quantizable(path, object, where);
        if constexpr (requires { object.set_quantized(QuantizedMatrix(), where); }) {
          const auto number = plan.find(to_string(nn::Path(path, "weight")));
          if (number && !plan.source(*number).names.empty()) {
            auto matrix = plan.read_quantized(*number, bits, object.quantizes_transposed, where);
            const Device device = object.weight.device();
            object.set_quantized({.numbers = matrix.numbers.to(device),
                                  .scales = matrix.scales.to(device),
                                  .form = matrix.form},
                                 where);
            plan.drop(*number);
            is_set[*number] = true;
            // Of the weight that was there, whose first pages have been used.
            ddx::detail::release_kept_memory();
          }
        }
      },
      model);
}

}  // namespace detail

/// Sets a model to published weights: its parameters, and the state that layers keep beside them.
/// The model gives the form: each array that it asks for is there and has the shape of its rule,
/// and each that is there is asked for or among `names.ignored`. Floating-point arrays become the
/// model's dtype, rounded to the nearest; others must have it. Each array goes to the device that
/// it has in the model. An array of no elements, such as the bias of a layer without one, asks for
/// nothing.
///
/// Throws:  UsageError where names, shapes or dtypes differ: all faults in one message, each with
///          the nearest name that is left, and where there are other bits than 8 or 4. The model is
///          then unchanged. EnvironmentError where memory runs out, and UsageError where a weight
///          cannot be quantised (as ddx::quantized); arrays that have been read by then stay.
/// Cost:    an array is read into the memory that it has in the model, some rows at a time where it
///          is transposed; or into new memory where that is shared, where operations are recorded,
///          and where it is rearranged otherwise: then it and its copy are there beside the model,
///          one array at a time. Weights are quantised a few
///          rows at a time, unless the layout of their rule is another than that of rows.
/// Example:
///   models::load_weights(model, io::WeightFiles("resnet18"), names);
template <class Model>
void load_weights(Model& model, const io::WeightFiles& files, const NameRules& names,
                  const LoadWeightsOptions& options = {},
                  std::source_location where = std::source_location::current()) {
  detail::check_quantized_bits(options.quantized_bits, where);
  std::vector<detail::ModelArray> asked;
  nn::visit_state([&](const nn::Path& path,
                      auto& value) { asked.push_back(detail::asked_for(to_string(path), value)); },
                  model);
  const detail::WeightPlan plan(std::move(asked), files, names, options.ignored_paths, where);
  std::vector<bool> is_set(plan.size(), false);
  if (options.quantized_bits) {
    detail::load_quantized(model, plan, *options.quantized_bits, is_set, where);
  }
  nn::visit_state(
      [&](const nn::Path& path, auto& value) {
        const auto number = plan.find(to_string(path));  // None of what has been quantised.
        if (number && !is_set[*number] && !plan.source(*number).names.empty()) {
          detail::load_array(value, plan, *number);
          plan.drop(*number);
        }
      },
      model);
}

/// How weights are published.
struct SaveWeightsOptions {
  std::optional<DType> dtype = std::nullopt;  ///< Of floating-point arrays; else the model's.
  io::WeightFilesWriteOptions files = {};
};

/// All that a model holds, as arrays of their names and layouts: what load_weights reads with the
/// same rules. Parts are joined; of a sum the first array gets the values and the others zeros; a
/// tied array is left out.
///
/// Throws:  UsageError where a path has no rule, the layout of its rule has no such shape, a part
///          is missing, or two paths are one array. Names them.
template <class Model>
[[nodiscard]] io::StoredTensors published_arrays(
    const Model& model, const NameRules& names, std::optional<DType> dtype = std::nullopt,
    std::source_location where = std::source_location::current()) {
  std::vector<detail::ModelElements> arrays;
  auto copy = model;  // Visiting asks for mutable values; tensors are not copied by this.
  nn::visit_state(
      [&](const nn::Path& path, auto& value) {
        arrays.push_back({detail::asked_for(to_string(path), value), detail::elements_of(value)});
      },
      copy);
  return detail::published(arrays, names, dtype, where);
}

/// Writes a model's weights into a folder, as PyTorch's programs read them.
///
/// Throws:  as published_arrays and io::write_weight_files.
/// Example:
///   models::save_weights(model, "tuned", names, {.dtype = DType::bf16});
template <class Model>
void save_weights(const Model& model, const std::filesystem::path& folder, const NameRules& names,
                  const SaveWeightsOptions& options = {},
                  std::source_location where = std::source_location::current()) {
  io::write_weight_files(folder,
                         {published_arrays(model, names, options.dtype, where), {{"format", "pt"}}},
                         options.files);
}

}  // namespace ddx::models
