// Folders of models, read and written; one of them was written by transformers
// (tests/goldens/make_text_models.py).

#include "ddx/models/pretrained/load_pretrained.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/save_pretrained.h"
#include "ddx/models/text/bert.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/tensor/cast.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/recorded_text_model.h"
#include "tests/support/temporary_folder.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace ddx::models {
namespace load_pretrained_test {

using ddx::testing::message_of;
using ddx::testing::RecordedFolder;
using ddx::testing::TemporaryFolder;

const Tensor<std::int32_t> tokens{{5, 9, 13, 2}};

template <class Model>
void expect_saved(const std::string& name) {
  const RecordedFolder<Model> recorded(name);
  const auto model = load_pretrained<Model>(recorded.path());
  const TemporaryFolder folder;
  save_pretrained(model, folder.path() / "saved");
  const auto again = load_pretrained<Model>(folder.path() / "saved");
  EXPECT_EQ(again(tokens), model(tokens)) << name;
  EXPECT_EQ(io::WeightFiles(folder.path() / "saved").arrays().size(),
            io::WeightFiles(recorded.path()).arrays().size());
}

TEST(SavePretrained, WritesWhatLoadPretrainedReads) {
  for (const char* const name : {"llama", "llama3", "mistral", "qwen2", "qwen3", "gemma3_mixed",
                                 "llama_yarn", "mixtral", "phi3"}) {
    expect_saved<Decoder<double>>(name);
  }
  for (const char* const name : {"bert", "roberta", "albert", "electra", "distilbert"}) {
    expect_saved<Bert<double>>(name);
  }
  expect_saved<GPT2<double>>("gpt2");
}

TEST(SavePretrained, WritesHalfPrecisionAndSeveralFiles) {
  const RecordedFolder<Decoder<double>> recorded("llama");
  const auto model = load_pretrained<Decoder<float>>(recorded.path());
  const TemporaryFolder folder;
  save_pretrained(model, folder.path(), {.dtype = DType::bf16, .files = {.max_file_bytes = 9000}});
  EXPECT_GT(io::WeightFiles(folder.path()).files().size(), 3U);
  EXPECT_EQ(ModelConfiguration(folder.path()).text("torch_dtype"), "bfloat16");
  const auto half = load_pretrained<Decoder<float>>(folder.path());
  EXPECT_EQ(half.tokens.weight, cast<float>(cast<BFloat16>(model.tokens.weight)));
  const auto low = load_pretrained<Decoder<BFloat16>>(folder.path());
  EXPECT_LT(max(abs(cast<float>(low(tokens)) - half(tokens))).item(), 0.1F);
}

// Weights in bf16, in several files.
TEST(LoadPretrained, ReadsAFolderOfTransformers) {
  const std::filesystem::path folder = std::filesystem::path(DDX_GOLDENS) / "text_folder";
  EXPECT_GT(io::WeightFiles(folder).files().size(), 1U);
  const auto model = load_pretrained<Decoder<double>>(folder);
  const auto logits = model(ddx::testing::recorded_sequences({}));
  const auto expected =
      ddx::testing::recorded_text_model("folder").at("logits").get<std::vector<double>>();
  EXPECT_LT(max(abs(logits - Tensor<double>(logits.shape(), expected))).item(), 1e-10);
}

TEST(LoadPretrained, AnotherTypeIsAnError) {
  const RecordedFolder<GPT2<float>> folder("gpt2");
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)load_pretrained<Decoder<float>>(folder.path()); }),
      "ModelConfiguration: " + (folder.path() / "config.json").string() +
          ": model_type is \"gpt2\", supported: llama, mistral, qwen2, qwen3, gemma3_text, "
          "mixtral, "
          "phi3");
}

TEST(LoadPretrained, AModelBeyondTheWeightsTakesNoMemory) {
  const RecordedFolder<GPT2<float>> folder("gpt2");
  auto settings = ddx::testing::recorded_text_model("gpt2").at("config");
  settings["vocab_size"] = 1'000'000'000'000;
  const auto file = folder.path() / "config.json";
  std::ofstream(file) << settings.dump();
  // Each token has 32 numbers; the model without them has 26496, and there are 64.
  EXPECT_EQ(
      message_of<EnvironmentError>([&] { (void)load_pretrained<GPT2<float>>(folder.path()); }),
      "load_pretrained: " + file.string() +
          ": is that of a model of 32000000026496 parameters, the weights beside it have "
          "28544");
}

TEST(LoadPretrained, IgnoredPathsKeepTheirValues) {
  const RecordedFolder<Bert<double>> folder("bert");
  const auto model = load_pretrained<Bert<float>>(folder.path());
  const auto fresh = load_pretrained<Bert<float>>(folder.path(), {.ignored_paths = {"classifier"}});
  EXPECT_EQ(fresh.pooler.weight, model.pooler.weight);
  EXPECT_EQ(fresh.classifier.weight, Bert<float>(model.options).classifier.weight);
}

}  // namespace load_pretrained_test
}  // namespace ddx::models
