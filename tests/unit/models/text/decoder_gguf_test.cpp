// Options of decoders from GGUF files: what is refused.

#include "ddx/core/error.h"
#include "ddx/io/gguf_view.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/decoder_options.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/models/text/gpt2_options.h"
#include "ddx/nn/attention/rotary_embedding.h"

#include "tests/support/gguf_bytes.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace ddx::models {
namespace decoder_gguf_test {

using ddx::testing::message_of;
using ddx::testing::TemporaryFolder;
using namespace ddx::testing::gguf;  // NOLINT(google-build-using-namespace)

/// Metadata by key; an empty value leaves a key out.
using Metadata = std::map<std::string, Bytes>;

Metadata settings_of(const std::string& architecture) {
  Metadata metadata{{"general.architecture", words("general.architecture", architecture)}};
  const auto add = [&](const std::string& key, std::uint32_t value) {
    metadata[key] = integer(architecture + "." + key, value);
  };
  add("block_count", 2);
  add("context_length", 64);
  add("embedding_length", 32);
  add("feed_forward_length", 48);
  add("attention.head_count", 4);
  metadata["epsilon"] =
      real(architecture + (architecture == "gpt2" ? ".attention.layer_norm_epsilon"
                                                  : ".attention.layer_norm_rms_epsilon"),
           0.5F);
  return metadata;
}

/// A file with these metadata, a table of 10 tokens, and arrays of more names.
Bytes bytes_of(const Metadata& metadata, const std::vector<Bytes>& more = {}) {
  std::vector<Bytes> values;
  for (const auto& [key, value] : metadata) {
    if (!value.empty()) {
      values.push_back(value);
    }
  }
  std::vector<Bytes> arrays{entry("token_embd.weight", {32, 10}, 1, 0)};
  arrays.insert(arrays.end(), more.begin(), more.end());
  return file_of(values, arrays, 640 + 256);
}

template <class Options>
Options options_of(const Bytes& bytes) {
  const TemporaryFolder folder;
  return options_from<Options>(io::GgufView(folder.write("a.gguf", bytes)));
}

template <class Options = DecoderOptions>
std::string error_of(const Bytes& bytes) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gguf", bytes);
  const auto message =
      message_of<EnvironmentError>([&] { (void)options_from<Options>(io::GgufView(file)); });
  const std::string start = "load_pretrained: " + file.string() + ": ";
  return message.starts_with(start) ? message.substr(start.size()) : message;
}

/// The error of one key with another value.
std::string error_with(const std::string& key, const Bytes& value,
                       const std::string& architecture = "llama") {
  auto metadata = settings_of(architecture);
  metadata[key] = value;
  return error_of(bytes_of(metadata));
}

TEST(DecoderOptions, FollowFromTheMetadataOfGguf) {
  auto metadata = settings_of("llama");
  EXPECT_EQ(options_of<DecoderOptions>(bytes_of(metadata)), (DecoderOptions{.vocabulary = 10,
                                                                            .context = 64,
                                                                            .blocks = 2,
                                                                            .features = 32,
                                                                            .hidden = 48,
                                                                            .heads = 4,
                                                                            .key_heads = 4,
                                                                            .head_features = 8,
                                                                            .epsilon = 0.5,
                                                                            .tied_head = true}));
  metadata["kv"] = integer("llama.attention.head_count_kv", 2);
  metadata["base"] = real("llama.rope.freq_base", 5);
  metadata["scaling"] = words("llama.rope.scaling.type", "linear");
  metadata["factor"] = real("llama.rope.scaling.factor", 4);
  const auto options =
      options_of<DecoderOptions>(bytes_of(metadata, {entry("output.weight", {32, 1}, 1, 640)}));
  EXPECT_EQ(options.key_heads, 2);
  EXPECT_FALSE(options.tied_head);
  EXPECT_EQ(options.attention.front().rotary,
            (nn::RotaryOptions{.base = 5,
                               .scaling = {.kind = nn::RotaryScaling::Kind::Linear, .factor = 4}}));
}

TEST(DecoderOptions, WhatGgufDoesNotStateIsAnError) {
  EXPECT_EQ(error_of(file_of({}, {})), "has no general.architecture, a text is expected");
  EXPECT_EQ(error_of(file_of({integer("general.architecture", 3)}, {})),
            "general.architecture is 3, a text is expected");
  EXPECT_EQ(error_of(bytes_of(settings_of("rwkv7"))),
            "general.architecture is \"rwkv7\", supported: llama, qwen2, qwen3, gemma3, phi3");
  EXPECT_EQ(error_of<GPT2Options>(bytes_of(settings_of("llama"))),
            "general.architecture is \"llama\", supported: gpt2");
  EXPECT_EQ(error_of(file_of({words("general.architecture", "llama")}, {})),
            "has no matrix token_embd.weight, of a row for each token");
  for (const char* const key : {"block_count", "context_length", "embedding_length",
                                "feed_forward_length", "attention.head_count"}) {
    EXPECT_EQ(error_with(key, {}),
              std::string("has no llama.") + key + ", an integer of at most 2^63 - 1 is expected");
  }
  EXPECT_EQ(error_with("epsilon", {}),
            "has no llama.attention.layer_norm_rms_epsilon, a number with a fraction is expected");
}

