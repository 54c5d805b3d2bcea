/// \file
/// What a model needs to continue sequences.

#pragma once

#include "ddx/core/device.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstdint>
#include <source_location>

namespace ddx::models {

/// What generation does where a sequence gets longer than a model's context.
enum class ContextLimit : std::uint8_t {
  None,     ///< The model computes longer sequences too.
  Error,    ///< Such sequences are an error before the first token.
  Restart,  ///< The model begins again with the last half of its context.
};

/// A model that scores the token after each place of a sequence and can extend a sequence place by
/// place: `Cache()` is what it remembers before any token, `extend(tokens, cache)` takes tokens [n,
/// new places], which follow those in the cache, and returns scores [n, new places, vocabulary].
template <class Model>
concept TokenPredictor = std::default_initializable<typename Model::Cache> &&
                         requires(const Model& model, const Tensor<std::int32_t>& tokens,
                                  typename Model::Cache& cache, std::source_location where) {
                           {
                             static_cast<double>(model.extend(tokens, cache, where).elements()[0])
                           };
                           { model.vocabulary() } -> std::same_as<std::int64_t>;
                           { model.context() } -> std::same_as<std::int64_t>;
                           { model.device() } -> std::same_as<Device>;
                           { Model::context_limit } -> std::convertible_to<ContextLimit>;
                         };

}  // namespace ddx::models
