/// \file
/// Whole trainings in files.

#pragma once

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/io/safetensors.h"
#include "ddx/nn/path.h"
#include "ddx/nn/visit.h"
#include "ddx/train/detail/stored.h"
#include "ddx/train/training.h"

#include <filesystem>
#include <map>
#include <new>
#include <string>
#include <utility>

namespace ddx::train {

/// Remarks that travel with a checkpoint, such as the options of the training.
using Remarks = std::map<std::string, std::string>;

namespace detail {

/// Calls `visit(name, value)` for all that a checkpoint holds.
template <class Model, class Optimizer, class Visit>
void visit_training(Training<Model, Optimizer>& training, Visit&& visit) {
  nn::visit_state(
      [&](const nn::Path& path, auto& value) {
        const auto name = to_string(path);
        visit(name.empty() ? "model" : "model." + name, value);
      },
      training.model);
  training.optimizer.visit_state(
      [&](const nn::Path& path, auto& value) { visit("optimizer." + to_string(path), value); });
  visit("position.epoch", training.position.epoch);
  visit("position.step", training.position.step);
  visit("position.samples", training.position.samples);
  visit("position.loss_sum", training.position.loss_sum);
}

}  // namespace detail

/// Writes the whole training, atomically, with a checksum.
///
/// Throws:  EnvironmentError where the file cannot be written. UsageError where a remark has the
///          name of one of the checksum's.
template <class Model, class Optimizer>
void save_checkpoint(const std::filesystem::path& file, const Training<Model, Optimizer>& training,
                     const Remarks& remarks = {}) try {
  io::TensorFile content;
  content.metadata = remarks;
  auto copy = training;  // Visiting asks for mutable values; tensors are not copied by this.
  detail::visit_training(copy, [&](const std::string& name, auto& value) {
    content.tensors[name] = detail::stored(value);
  });
  io::write_safetensors(file, content, {.checksum = true});
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("save_checkpoint");
}

/// Sets the training to what the file holds, and returns the remarks in it. The training gives the
/// form: it has been made for the same model and the same kind of optimiser.
///
/// Throws:  EnvironmentError where the file cannot be read, is damaged (its checksum differs; a
///          file of an earlier version has none), or holds another model: an array is missing, has
///          another dtype or shape, or has no place. The training is then unchanged.
template <class Model, class Optimizer>
Remarks load_checkpoint(const std::filesystem::path& file,
                        Training<Model, Optimizer>& training) try {
  auto content = io::read_safetensors(file);
  auto loaded = training;
  detail::visit_training(loaded, [&](const std::string& name, auto& value) {
    detail::restore(value, detail::take_stored(content, file.string(), name, detail::form(value)));
  });
  detail::check_all_taken(content, file.string());
  detail::check_position(loaded.position, file.string());
  Remarks remarks = std::move(content.metadata);
  training = std::move(loaded);
  return remarks;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("load_checkpoint");
}

}  // namespace ddx::train
