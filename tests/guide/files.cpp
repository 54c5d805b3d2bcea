// The programs of docs/guide/files.md; see first_gradient.cpp.

#include "ddx/ddx.h"

#include "expect.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using ddx::testing::expect_close;

struct Model {
  ddx::nn::Dense<float> hidden{{.in = 2, .out = 3}};
  ddx::nn::Dense<float> output{{.in = 3, .out = 1}};

  DDX_DIFFERENTIABLE(Model, hidden, output)
};

void numpy(const std::filesystem::path& folder) {
  // [numpy]
  const ddx::Tensor<float> weight{{1, 2, 3}, {4, 5, 6}};
  ddx::io::write_npy(folder / "weight.npy", ddx::io::to_stored(weight));

  const auto array = ddx::io::read_npy(folder / "weight.npy");
  const auto again = ddx::io::to_tensor<float>(array);
  // [/numpy]
  expect_close("numpy", ddx::sum(again * weight).item(), 91);
}

void models(const std::filesystem::path& folder) {
  if (!ddx::io::has_npz()) {
    return;
  }
  Model model;
  // [models]
  ddx::io::write_npz(folder / "model.npz", ddx::train::model_arrays(model));

  Model other;
  ddx::nn::initialize(other, ddx::RandomKey(7));
  ddx::train::load_model(other, ddx::io::read_npz(folder / "model.npz"),
                         {.ignored_paths = {"output"}});
  // [/models]
  expect_close("loaded", ddx::nn::all_close(other.hidden, model.hidden), 1);
  expect_close("ignored", ddx::nn::all_close(other.output, model.output), 0);
}

void weights(const std::filesystem::path& folder) {
  ddx::io::StoredTensors arrays;
  arrays["norm.weight"] = ddx::io::to_stored(ddx::Tensor<ddx::BFloat16>{1, 2, 3});
  arrays["proj.weight"] = ddx::io::to_stored(ddx::Tensor<ddx::BFloat16>{4, 5});
  // [weights]
  ddx::io::write_weight_files(folder / "model",
                              {.tensors = arrays, .metadata = {{"format", "pt"}}});

  const ddx::io::WeightFiles files(folder / "model");
  const auto norm = ddx::io::to_tensor<float>(
      ddx::io::converted(files.arrays().at("norm.weight"), ddx::DType::f32));
  // [/weights]
  expect_close("weights", ddx::sum(norm).item(), 6);
}

void published(const std::filesystem::path& folder) {
  // [published]
  ddx::nn::Dense<float> layer({.in = 3, .out = 2});
  const ddx::models::NameRules names{
      .rules = {{"weight", {"proj.weight"}, ddx::models::Layout::Transposed},
                {"bias", {"proj.bias"}}}};
  ddx::models::save_weights(layer, folder / "published", names);

  ddx::nn::Dense<float> other({.in = 3, .out = 2});
  ddx::nn::initialize(other, ddx::RandomKey(7));
  ddx::models::load_weights(other, ddx::io::WeightFiles(folder / "published"), names);
  // [/published]
  expect_close("published", ddx::nn::all_close(other, layer), 1);
}

void generation(const ddx::models::Decoder<float>& model) {
  // [generation]
  const std::vector<std::int32_t> beginning{7, 3, 11};
  const auto tokens = ddx::models::generate(
      model, beginning,
      {.count = 20, .temperature = 0.8, .top_k = 40, .top_p = 0.95, .end_tokens = {2}});
  // [/generation]
  expect_close("generated", tokens.size() == 20 || tokens.back() == 2, 1);
  std::int64_t shown = 0;
  // [several_sequences]
  const std::vector<std::vector<std::int32_t>> beginnings{{7, 3, 11}, {4, 19}};
  ddx::models::GenerateOptions options{.count = 20, .greedy = true};
  options.on_token = [&](const ddx::models::GeneratedToken& token) {
    shown += token.sequence == 0 ? 1 : 0;
    return shown < 15;  // false ends all sequences.
  };
  const auto made = ddx::models::generate(model, beginnings, options);
  const double speed = made.tokens_per_second();
  // [/several_sequences]
  // The second sequence is shorter: it has a token before the first one gets its first.
  expect_close("first", static_cast<double>(made.tokens[0].size()), 15);
  expect_close("second", static_cast<double>(made.tokens[1].size()), 15);
  expect_close("speed", speed > 0, 1);
}

void whole_models(const std::filesystem::path& folder) {
  // [whole_models]
  const ddx::models::Decoder<float> model({.family = ddx::models::DecoderFamily::Qwen3,
                                           .vocabulary = 50,
                                           .blocks = 2,
                                           .features = 32,
                                           .hidden = 64,
                                           .heads = 4,
                                           .key_heads = 2});
  ddx::models::save_pretrained(model, folder / "small", {.dtype = ddx::DType::bf16});

  using Model = ddx::models::Decoder<ddx::BFloat16>;
  const auto loaded = ddx::models::load_pretrained<Model>(folder / "small");
  const auto scores = loaded(ddx::Tensor<std::int32_t>{{7, 3, 11}});  // [1, 3, 50]
  // [/whole_models]
  expect_close("whole_models", static_cast<double>(scores.shape()[2]), 50);
  generation(model);
}

void chat(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "chat");
  std::ofstream(folder / "chat" / "chat_template.jinja")
      << "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}{% endfor %}"
         "{% if add_generation_prompt %}<assistant>{% endif %}";
  // [chat]
  const auto chat = ddx::data::read_chat_template(folder / "chat");
  const std::vector<ddx::data::ChatMessage> messages{
      {.role = "system", .content = "Be brief."},
      {.role = "user", .content = "Which number is larger, 2.9 or 2.11?"}};
  const std::string text = chat.apply(messages);
  // [/chat]
  expect_close("chat",
               text == "<system>Be brief.<user>Which number is larger, 2.9 or 2.11?<assistant>", 1);
}

void exchange() {
  // [exchange]
  ddx::Tensor<double> ours{1, 2, 3};
  ddx::Dlpack handed_over = ddx::to_dlpack(std::move(ours));

  const auto theirs = ddx::from_dlpack<double>(std::move(handed_over));
  // [/exchange]
  expect_close("exchange", ddx::sum(theirs).item(), 6);
}

void elements() {
  // [elements]
  ddx::Tensor<float> grid = ddx::zeros<float>({3, 4});
  const auto at = ddx::mutable_view<2>(grid);
  for (std::int64_t row = 0; row < at.extent(0); ++row) {
    at(row, row) = 1;
  }
  // [/elements]
  expect_close("elements", ddx::sum(grid).item(), 3);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "ddx_guide_files";
  std::filesystem::create_directories(folder);
  numpy(folder);
  models(folder);
  weights(folder);
  published(folder);
  whole_models(folder);
  chat(folder);
  exchange();
  elements();
  std::filesystem::remove_all(folder);
}
