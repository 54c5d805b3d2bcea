/// \file
/// Models into folders as the Hugging Face hub has them.

#pragma once

#include "ddx/io/stored_tensor.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/detail/configuration_file.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/models/pretrained/weights.h"

#include <filesystem>
#include <source_location>
#include <utility>

namespace ddx::models {

/// Writes a model into a folder, which is made where it does not exist: the weights as
/// save_weights, and `config.json`. Transformers reads the folder, and load_pretrained does. Other
/// files, such as those of a tokenizer, stay. What no score depends on is not written to
/// `config.json`, such as the tokens that begin and end a text: `generation_config.json` has them.
///
/// Throws:  UsageError where `config.json` has no setting for one of the model's options.
///          EnvironmentError where a file cannot be written.
/// Example:
///   models::save_pretrained(model, "tuned", {.dtype = DType::bf16});
template <PublishedModel Model>
void save_pretrained(const Model& model, const std::filesystem::path& folder,
                     const SaveWeightsOptions& options = {},
                     std::source_location where = std::source_location::current()) {
  auto arrays = published_arrays(model, name_rules(model.options), options.dtype, where);
  const auto text = configuration_text(model.options, detail::floating_dtype(arrays));
  io::write_weight_files(folder, {std::move(arrays), {{"format", "pt"}}}, options.files);
  detail::write_configuration(folder, text);
}

}  // namespace ddx::models
