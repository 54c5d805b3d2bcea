/// \file
/// The settings of BERT and its relatives, and their names in published files.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/pretrained/published_model.h"
#include "ddx/nn/activation.h"

#include <cstdint>
#include <string>

namespace ddx::models {

/// Published encoders that differ in what surrounds their blocks.
enum class BertFamily : std::uint8_t {
  Bert,
  /// Places are counted behind the number of the padding, and padding is not counted.
  Roberta,
  Albert,      ///< Blocks are shared, vectors of tokens projected.
  Electra,     ///< Vectors of tokens may be projected.
  DistilBert,  ///< Without kinds of tokens.
};

/// The settings of Bert; by default those of BERT base.
struct BertOptions {
  BertFamily family = BertFamily::Bert;
  std::int64_t vocabulary = 30522;
  std::int64_t context = 512;  ///< Rows of places; RoBERTa has `padding` + 1 more than places.
  std::int64_t kinds = 2;      ///< Of tokens, such as first and second sentence; 0: none.
  std::int64_t blocks = 12;
  std::int64_t distinct_blocks = 0;  ///< Equal parts of the blocks are one block each; 0: `blocks`.
  std::int64_t features = 768;
  std::int64_t token_features = 0;  ///< Of the vectors of tokens; 0: `features`.
  std::int64_t heads = 12;
  std::int64_t hidden = 3072;  ///< Of the dense layers.
  double epsilon = 1e-12;      ///< Of the normalisations.
  nn::Activation activation = nn::Activation::GELU;
  std::int64_t classes = 2;
  std::int64_t padding = 0;        ///< The token of padding, whose vector is not trained; -1: none.
  double dropout = 0.1;            ///< Of vectors of tokens, and of the results of layers.
  double attention_dropout = 0.1;  ///< Of the weights of attention.
  double classifier_dropout = 0.1;  ///< In front of the dense layers of the classifier.

  friend bool operator==(const BertOptions&, const BertOptions&) = default;
};

namespace detail {

/// Throws: UsageError where the blocks are below 1 or no multiple of the distinct ones.
const BertOptions& checked(const BertOptions& options);

/// Whether the vectors of tokens are projected to the features of the blocks.
[[nodiscard]] bool is_projected(const BertOptions& options) noexcept;

/// What the layer in front of the classifier applies.
[[nodiscard]] nn::Activation pooler_activation(BertFamily family) noexcept;

}  // namespace detail

/// The options from `config.json`, whose `model_type` is "bert", "roberta", "albert", "electra" or
/// "distilbert". Absent keys have the defaults of transformers.
///
/// Throws:  EnvironmentError where the type is another, or a setting changes the arithmetic in a
///          way that Bert has not. Names the file, the key and the value.
template <>
[[nodiscard]] BertOptions options_from<BertOptions>(const ModelConfiguration& configuration);

/// The text of `config.json` for these options and weights of this dtype.
///
/// Throws:  UsageError where the family has no setting for one of the options.
[[nodiscard]] std::string configuration_text(const BertOptions& options, DType dtype);

/// What the arrays are called in published files, with and without "bert." before them. Arrays of
/// other heads than the classifier are ignored.
[[nodiscard]] NameRules name_rules(const BertOptions& options);

/// How many parameters such a model has; a double, as options of files may be any numbers.
[[nodiscard]] double parameter_count(const BertOptions& options) noexcept;

}  // namespace ddx::models
