// Adapters beside those of peft, recorded by tests/goldens/make_adapters.py.

#include "ddx/models/pretrained/adapters.h"

#include "ddx/ad/operators.h"
#include "ddx/backend/memory_statistics.h"
#include "ddx/core/error.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/tensor_conversion.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/load_pretrained.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/models/text/decoder.h"
#include "ddx/models/text/gpt2.h"
#include "ddx/nn/adapters.h"
#include "ddx/nn/layers/partly_frozen.h"
#include "ddx/nn/optimizers/adamw.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor/elementwise.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include "tests/support/named_numbers.h"
#include "tests/support/recorded_text_model.h"
#include "tests/support/temporary_folder.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ddx::models {
namespace adapters_test {

using ddx::testing::message_of;
using ddx::testing::RecordedFolder;
using ddx::testing::TemporaryFolder;
using Model = Decoder<double>;

nlohmann::json recorded_adapters(const std::string& name) {
  std::ifstream file(std::filesystem::path(DDX_GOLDENS) / "adapters.json");
  return nlohmann::json::parse(file).at(name);
}

const std::filesystem::path peft_folder = std::filesystem::path(DDX_GOLDENS) / "adapter_folder";

Model recorded_llama() {
  return load_pretrained<Model>(RecordedFolder<Model>("llama").path());
}

template <class Any>
Tensor<double> loss_of(const Any& model) {
  return ddx::testing::recorded_loss(model, ddx::testing::recorded_sequences({}),
                                     ddx::testing::recorded_labels(true, {}));
}

/// Gives the first matrix of each adapter the numbers of its name in peft.
void fill_by_peft_names(Model& model) {
  io::StoredTensors filled;
  const TemporaryFolder folder;
  save_adapter(model, folder.path());
  const io::WeightFiles files(folder.path() / "adapter_model.safetensors");
  for (const auto& [name, view] : files.arrays()) {
    auto array = files.read(name);
    const auto count = static_cast<std::size_t>(array.shape.count());
    std::vector<double> numbers(count);
    if (name.find("lora_A") != std::string::npos) {
      numbers = ddx::testing::named_numbers(name, count);
      for (double& number : numbers) {
        number *= std::pow(static_cast<double>(array.shape[1]), -0.5);
      }
    }
    filled[name] = io::to_stored(Tensor<double>(array.shape, numbers));
  }
  io::write_safetensors(folder.path() / "adapter_model.safetensors", {filled, {}});
  nn::merge_low_rank(model);  // They are zero as yet.
  load_adapter(model, folder.path());
}

void expect_losses_of_peft(const std::string& name, const nn::LowRankOptions& options) {
  const auto recorded = recorded_adapters(name);
  Model model = recorded_llama();
  nn::add_low_rank(model, options);
  fill_by_peft_names(model);

  std::size_t all = 0;
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { all += weight.count(); }, model);
  EXPECT_EQ(all, recorded.at("all").get<std::size_t>());
  nn::PartlyFrozen tuned(model, nn::is_low_rank);
  std::size_t trained = 0;
  nn::visit_parameters([&](const nn::Path&, const auto& weight) { trained += weight.count(); },
                       tuned);
  EXPECT_EQ(trained, recorded.at("trained").get<std::size_t>());

  nn::AdamW optimizer(tuned, {.learning_rate = 0.01, .weight_decay = 0.1});
  for (const double expected : recorded.at("losses")) {
    const auto [loss, slopes] = value_with_gradient(loss_of<nn::PartlyFrozen<Model>>, tuned);
    EXPECT_NEAR(loss.item(), expected, 1e-9) << name;
    optimizer.update(tuned, slopes);
  }
}

TEST(Adapters, AreTrainedAsByPeft) {
  expect_losses_of_peft("plain", {.layers = {"query", "value"}, .rank = 4, .alpha = 8});
  expect_losses_of_peft(
      "stabilised",
      {.layers = {"key", "output", "down"}, .rank = 2, .alpha = 3, .is_stabilised = true});
}

TEST(LoadAdapter, ReadsTheFolderOfPeft) {
  Model model = recorded_llama();
  load_adapter(model, peft_folder);
  const double expected = recorded_adapters("plain").at("losses").back();
  EXPECT_NEAR(loss_of(model).item(), expected, 1e-9);
  nn::merge_low_rank(model);
  EXPECT_NEAR(loss_of(model).item(), expected, 1e-9);
}

TEST(SaveAdapter, WritesTheArraysOfPeft) {
  Model model = recorded_llama();
  load_adapter(model, peft_folder);
  const TemporaryFolder folder;
  save_adapter(model, folder.path() / "new", {.base_model = "llama", .task = "CAUSAL_LM"});
  const auto theirs = io::read_safetensors(peft_folder / "adapter_model.safetensors").tensors;
  const auto ours =
      io::read_safetensors(folder.path() / "new" / "adapter_model.safetensors").tensors;
  EXPECT_EQ(ours, theirs);
  std::ifstream text(folder.path() / "new" / "adapter_config.json");
  const auto settings = nlohmann::json::parse(text);
  EXPECT_EQ(settings.at("target_modules"), (nlohmann::json{"q_proj", "v_proj"}));
  EXPECT_EQ(settings.at("r"), 4);
  EXPECT_EQ(settings.at("lora_alpha"), 8);
  EXPECT_EQ(settings.at("base_model_name_or_path"), "llama");
  EXPECT_EQ(settings.at("task_type"), "CAUSAL_LM");
}

