#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/text/bert_options.h"
#include "ddx/nn/activation.h"

#include "models/pretrained/detail/activation_names.h"
#include "models/pretrained/detail/settings_text.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ddx::models {
namespace {

/// Of a configuration: shared blocks take time, but no weights.
constexpr std::int64_t most_bert_blocks = 10'000;

/// What a setting is called: by BERT and most others, and by DistilBERT.
struct BertKeys {
  const char* features;
  const char* blocks;
  const char* heads;
  const char* hidden;
  const char* activation;
  const char* dropout;
  const char* attention_dropout;
  const char* classifier_dropout;
};

struct BertFacts {
  BertFamily family;
  const char* type;
  const char* architecture;
  BertKeys keys;
  BertOptions defaults;
};

constexpr BertKeys usual_keys{
    "hidden_size", "num_hidden_layers",   "num_attention_heads",          "intermediate_size",
    "hidden_act",  "hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout"};
constexpr BertKeys albert_keys{"hidden_size",
                               "num_hidden_layers",
                               "num_attention_heads",
                               "intermediate_size",
                               "hidden_act",
                               "hidden_dropout_prob",
                               "attention_probs_dropout_prob",
                               "classifier_dropout_prob"};
constexpr BertKeys distil_keys{
    "dim",        "n_layers", "n_heads",           "hidden_dim",
    "activation", "dropout",  "attention_dropout", "seq_classif_dropout"};

constexpr std::array bert_families{
    BertFacts{BertFamily::Bert, "bert", "BertForSequenceClassification", usual_keys, {}},
    BertFacts{BertFamily::Roberta,
              "roberta",
              "RobertaForSequenceClassification",
              usual_keys,
              {.vocabulary = 50265, .padding = 1}},
    BertFacts{BertFamily::Albert,
              "albert",
              "AlbertForSequenceClassification",
              albert_keys,
              {.vocabulary = 30000,
               .distinct_blocks = 1,
               .features = 4096,
               .token_features = 128,
               .heads = 64,
               .hidden = 16384,
               .activation = nn::Activation::GELUTanh,
               .dropout = 0,
               .attention_dropout = 0}},
    BertFacts{BertFamily::Electra,
              "electra",
              "ElectraForSequenceClassification",
              usual_keys,
              {.features = 256, .token_features = 128, .heads = 4, .hidden = 1024}},
    BertFacts{BertFamily::DistilBert,
              "distilbert",
              "DistilBertForSequenceClassification",
              distil_keys,
              {.kinds = 0, .blocks = 6, .classifier_dropout = 0.2}}};

const BertFacts& bert_facts(const ModelConfiguration& configuration) {
  const std::string type = configuration.text("model_type");
  std::string supported;
  for (const BertFacts& facts : bert_families) {
    if (type == facts.type) {
      return facts;
    }
    supported += (supported.empty() ? "" : ", ") + std::string(facts.type);
  }
  configuration.refuse("model_type", supported);
}

bool has_token_features(BertFamily family) {
  return family == BertFamily::Albert || family == BertFamily::Electra;
}

std::int64_t classes_from(const ModelConfiguration& configuration, std::int64_t otherwise) {
  if (configuration.has("id2label")) {
    return static_cast<std::int64_t>(configuration.object("id2label").keys().size());
  }
  return configuration.integer("num_labels", otherwise);
}

[[noreturn]] void refuse_bert_options(const BertFacts& facts, const char* option) {
  throw UsageError("save_pretrained", "the configuration of " + std::string(facts.type) +
                                          " has no setting for " + option);
}

/// Settings that only some families have.
void write_own_settings(nlohmann::ordered_json& settings, const BertOptions& options,
                        const BertFacts& facts) {
  const std::int64_t distinct =
      options.distinct_blocks == 0 ? options.blocks : options.distinct_blocks;
  const std::int64_t token_features =
      options.token_features == 0 ? options.features : options.token_features;
  if (has_token_features(options.family)) {
    settings["embedding_size"] = token_features;
  } else if (token_features != options.features) {
    refuse_bert_options(facts, "token_features");
  }
  if (options.family == BertFamily::Albert) {
    settings["num_hidden_groups"] = distinct;
  } else if (distinct != options.blocks) {
    refuse_bert_options(facts, "distinct_blocks");
  }
  if (options.family != BertFamily::DistilBert) {
    settings["type_vocab_size"] = options.kinds;
    settings["layer_norm_eps"] = options.epsilon;
  } else if (options.kinds != 0 || options.epsilon != facts.defaults.epsilon) {
    refuse_bert_options(facts, "kinds or epsilon");
  }
}

}  // namespace

