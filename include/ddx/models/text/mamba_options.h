/// \file
/// The settings of Mamba, and their names in published files.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"

#include <cstdint>
#include <string>

namespace ddx::models {

/// The settings of Mamba; by default those of transformers, of 168,078,336 parameters.
struct MambaOptions {
  std::int64_t vocabulary = 50280;
  std::int64_t blocks = 32;
  std::int64_t features = 768;
  std::int64_t expansion = 2;  ///< Channels by features.
  std::int64_t states = 16;    ///< Numbers that a channel remembers.
  std::int64_t kernel = 4;     ///< Places that the convolutions see.
  /// What step sizes are computed from; 0: a sixteenth of the features, rounded up.
  std::int64_t step_features = 0;
  double epsilon = 1e-5;  ///< Of the normalisations.
  nn::Activation activation = nn::Activation::SiLU;
  bool bias = false;  ///< Of the first and the last layer of a block.
  bool kernel_bias = true;
  bool tied_head = true;  ///< Whether scores are products with the vectors of the tokens.

  friend bool operator==(const MambaOptions&, const MambaOptions&) = default;
};

namespace detail {

/// Throws: UsageError where an extent is below 1.
const MambaOptions& checked(const MambaOptions& options);

/// What step sizes are computed from.
[[nodiscard]] std::int64_t step_features(const MambaOptions& options) noexcept;

}  // namespace detail

/// The options from `config.json`, whose `model_type` is "mamba". Absent keys have the defaults of
/// transformers.
///
/// Throws:  EnvironmentError where the type is another, or a setting changes the arithmetic in a
///          way that Mamba has not. Names the file, the key and the value.
template <>
[[nodiscard]] MambaOptions options_from<MambaOptions>(const ModelConfiguration& configuration);

/// The text of `config.json` for these options and weights of this dtype.
[[nodiscard]] std::string configuration_text(const MambaOptions& options, DType dtype);

/// What the arrays of such a model are called in published files.
[[nodiscard]] NameRules name_rules(const MambaOptions& options);

/// How many parameters such a model has; a double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const MambaOptions& options) noexcept;

}  // namespace ddx::models