TEST(DecoderOptions, OtherValuesOfGgufAreErrorsThatNameThem) {
  EXPECT_EQ(error_with("block_count", words("llama.block_count", "two")),
            "llama.block_count is \"two\", an integer of at most 2^63 - 1 is expected");
  EXPECT_EQ(error_with("block_count", integer("llama.block_count", 20000)),
            "llama.block_count is 20000, supported: 1 to 10000");
  EXPECT_EQ(error_with("embedding_length", integer("llama.embedding_length", 0)),
            "llama.embedding_length is 0, supported: 1 to 1073741824");
  EXPECT_EQ(error_with("attention.head_count",
                       list("llama.attention.head_count", std::vector<std::int32_t>{4, 4})),
            "llama.attention.head_count is a list of 2 values, an integer of at most 2^63 - 1 is "
            "expected");
  EXPECT_EQ(error_with("x", integer("llama.vocab_size", 11)),
            "llama.vocab_size is 11, supported: 10, the rows of token_embd.weight");
  EXPECT_EQ(error_with("x", integer("llama.attention.value_length", 16)),
            "llama.attention.value_length is 16, supported: that of attention.key_length, 8");
  EXPECT_EQ(error_with("x", integer("llama.rope.dimension_count", 4)),
            "llama.rope.dimension_count is 4, supported: 8");
  EXPECT_EQ(error_with("x", integer("phi3.rope.dimension_count", 3), "phi3"),
            "phi3.rope.dimension_count is 3, supported: even numbers from 2 to 8");
  EXPECT_EQ(error_with("x", integer("llama.expert_count", 8)),
            "llama.expert_count is 8, supported: 0");
  EXPECT_EQ(error_with("x", boolean("llama.attention.causal", false)),
            "llama.attention.causal is false, supported: true");
  EXPECT_EQ(error_with("x", boolean("llama.expert_count", true)),
            "llama.expert_count is true, an integer of at most 2^63 - 1 is expected");
  EXPECT_EQ(error_with("x", integer("llama.attention.causal", 1)),
            "llama.attention.causal is 1, true or false is expected");
  EXPECT_EQ(error_with("x", words("llama.rope.scaling.type", "longrope")),
            R"(llama.rope.scaling.type is "longrope", supported: "none", "linear", "yarn")");
  EXPECT_EQ(error_with("x", words("llama.rope.scaling.type", "linear")),
            "has no llama.rope.scaling.factor, a number with a fraction is expected");
  EXPECT_EQ(error_with("x", real("llama.rope.scaling.attn_factor", 1.25)),
            "llama.rope.scaling.attn_factor is 1.25, supported: 1");
  EXPECT_EQ(error_with("x", real("llama.attention.scale", 0.25)),
            "llama.attention.scale is 0.25, supported: 1 / sqrt(8)");
  EXPECT_EQ(error_with("x", real("gemma3.attention.scale", 0), "gemma3"),
            "gemma3.attention.scale is 0, supported: the inverse of the root of a whole number");
  EXPECT_EQ(error_with("x", integer("qwen2.attention.sliding_window", 4), "qwen2"),
            "qwen2.attention.sliding_window is 4, supported: 0");
  EXPECT_EQ(error_with("x", integer("gemma3.attention.sliding_window_pattern", 0), "gemma3"),
            "gemma3.attention.sliding_window_pattern is 0, supported: numbers above 0");
  EXPECT_EQ(error_with("x", real("gemma3.final_logit_softcapping", 30), "gemma3"),
            "gemma3.final_logit_softcapping is 30, supported: 0");
  EXPECT_EQ(error_with("x", integer("llama.attention.key_length", 0)),
            "llama.attention.value_length is absent, supported: that of attention.key_length, 0");
  EXPECT_EQ(error_with("x", words("llama.new_setting", "x")),
            "\"llama.new_setting\" is \"x\", a setting that is not supported");
  EXPECT_EQ(error_with("x", integer("split.count", 3)),
            "split.count is 3, supported: 1, whole models");
}

TEST(DecoderOptions, WrongFactorsOfRotationsInGgufAreErrors) {
  const auto metadata = settings_of("llama");
  EXPECT_EQ(error_of(bytes_of(metadata, {entry("rope_freqs.weight", {3}, 0, 640)})),
            "rope_freqs.weight is F32 [3], 4 floating-point numbers are expected");
  EXPECT_EQ(error_of(bytes_of(metadata, {entry("rope_freqs.weight", {4}, 26, 640)})),
            "rope_freqs.weight is I32 [4], 4 floating-point numbers are expected");
  EXPECT_EQ(error_of(bytes_of(metadata, {entry("rope_freqs.weight", {4}, 0, 640)})),
            "rope_freqs.weight has the factor 0.000000, finite numbers above 0 are expected");
}

TEST(LoadPretrained, AGgufFileThatLacksArraysIsAnError) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.gguf", bytes_of(settings_of("llama")));
  const auto message = message_of<UsageError>([&] { (void)load_pretrained<Decoder<float>>(file); });
  EXPECT_TRUE(
      message.starts_with("load_weights: 19 arrays are missing: \"blk.0.attn_norm.weight\" for "))
      << message;
  EXPECT_TRUE(message_of<UsageError>([&] { (void)load_pretrained<Bert<float>>(file); })
                  .starts_with("load_pretrained: " + file.string() +
                               ": this model has no names in GGUF files"));
}

TEST(LoadPretrained, AGgufFileOfALargerModelThanItsWeightsTakesNoMemory) {
  const TemporaryFolder folder;
  auto metadata = settings_of("gpt2");
  metadata["feed_forward_length"] = integer("gpt2.feed_forward_length", 1'000'000'000);
  const auto file = folder.write("a.gguf", bytes_of(metadata));
  // Two blocks of 65 hidden + 4384, 10 + 64 vectors of 32, and a norm of 64.
  EXPECT_EQ(message_of<EnvironmentError>([&] { (void)load_pretrained<GPT2<float>>(file); }),
            "load_pretrained: " + file.string() +
                ": is that of a model of 130000011200 parameters, the weights beside it have 320");
}

}  // namespace decoder_gguf_test
}  // namespace ddx::models