template <>
BertOptions options_from<BertOptions>(const ModelConfiguration& configuration) {
  const BertFacts& facts = bert_facts(configuration);
  const BertKeys& keys = facts.keys;
  configuration.require("is_decoder", false);
  configuration.require("add_cross_attention", false);
  configuration.require("position_embedding_type", "absolute");
  configuration.require("inner_group_num", 1);
  BertOptions options = facts.defaults;
  options.family = facts.family;
  options.vocabulary = configuration.integer("vocab_size", options.vocabulary);
  options.context = configuration.integer("max_position_embeddings", options.context);
  options.blocks = configuration.integer(keys.blocks, options.blocks);
  if (options.blocks < 1 || options.blocks > most_bert_blocks) {
    configuration.refuse(keys.blocks, "1 to " + std::to_string(most_bert_blocks));
  }
  options.features = configuration.integer(keys.features, options.features);
  options.heads = configuration.integer(keys.heads, options.heads);
  options.hidden = configuration.integer(keys.hidden, options.hidden);
  options.activation = detail::activation_from(configuration, keys.activation, options.activation);
  options.classes = classes_from(configuration, options.classes);
  options.padding = configuration.is_null("pad_token_id")
                        ? -1
                        : configuration.integer("pad_token_id", options.padding);
  if (options.padding < 0 && options.family == BertFamily::Roberta) {
    configuration.refuse("pad_token_id", "numbers of at least 0");
  }
  options.dropout = configuration.real(keys.dropout, options.dropout);
  options.attention_dropout = configuration.real(keys.attention_dropout, options.attention_dropout);
  // Of the families with the usual keys, an absent value means the rate of the other layers.
  options.classifier_dropout = configuration.real(
      keys.classifier_dropout, keys.classifier_dropout == usual_keys.classifier_dropout
                                   ? options.dropout
                                   : options.classifier_dropout);
  if (has_token_features(options.family)) {
    options.token_features = configuration.integer("embedding_size", options.token_features);
  }
  if (options.family == BertFamily::Albert) {
    options.distinct_blocks = configuration.integer("num_hidden_groups", options.distinct_blocks);
    if (options.distinct_blocks < 1 || options.blocks % options.distinct_blocks != 0) {
      configuration.refuse("num_hidden_groups",
                           "divisors of " + std::to_string(options.blocks) + " hidden layers");
    }
  }
  if (options.family != BertFamily::DistilBert) {
    options.kinds = configuration.integer("type_vocab_size", options.kinds);
    options.epsilon = configuration.real("layer_norm_eps", options.epsilon);
  }
  return options;
}

std::string configuration_text(const BertOptions& options, DType dtype) {
  const BertFacts& facts = bert_families[static_cast<std::size_t>(options.family)];
  const BertKeys& keys = facts.keys;
  nlohmann::ordered_json settings{{"architectures", {facts.architecture}},
                                  {"model_type", facts.type},
                                  {"vocab_size", options.vocabulary},
                                  {"max_position_embeddings", options.context},
                                  {keys.blocks, options.blocks},
                                  {keys.features, options.features},
                                  {keys.heads, options.heads},
                                  {keys.hidden, options.hidden},
                                  {keys.activation, detail::activation_name(options.activation)},
                                  {keys.dropout, options.dropout},
                                  {keys.attention_dropout, options.attention_dropout},
                                  {keys.classifier_dropout, options.classifier_dropout},
                                  {"pad_token_id", options.padding}};
  auto& names = settings["id2label"] = nlohmann::ordered_json::object();
  auto& numbers = settings["label2id"] = nlohmann::ordered_json::object();
  for (std::int64_t i = 0; i < options.classes; ++i) {
    const std::string number = std::to_string(i);
    names[number] = "LABEL_" + number;
    numbers["LABEL_" + number] = i;
  }
  if (options.padding < 0) {
    settings["pad_token_id"] = nullptr;
  }
  write_own_settings(settings, options, facts);
  return detail::settings_text(std::move(settings), dtype);
}

}  // namespace ddx::models
