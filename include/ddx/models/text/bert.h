/// \file
/// Transformers that read a text in both directions, and classify it.

#pragma once

#include "ddx/ad/differentiable.h"
#include "ddx/ad/without_derivative.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/models/text/bert_options.h"
#include "ddx/nn/attention/positions.h"
#include "ddx/nn/attention/transformer_block.h"
#include "ddx/nn/initializers/initializer.h"
#include "ddx/nn/layers/dense.h"
#include "ddx/nn/layers/dropout.h"
#include "ddx/nn/layers/embedding.h"
#include "ddx/nn/layers/layer_norm.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/axes.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/comparison.h"
#include "ddx/tensor/cumulative.h"
#include "ddx/tensor/indexing.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <source_location>
#include <vector>

namespace ddx::models {

namespace detail {

/// The mask [n, 1, 1, time] of attention for one of tokens; symbolic where that is.
///
/// Throws: UsageError where the mask has not the shape of the sequence.
[[nodiscard]] Tensor<bool> mask_of_keys(const Tensor<bool>& mask, const Shape& sequence,
                                        const std::source_location& where);

/// The number of each place's row: those of tokens that are not padding are counted from `padding`
/// + 1 on, padding has the row `padding`.
template <IndexScalar Index>
[[nodiscard]] Tensor<std::int32_t> rows_behind_padding(const Tensor<Index>& sequence,
                                                       std::int64_t padding,
                                                       std::source_location where) {
  const auto is_token = cast<std::int32_t>(not_equal(sequence, static_cast<Index>(padding)));
  const auto count = cast<std::int32_t>(cumulative_sum(is_token, {.axis = 1}, where));
  return count * is_token + static_cast<std::int32_t>(padding);
}

/// The vectors of a sequence; no gradient flows to those of padding, as in PyTorch.
///
/// Shapes:  x [n, time, features], sequence [n, time] -> [n, time, features]
template <FloatingScalar Scalar, IndexScalar Index>
[[nodiscard]] Tensor<Scalar> without_padding(const Tensor<Scalar>& x, const Tensor<Index>& sequence,
                                             std::int64_t padding, std::source_location where) {
  if (padding < 0) {
    return x;
  }
  const auto is_padding = equal(expand_dims(sequence, 2, where), static_cast<Index>(padding));
  return select(is_padding, without_derivative(x), x, where);
}

}  // namespace detail

/// Vectors of tokens, places and kinds, blocks that normalise their sums, and a classifier of what
/// stands at the first place: BERT, RoBERTa, ALBERT, ELECTRA, DistilBERT. With two classes BERT
/// base has 109,483,778 parameters, RoBERTa base 124,647,170, DistilBERT 66,955,010.
///
/// Shapes:  tokens [n, time] -> [n, classes], one score per class
/// Source:  J. Devlin et al., "BERT: pre-training of deep bidirectional transformers for language
///          understanding", NAACL 2019; what the others change as transformers has it.
/// Example:
///   auto model = models::load_pretrained<models::Bert<float>>(
///       "bert-base-uncased", {.ignored_paths = {"classifier"}});
template <FloatingScalar Scalar>
struct Bert {
  using Options = BertOptions;

  nn::Embedding<Scalar> words;
  nn::LearnedPositions<Scalar> positions;
  std::optional<nn::Embedding<Scalar>> kinds;
  nn::LayerNorm<Scalar> norm;
  nn::Dropout<Scalar> dropout;
  std::optional<nn::Dense<Scalar>> projection;
  std::vector<nn::TransformerBlock<Scalar>> blocks;
  nn::Dropout<Scalar> pooler_dropout;
  nn::Dense<Scalar> pooler;
  nn::Dropout<Scalar> classifier_dropout;
  nn::Dense<Scalar> classifier;
  Options options;

  /// Throws: UsageError where an extent is below 1, `heads` does not divide `features`, the
  ///         distinct blocks do not divide the blocks, or a dropout is not in [0, 1).
  explicit Bert(const Options& given = {})
      : words{{.count = detail::checked(given).vocabulary,
               .features = token_features(given),
               .deviation = deviation}},
        positions{{.count = given.context, .features = token_features(given)}},
        kinds(kinds_for(given)),
        norm{{.features = token_features(given), .epsilon = given.epsilon}},
        dropout{{.rate = given.dropout}},
        projection(projection_for(given)),
        pooler_dropout{{.rate = has_pooler_dropout(given) ? given.classifier_dropout : 0}},
        pooler{{.in = given.features,
                .out = given.features,
                .activation = detail::pooler_activation(given.family),
                .initializer = nn::Initializer::normal(0, deviation)}},
        classifier_dropout{{.rate = given.classifier_dropout}},
        classifier{{.in = given.features,
                    .out = given.classes,
                    .initializer = nn::Initializer::normal(0, deviation)}},
        options(given) {
    const std::int64_t distinct = given.distinct_blocks == 0 ? given.blocks : given.distinct_blocks;
    for (std::int64_t i = 0; i < distinct; ++i) {
      blocks.push_back(nn::TransformerBlock<Scalar>{
          {.features = given.features,
           .heads = given.heads,
           .hidden = given.hidden,
           .order = nn::NormOrder::After,
           .activation = given.activation,
           .dropout = given.dropout,
           .attention_dropout = given.attention_dropout,
           .epsilon = given.epsilon,
           .key = RandomKey(0).fold_in(static_cast<std::uint64_t>(i))}});
    }
  }

