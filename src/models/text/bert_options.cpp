#include "ddx/models/text/bert_options.h"

#include "ddx/core/error.h"
#include "ddx/models/pretrained/name_rules.h"
#include "ddx/models/text/bert.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/detail/options.h"
#include "ddx/nn/detail/sample_shapes.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/tensor.h"

#include <array>
#include <cstddef>
#include <source_location>
#include <string>
#include <utility>

namespace ddx::models {
namespace detail {

const BertOptions& checked(const BertOptions& options) {
  nn::detail::require_positive("Bert", "blocks", options.blocks);
  nn::detail::require_at_least("Bert", "distinct_blocks", options.distinct_blocks, 0);
  nn::detail::require_at_least("Bert", "kinds", options.kinds, 0);
  nn::detail::require_at_least("Bert", "padding", options.padding,
                               options.family == BertFamily::Roberta ? 0 : -1);
  if (options.distinct_blocks != 0) {
    nn::detail::require_divisor("Bert", "distinct_blocks", options.distinct_blocks, "blocks",
                                options.blocks);
  }
  return options;
}

bool is_projected(const BertOptions& options) noexcept {
  return options.family == BertFamily::Albert ||
         (options.token_features != 0 && options.token_features != options.features);
}

nn::Activation pooler_activation(BertFamily family) noexcept {
  switch (family) {
    case BertFamily::Electra:
      return nn::Activation::GELU;
    case BertFamily::DistilBert:
      return nn::Activation::ReLU;
    case BertFamily::Bert:
    case BertFamily::Roberta:
    case BertFamily::Albert:
      break;
  }
  return nn::Activation::Tanh;
}

Tensor<bool> mask_of_keys(const Tensor<bool>& mask, const Shape& sequence,
                          const std::source_location& where) {
  if (sequence.rank() != 2) {
    throw UsageError("Bert", "shape " + to_string(sequence) + " is not [n, time]", where);
  }
  if (mask.is_symbolic_zero()) {
    return mask;
  }
  if (mask.shape() != sequence) {
    throw UsageError("Bert",
                     "mask " + to_string(mask.shape()) + " has not the shape of the sequence, " +
                         to_string(sequence),
                     where);
  }
  return reshape(mask, {sequence[0], 1, 1, sequence[1]}, where);
}

}  // namespace detail

namespace {

/// What a family calls the parts of a block and what surrounds them.
struct BertNames {
  std::string model;  ///< With a point behind it.
  std::string block;
  std::array<const char*, 8> parts;
  const char* projection;
  const char* pooler;
  const char* classifier;
};

constexpr std::array parts_of_bert_blocks{"attention.query",  "attention.key", "attention.value",
                                          "attention.output", "widen",         "narrow",
                                          "attention_norm",   "dense_norm"};
constexpr std::size_t first_norm = 6;

constexpr std::array usual_parts{"attention.self.query",       "attention.self.key",
                                 "attention.self.value",       "attention.output.dense",
                                 "intermediate.dense",         "output.dense",
                                 "attention.output.LayerNorm", "output.LayerNorm"};

BertNames names_of(BertFamily family) {
  switch (family) {
    case BertFamily::Roberta:
      return {"roberta.",           "encoder.layer.{}.", usual_parts,
              "embeddings_project", "classifier.dense",  "classifier.out_proj"};
    case BertFamily::Albert:
      return {"albert.",
              "encoder.albert_layer_groups.{}.albert_layers.0.",
              {"attention.query", "attention.key", "attention.value", "attention.dense", "ffn",
               "ffn_output", "attention.LayerNorm", "full_layer_layer_norm"},
              "encoder.embedding_hidden_mapping_in",
              "albert.pooler",
              "classifier"};
    case BertFamily::Electra:
      return {"electra.",           "encoder.layer.{}.", usual_parts,
              "embeddings_project", "classifier.dense",  "classifier.out_proj"};
    case BertFamily::DistilBert:
      return {"distilbert.",
              "transformer.layer.{}.",
              {"attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin",
               "ffn.lin1", "ffn.lin2", "sa_layer_norm", "output_layer_norm"},
              "embeddings_project",
              "pre_classifier",
              "classifier"};
    case BertFamily::Bert:
      break;
  }
  return {"bert.",     "encoder.layer.{}.", usual_parts, "embeddings_project", "bert.pooler.dense",
          "classifier"};
}

}  // namespace

double parameter_count(const BertOptions& options) noexcept {
  const auto features = static_cast<double>(options.features);
  const auto hidden = static_cast<double>(options.hidden);
  const double token_features =
      options.token_features == 0 ? features : static_cast<double>(options.token_features);
  const double rows = static_cast<double>(options.vocabulary) +
                      static_cast<double>(options.context) + static_cast<double>(options.kinds);
  // Attention, the dense layers, and all biases with two norms.
  const double block = 4 * features * features + 2 * features * hidden + 9 * features + hidden;
  const auto blocks =
      static_cast<double>(options.distinct_blocks == 0 ? options.blocks : options.distinct_blocks);
  const double projection = detail::is_projected(options) ? (token_features + 1) * features : 0;
  return (rows + 2) * token_features + projection + blocks * block + (features + 1) * features +
         (features + 1) * static_cast<double>(options.classes);
}

NameRules name_rules(const BertOptions& options) {
  const BertNames names = names_of(options.family);
  NameRules result{
      .rules = {},
      .ignored = {"{*}.position_ids", "cls.{*}", "lm_head.{*}", "predictions.{*}",
                  "sop_classifier.{*}", "discriminator_predictions.{*}",
                  "generator_predictions.{*}", "generator_lm_head.{*}", "vocab_transform.{*}",
                  "vocab_layer_norm.{*}", "vocab_projector.{*}"},
      .prefixes = {names.model, "module.", "_orig_mod."},
      .renamed = {{".gamma", ".weight"}, {".beta", ".bias"}}};
  if (options.family == BertFamily::Roberta) {
    result.ignored.emplace_back("roberta.pooler.{*}");
  }
  const auto table = [&](const std::string& ours, const std::string& theirs) {
    result.rules.push_back({ours + ".weight", {names.model + "embeddings." + theirs + ".weight"}});
  };
  const auto dense = [&](const std::string& ours, const std::string& theirs) {
    result.rules.push_back({ours + ".weight", {theirs + ".weight"}, Layout::Transposed});
    result.rules.push_back({ours + ".bias", {theirs + ".bias"}});
  };
  const auto norm = [&](const std::string& ours, const std::string& theirs) {
    result.rules.push_back({ours + ".scale", {theirs + ".weight"}});
    result.rules.push_back({ours + ".offset", {theirs + ".bias"}});
  };
  table("words", "word_embeddings");
  table("positions", "position_embeddings");
  table("kinds.0", "token_type_embeddings");
  norm("norm", names.model + "embeddings.LayerNorm");
  dense("projection.0", names.model + names.projection);
  for (std::size_t i = 0; i < names.parts.size(); ++i) {
    const std::string ours = std::string("blocks.{}.") + parts_of_bert_blocks[i];
    const std::string theirs = names.model + names.block + names.parts[i];
    if (i < first_norm) {
      dense(ours, theirs);
    } else {
      norm(ours, theirs);
    }
  }
  dense("pooler", names.pooler);
  dense("classifier", names.classifier);
  return result;
}

}  // namespace ddx::models
