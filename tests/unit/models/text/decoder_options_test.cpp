#include "ddx/models/text/decoder_options.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/nn/activation.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include "tests/support/configured_folder.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace decoder_options_test {

using ddx::testing::ConfiguredFolder;
using ddx::testing::message_of;
using Kind = nn::RotaryScaling::Kind;

DecoderOptions options_of(const std::string& text) {
  return ConfiguredFolder(text).options<DecoderOptions>();
}

std::string error_of(const std::string& text) {
  return ConfiguredFolder(text).error<DecoderOptions>();
}

// The defaults of the configuration classes of transformers 5.24.
TEST(DecoderOptions, AbsentKeysHaveTheDefaultsOfTransformers) {
  EXPECT_EQ(options_of(R"({"model_type": "llama"})"), (DecoderOptions{.context = 2048}));
  EXPECT_EQ(options_of(R"({"model_type": "mistral"})"),
            (DecoderOptions{.family = DecoderFamily::Mistral,
                            .context = 131072,
                            .hidden = 14336,
                            .key_heads = 8,
                            .attention = {{.window = 4096}}}));
  EXPECT_EQ(options_of(R"({"model_type": "qwen2"})"),
            (DecoderOptions{.family = DecoderFamily::Qwen2,
                            .vocabulary = 151936,
                            .context = 32768,
                            .hidden = 22016,
                            .key_heads = 32}));
  EXPECT_EQ(options_of(R"({"model_type": "qwen3"})").head_features, 128);
  const auto gemma = options_of(R"({"model_type": "gemma3_text"})");
  EXPECT_EQ(gemma.attention.size(), 26U);
  EXPECT_EQ(gemma.attention[4], (DecoderAttention{.window = 4096}));
  EXPECT_EQ(gemma.attention[5], (DecoderAttention{.rotary = {.base = 1e6}}));
  EXPECT_EQ(gemma.query_scalar, 256);
  EXPECT_EQ(gemma.activation, nn::Activation::GELUTanh);
  EXPECT_TRUE(gemma.tied_head);
}

// As Llama 3.2 1B, Qwen 2 and Gemma 3 4B were published, before `rope_parameters`.
TEST(DecoderOptions, RotationsAreReadInTheOldForm) {
  const auto llama = options_of(R"({"model_type": "llama", "rope_theta": 500000.0,
      "num_key_value_heads": null, "head_dim": null, "max_position_embeddings": 131072,
      "rope_scaling": {"factor": 32.0, "high_freq_factor": 4.0, "low_freq_factor": 1.0,
                       "original_max_position_embeddings": 8192, "rope_type": "llama3"}})");
  EXPECT_EQ(llama,
            (DecoderOptions{
                .context = 131072,
                .attention = {{.rotary = {.base = 500000,
                                          .scaling = {.kind = Kind::Llama3, .factor = 32}}}}}));
  const auto linear =
      options_of(R"({"model_type": "llama", "rope_scaling": {"type": "linear", "factor": 2}})");
  EXPECT_EQ(linear.attention[0].rotary.scaling,
            (nn::RotaryScaling{.kind = Kind::Linear, .factor = 2}));
  const auto gemma = options_of(R"({"model_type": "gemma3_text", "num_hidden_layers": 2,
      "sliding_window_pattern": 2, "sliding_window": 512, "rope_theta": 2e6,
      "rope_local_base_freq": 20000, "rope_scaling": {"rope_type": "linear", "factor": 8.0}})");
  EXPECT_EQ(gemma.attention,
            (std::vector<DecoderAttention>{
                {.window = 512, .rotary = {.base = 20000}},
                {.rotary = {.base = 2e6, .scaling = {.kind = Kind::Linear, .factor = 8}}}}));
}

TEST(DecoderOptions, WindowsAreThoseOfTheBlocks) {
  EXPECT_EQ(options_of(R"({"model_type": "mistral", "sliding_window": null})").attention,
            (std::vector<DecoderAttention>{{}}));
  const std::string qwen = R"({"model_type": "qwen2", "num_hidden_layers": 3,
      "sliding_window": 16, "use_sliding_window": true, )";
  EXPECT_EQ(options_of(qwen + R"("max_window_layers": 2})").attention,
            (std::vector<DecoderAttention>{{}, {}, {.window = 16}}));
  EXPECT_EQ(options_of(qwen + R"("layer_types":
                       ["sliding_attention", "full_attention", "full_attention"]})")
                .attention,
            (std::vector<DecoderAttention>{{.window = 16}, {}, {}}));
  EXPECT_EQ(error_of(qwen + R"("layer_types": ["full_attention"]})"),
            "layer_types is [\"full_attention\"], supported: 3 of them, one for each block");
}

