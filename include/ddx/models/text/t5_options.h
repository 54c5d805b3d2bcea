/// \file
/// The settings of T5, and their names in published files.

#pragma once

#include "ddx/core/device.h"
#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"
#include "ddx/tensor/tensor.h"

#include <cstdint>
#include <string>

namespace ddx::models {

/// The settings of T5; by default those of T5 small.
struct T5Options {
  std::int64_t vocabulary = 32128;
  std::int64_t features = 512;
  std::int64_t head_features = 64;
  std::int64_t hidden = 2048;  ///< Of the dense layers.
  std::int64_t encoder_blocks = 6;
  std::int64_t decoder_blocks = 6;
  std::int64_t heads = 8;
  std::int64_t buckets = 32;    ///< Of distances between places.
  std::int64_t distance = 128;  ///< From which on all distances are in the last bucket.
  double epsilon = 1e-6;        ///< Of the normalisations.
  nn::Activation activation = nn::Activation::ReLU;
  bool gated = false;  ///< Whether the dense layers are gated, as since T5 1.1.
  double dropout = 0.1;
  bool tied_head = true;      ///< Whether scores are products with the vectors of the tokens.
  bool scaled_scores = true;  ///< Whether scores are divided by the root of the features.

  friend bool operator==(const T5Options&, const T5Options&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1, there are fewer than four buckets or an odd
///         number, or the distance is not above the buckets.
const T5Options& checked(const T5Options& options);

/// Which bucket the distance from each of the last `queries` of `keys` places to each of them is
/// in, [queries, keys]. In the decoder places behind a query have the number `buckets`.
///
/// Source:  the function `_relative_position_bucket` of transformers.
[[nodiscard]] Tensor<std::int32_t> distance_buckets(std::int64_t queries, std::int64_t keys,
                                                    const T5Options& options, bool is_decoder,
                                                    Device device);

}  // namespace detail

/// The options from `config.json`, whose `model_type` is "t5". Absent keys have the defaults of
/// transformers.
///
/// Throws:  EnvironmentError where the type is another, or a setting changes the arithmetic in a
///          way that T5 has not. Names the file, the key and the value.
template <>
[[nodiscard]] T5Options options_from<T5Options>(const ModelConfiguration& configuration);

/// The text of `config.json` for these options and weights of this dtype.
[[nodiscard]] std::string configuration_text(const T5Options& options, DType dtype);

/// What the arrays of such a model are called in published files.
[[nodiscard]] NameRules name_rules(const T5Options& options);

/// How many parameters such a model has; a double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const T5Options& options) noexcept;

}  // namespace ddx::models
