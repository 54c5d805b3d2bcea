/// \file
/// Continues sequences beside what a model has read.

#pragma once

#include "ddx/core/device.h"
#include "ddx/models/generation/token_predictor.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <optional>
#include <source_location>

namespace ddx::models {

/// A model of an encoder and a decoder as a TokenPredictor: its decoder beside what its encoder
/// returned, so that `generate` continues as many sequences as there are sources. Borrows the
/// model.
///
/// Example:
///   const models::Answering answering(model, model.encode(source));
///   const auto tokens = models::generate(answering, beginning, {.greedy = true});
template <class Model>
class Answering {
 public:
  /// What the decoder keeps; none before any token.
  using Cache = std::optional<typename Model::Cache>;
  static constexpr ContextLimit context_limit = Model::context_limit;

  /// Shapes:  encoded [n, places, features]
  template <class Encoded>
  Answering(const Model& model, const Encoded& encoded,
            std::source_location where = std::source_location::current())
      : model_(model), beginning_(model.beginning(encoded, where)) {}

  /// The longest sequence.
  [[nodiscard]] std::int64_t context() const { return model_.context(); }
  /// How many different tokens there are.
  [[nodiscard]] std::int64_t vocabulary() const { return model_.vocabulary(); }
  /// Where sequences are to lie.
  [[nodiscard]] Device device() const { return model_.device(); }

  /// The scores of sequences whose beginnings are in `cache`, which afterwards holds all of them.
  ///
  /// Shapes:  continuation [n, new places] -> [n, new places, vocabulary]
  /// Throws:  UsageError where a token is not in [0, vocabulary), or the numbers of sequences
  /// differ.
  [[nodiscard]] auto extend(const Tensor<std::int32_t>& continuation, Cache& cache,
                            std::source_location where = std::source_location::current()) const {
    if (!cache) {
      cache = beginning_;
    }
    return model_.extend(continuation, *cache, where);
  }

 private:
  const Model& model_;
  typename Model::Cache beginning_;
};

}  // namespace ddx::models