TEST(DecoderOptions, WhatIsNotSupportedIsAnError) {
  EXPECT_EQ(error_of(R"({"model_type": "gpt2"})"),
            "model_type is \"gpt2\", supported: llama, mistral, qwen2, qwen3, gemma3_text, "
            "mixtral, phi3");
  EXPECT_EQ(error_of(R"({})"), "has no model_type, a text is expected");
  EXPECT_EQ(error_of(R"({"model_type": "llama", "mlp_bias": true})"),
            "mlp_bias is true, only false is supported");
  EXPECT_EQ(error_of(R"({"model_type": "llama", "hidden_act": "gelu_fast"})"),
            "hidden_act is \"gelu_fast\", supported: silu, swish, gelu, gelu_pytorch_tanh, "
            "gelu_new, relu, relu6, tanh, sigmoid, mish, linear");
  EXPECT_EQ(error_of(R"({"model_type": "llama", "rope_scaling": {"rope_type": "longrope"}})"),
            "rope_scaling.rope_type is \"longrope\", supported: \"default\", \"linear\", "
            "\"llama3\", \"yarn\"");
  // For Phi, transformers takes yarn for longrope.
  EXPECT_EQ(error_of(R"({"model_type": "phi3", "rope_scaling": {"rope_type": "yarn"}})"),
            "rope_scaling.rope_type is \"yarn\", supported: \"default\"");
  EXPECT_EQ(error_of(R"({"model_type": "phi3", "partial_rotary_factor": 1.5})"),
            "partial_rotary_factor is 1.5, supported: numbers above 0, at most 1");
  EXPECT_EQ(error_of(R"({"model_type": "phi3", "resid_pdrop": 0.1})"),
            "resid_pdrop is 0.1, only 0.0 is supported");
  EXPECT_EQ(error_of(R"({"model_type": "mixtral", "num_local_experts": 0})"),
            "num_local_experts is 0, supported: 1 to 10000");
  EXPECT_EQ(error_of(R"({"model_type": "mixtral", "router_jitter_noise": 0.1})"),
            "router_jitter_noise is 0.1, only 0.0 is supported");
  EXPECT_EQ(error_of(R"({"model_type": "llama", "partial_rotary_factor": 0.5})"),
            "partial_rotary_factor is 0.5, only 1.0 is supported");
  EXPECT_EQ(error_of(R"({"model_type": "gemma3_text", "final_logit_softcapping": 30.0})"),
            "final_logit_softcapping is 30.0, supported: null");
  EXPECT_EQ(error_of(R"({"model_type": "llama", "num_hidden_layers": 0})"),
            "num_hidden_layers is 0, supported: 1 to 10000");
  EXPECT_EQ(error_of(R"({"model_type": "gemma3_text", "num_hidden_layers": 1000000000000})"),
            "num_hidden_layers is 1000000000000, supported: 1 to 10000");
}