  /// The scores of texts without padding, of tokens of the first kind.
  ///
  /// Shapes:  sequence [n, time] -> [n, classes]
  /// Throws:  UsageError where a token is not in [0, vocabulary), or the sequence is longer than
  ///          the context.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& sequence,
      std::source_location where = std::source_location::current()) const {
    return (*this)(sequence, Tensor<Index>(), Tensor<bool>(), where);
  }

  /// As above; the mask is true where tokens are no padding. Both it and the kinds may be left out.
  ///
  /// Shapes:  sequence, kinds_of_tokens and mask [n, time] -> [n, classes]
  /// Throws:  UsageError as above, and where the shapes differ.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> operator()(
      const Tensor<Index>& sequence, const Tensor<Index>& kinds_of_tokens, const Tensor<bool>& mask,
      std::source_location where = std::source_location::current()) const {
    const auto x = encoded(sequence, kinds_of_tokens, mask, where);
    const Shape s = x.shape();
    const auto first = reshape(slice(x, {.start = {0, 0, 0}, .stop = {s[0], 1, s[2]}}, where),
                               {s[0], s[2]}, where);
    return classifier(classifier_dropout(pooler(pooler_dropout(first), where)), where);
  }

  /// What the last block returns for each token.
  ///
  /// Shapes:  sequence, kinds_of_tokens and mask [n, time] -> [n, time, features]
  /// Throws:  UsageError as above.
  template <IndexScalar Index = std::int32_t>
  [[nodiscard]] Tensor<Scalar> encoded(
      const Tensor<Index>& sequence, const Tensor<Index>& kinds_of_tokens = {},
      const Tensor<bool>& mask = {},
      std::source_location where = std::source_location::current()) const {
    const Tensor<bool> keys = detail::mask_of_keys(mask, sequence.shape(), where);
    auto x = dropout(norm(embedded(sequence, kinds_of_tokens, where), where));
    if (projection) {
      x = (*projection)(x, where);
    }
    const auto count = static_cast<std::size_t>(options.blocks);
    for (std::size_t i = 0; i < count; ++i) {
      x = blocks[i * blocks.size() / count](x, keys, where);
    }
    return x;
  }

  DDX_DIFFERENTIABLE(Bert, words, positions, kinds, norm, dropout, projection, blocks,
                     pooler_dropout, pooler, classifier_dropout, classifier)
  DDX_NO_DERIVATIVE(options)

 private:
  static constexpr double deviation = 0.02;  ///< Of initial weights.

  static std::int64_t token_features(const Options& given) {
    return given.token_features == 0 ? given.features : given.token_features;
  }
  static bool has_pooler_dropout(const Options& given) {
    return given.family == BertFamily::Roberta || given.family == BertFamily::Electra;
  }
  static std::optional<nn::Embedding<Scalar>> kinds_for(const Options& given) {
    if (given.kinds == 0) {
      return {};
    }
    return nn::Embedding<Scalar>{
        {.count = given.kinds, .features = token_features(given), .deviation = deviation}};
  }
  static std::optional<nn::Dense<Scalar>> projection_for(const Options& given) {
    if (!detail::is_projected(given)) {
      return {};
    }
    return nn::Dense<Scalar>{{.in = token_features(given),
                              .out = given.features,
                              .initializer = nn::Initializer::normal(0, deviation)}};
  }

  template <IndexScalar Index>
  Tensor<Scalar> embedded(const Tensor<Index>& sequence, const Tensor<Index>& kinds_of_tokens,
                          std::source_location where) const {
    const std::int64_t padding = options.padding;
    const auto vectors = detail::without_padding(words(sequence, where), sequence, padding, where);
    const auto x = with_kinds(vectors, kinds_of_tokens, where);
    if (options.family == BertFamily::Roberta) {
      const auto rows = detail::rows_behind_padding(sequence, padding, where);
      return x + detail::without_padding(gather(positions.weight, rows, 0, where), sequence,
                                         padding, where);
    }
    return positions(x, where);
  }
  template <IndexScalar Index>
  Tensor<Scalar> with_kinds(const Tensor<Scalar>& x, const Tensor<Index>& kinds_of_tokens,
                            std::source_location where) const {
    if (!kinds) {
      return x;
    }
    if (kinds_of_tokens.is_symbolic_zero()) {
      return x + kinds->first_vector(where);
    }
    return x + (*kinds)(kinds_of_tokens, where);
  }
};

}  // namespace ddx::models