TEST(SaveAdapter, NamesSingleLayersWhole) {
  Model model = recorded_llama();
  nn::add_low_rank(model, {.layers = {"blocks.1.dense.up"}});
  const TemporaryFolder folder;
  save_adapter(model, folder.path());
  EXPECT_EQ(ModelConfiguration(folder.path() / "adapter_config.json").texts("target_modules"),
            std::vector<std::string>{"model.layers.1.mlp.up_proj"});
  Model again = recorded_llama();
  load_adapter(again, folder.path());
  EXPECT_TRUE(again.blocks[0].dense.up.low_rank.empty());
  EXPECT_EQ(again.blocks[1].dense.up.low_rank.front().down,
            model.blocks[1].dense.up.low_rank.front().down);
}

/// The most memory that a model, its optimiser and a step take. The first step has them all.
template <class Make>
double memory_of_step(const Make& make) {
  const auto before = backend::memory_statistics().in_use;
  backend::reset_memory_peak();
  auto model = make();
  nn::AdamW optimizer(model, {});
  optimizer.update(model, gradient(
                              [](const auto& m) {
                                return sum(square(m(Tensor<std::int32_t>{{5, 9, 13, 2, 60, 33}})));
                              },
                              model));
  return static_cast<double>(backend::memory_statistics().peak - before);
}

TEST(Adapters, TakeLessThanSixTenthsOfTheMemory) {
  const DecoderOptions options{
      .vocabulary = 64, .blocks = 2, .features = 64, .hidden = 128, .heads = 4, .key_heads = 2};
  const double full = memory_of_step([&] { return Decoder<float>(options); });
  const double adapters = memory_of_step([&] {
    Decoder<float> model(options);
    nn::add_low_rank(model, {.layers = {"query", "value"}, .rank = 4});
    return nn::PartlyFrozen(std::move(model), nn::is_low_rank);
  });
  EXPECT_LT(adapters, 0.6 * full);
}

/// The message of an error without the place in the program.
template <class F>
std::string facts_of(const F& f) {
  const auto message = message_of<Error>(f);
  return message.substr(0, message.find(" (at "));
}

/// The error of loading the folder of peft with one setting changed.
std::string error_with(const char* key, const nlohmann::json& value) {
  std::ifstream text(peft_folder / "adapter_config.json");
  auto settings = nlohmann::json::parse(text);
  settings[key] = value;
  const TemporaryFolder folder;
  const std::string arrays = "adapter_model.safetensors";
  std::filesystem::copy_file(peft_folder / arrays, folder.path() / arrays);
  std::ofstream(folder.path() / "adapter_config.json") << settings.dump();
  Model model = recorded_llama();
  const auto message = facts_of([&] { load_adapter(model, folder.path()); });
  EXPECT_TRUE(model.blocks[0].attention.query.low_rank.empty());
  const std::string file = (folder.path() / "adapter_config.json").string() + ": ";
  const auto place = message.find(file);
  return place == std::string::npos ? message : message.substr(place + file.size());
}

TEST(LoadAdapter, RefusesWhatLowRankHasNot) {
  EXPECT_EQ(error_with("peft_type", "LOHA"), "peft_type is \"LOHA\", supported: LORA");
  EXPECT_EQ(error_with("use_dora", true), "use_dora is true, only false is supported");
  EXPECT_EQ(error_with("bias", "all"), "bias is \"all\", only \"none\" is supported");
  EXPECT_EQ(error_with("init_lora_weights", "pissa"),
            "init_lora_weights is \"pissa\", true or false is expected");
  EXPECT_EQ(error_with("modules_to_save", {"lm_head"}),
            "modules_to_save is [\"lm_head\"], supported: null");
  EXPECT_EQ(error_with("rank_pattern", {{"q_proj", 2}}),
            "rank_pattern is {\"q_proj\":2}, supported: {}");
  EXPECT_EQ(error_with("r", 0), "r is 0, supported: at least 1");
  EXPECT_EQ(error_with("lora_dropout", 1.0), "lora_dropout is 1.0, supported: a number in [0, 1)");
}

TEST(LoadAdapter, RefusesArraysThatDoNotFit) {
  EXPECT_EQ(error_with("target_modules", {"q_proj", "w_proj"}),
            "load_adapter: \"w_proj\" fits no published dense layer of the model");
  EXPECT_NE(error_with("r", 3).find("load_weights: 8 arrays have another form"), std::string::npos);
  EXPECT_NE(error_with("target_modules", {"q_proj"}).find("load_weights: 4 arrays have no place"),
            std::string::npos);
}

TEST(SaveAdapter, MistakesAreAnError) {
  const TemporaryFolder folder;
  Model model = recorded_llama();
  const auto error = [&](const auto& any) {
    return facts_of([&] { save_adapter(any, folder.path()); });
  };
  EXPECT_EQ(error(model), "save_adapter: the model has no adapters");
  nn::add_low_rank(model, {.layers = {"query"}, .rank = 2});
  nn::add_low_rank(model, {.layers = {"value"}, .rank = 3});
  EXPECT_EQ(error(model),
            "save_adapter: the adapters of blocks.0.attention.query and blocks.0.attention.value "
            "differ in rank, scale or dropout");
  GPT2<double> gpt({.vocabulary = 4, .context = 4, .blocks = 1, .features = 4, .heads = 2});
  nn::add_low_rank(gpt, {.layers = {"query"}});
  EXPECT_EQ(error(gpt),
            "save_adapter: blocks.0.attention.query is a part of the published "
            "\"transformer.h.0.attn.c_attn\", whose adapter serves all parts together: that is not "
            "supported");
}

}  // namespace adapters_test
}  // namespace ddx::models