// As the packages print them.
TEST(DecoderOptions, HaveTheParametersOfPublishedModels) {
  EXPECT_EQ(parameter_count(DecoderOptions{.vocabulary = 128256,
                                           .blocks = 16,
                                           .features = 2048,
                                           .hidden = 8192,
                                           .key_heads = 8,
                                           .tied_head = true}),
            1'235'814'400);
  EXPECT_EQ(parameter_count(DecoderOptions{.family = DecoderFamily::Qwen2,
                                           .vocabulary = 151936,
                                           .blocks = 24,
                                           .features = 896,
                                           .hidden = 4864,
                                           .heads = 14,
                                           .key_heads = 2,
                                           .tied_head = true}),
            494'032'768);
  EXPECT_EQ(parameter_count(DecoderOptions{.family = DecoderFamily::Qwen3,
                                           .vocabulary = 151936,
                                           .blocks = 28,
                                           .features = 1024,
                                           .hidden = 3072,
                                           .heads = 16,
                                           .key_heads = 8,
                                           .head_features = 128,
                                           .tied_head = true}),
            596'049'920);
  EXPECT_EQ(parameter_count(
                DecoderOptions{.family = DecoderFamily::Mistral, .hidden = 14336, .key_heads = 8}),
            7'241'732'096);
  EXPECT_EQ(parameter_count(DecoderOptions{.family = DecoderFamily::Gemma3,
                                           .vocabulary = 262144,
                                           .blocks = 18,
                                           .features = 640,
                                           .hidden = 2048,
                                           .heads = 4,
                                           .key_heads = 1,
                                           .head_features = 256,
                                           .tied_head = true}),
            268'098'176);
  // 8x7B, and Phi 3 mini.
  EXPECT_EQ(parameter_count(DecoderOptions{
                .family = DecoderFamily::Mixtral, .hidden = 14336, .key_heads = 8, .experts = 8}),
            46'702'792'704);
  EXPECT_EQ(
      parameter_count(DecoderOptions{
          .family = DecoderFamily::Phi3, .vocabulary = 32064, .features = 3072, .hidden = 8192}),
      3'821'079'552);
}

TEST(DecoderOptions, GoThroughAConfiguration) {
  const nn::RotaryOptions scaled{.base = 5e5, .scaling = {.kind = Kind::Llama3, .factor = 8}};
  const DecoderOptions sizes{.vocabulary = 10,
                             .context = 20,
                             .blocks = 3,
                             .features = 8,
                             .hidden = 12,
                             .heads = 4,
                             .key_heads = 2,
                             .head_features = 6,
                             .epsilon = 1e-5,
                             .activation = nn::Activation::GELU,
                             .tied_head = true};
  for (const DecoderFamily family :
       {DecoderFamily::Llama, DecoderFamily::Mistral, DecoderFamily::Qwen2, DecoderFamily::Qwen3,
        DecoderFamily::Gemma3, DecoderFamily::Mixtral, DecoderFamily::Phi3}) {
    DecoderOptions options = sizes;
    options.family = family;
    options.attention = {{.rotary = scaled}};
    if (family == DecoderFamily::Mistral) {
      options.attention[0].window = 4;
    }
    if (family == DecoderFamily::Mixtral) {
      options.experts = 5;
      options.used_experts = 3;
      options.attention[0].rotary.scaling = {.kind = Kind::Yarn,
                                             .factor = 3,
                                             .original_places = 7,
                                             .fast_turns = 4,
                                             .slow_turns = 2,
                                             .magnitude = 1.5,
                                             .whole_pairs = false};
    }
    if (family == DecoderFamily::Phi3) {
      options.attention[0].rotary = {.base = 5e5, .depth = 4};
    }
    if (family == DecoderFamily::Qwen2 || family == DecoderFamily::Qwen3) {
      options.attention = {{.rotary = scaled}, {.rotary = scaled}, {.window = 7, .rotary = scaled}};
    }
    if (family == DecoderFamily::Gemma3) {
      options.query_scalar = 9;
      options.attention = {{.window = 5, .rotary = {.base = 1e4}},
                           {.rotary = scaled},
                           {.window = 5, .rotary = {.base = 1e4}}};
    }
    options.attention_bias = family == DecoderFamily::Llama || family == DecoderFamily::Qwen3 ||
                             family == DecoderFamily::Gemma3;
    EXPECT_EQ(options_of(configuration_text(options, DType::f32)), options);
  }
}

// Transformers takes 32000 where the key is absent, and refuses smaller vocabularies then.
TEST(DecoderOptions, OfPhiNameNoPadding) {
  const auto text = configuration_text({.family = DecoderFamily::Phi3}, DType::f32);
  EXPECT_NE(text.find("\"pad_token_id\": null"), std::string::npos);
}

TEST(DecoderOptions, WithoutASettingAreAnError) {
  const auto error = [](const DecoderOptions& options) {
    return message_of<UsageError>([&] { (void)configuration_text(options, DType::f32); });
  };
  const std::string start = "save_pretrained: the configuration of ";
  EXPECT_EQ(error({.attention = {{.window = 4}}}), start + "llama has no setting for windows");
  EXPECT_EQ(error({.experts = 4}), start + "llama has no setting for experts");
  EXPECT_EQ(error({.attention = {{.rotary = {.depth = 4}}}}),
            start + "llama has no setting for rotations of a part of each head");
  EXPECT_EQ(error({.query_scalar = 4}), start + "llama has no setting for query_scalar");
  EXPECT_EQ(error({.family = DecoderFamily::Qwen2, .attention_bias = true}),
            start + "qwen2 has no setting for attention_bias");
  EXPECT_EQ(error({.attention = {{}, {.rotary = {.base = 5}}}}),
            start + "llama has no setting for blocks that differ in their windows or rotations");
  EXPECT_EQ(error({.attention = {{.rotary = {.pairs = nn::RotaryPairs::Neighbours}}}}),
            start +
                "llama has no setting for rotations of neighbours, or from another place than "
                "0 on");
  EXPECT_EQ(error({.activation = nn::Activation::ELU}),
            "save_pretrained: activation number 9 has no name in config.json");
}

}  // namespace decoder_options_test
}  // namespace ddx::models
