// The programs of docs/guide/fine_tuning.md; see first_gradient.cpp.

#include "ddx/ddx.h"

#include "expect.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace {

using ddx::testing::expect_close;
using Model = ddx::models::Decoder<float>;

const ddx::Tensor<std::int32_t> tokens{{5, 9, 13, 2}};
const ddx::Tensor<std::int32_t> next{9, 13, 2, 7};

template <class Any>
ddx::Tensor<float> loss(const Any& m) {
  return ddx::softmax_cross_entropy(ddx::reshape(m(tokens), {4, 16}), next);
}

template <ddx::FloatingScalar Scalar>
struct Net {
  ddx::nn::Dense<Scalar> hidden{{.in = 2, .out = 3}};
  ddx::nn::Dense<Scalar> output{{.in = 3, .out = 1}};

  ddx::Tensor<Scalar> operator()(const ddx::Tensor<Scalar>& x) const { return output(hidden(x)); }
  DDX_DIFFERENTIABLE(Net, hidden, output)
};

void narrow() {
  const ddx::Tensor<float> wide{{1, 2}};
  // [narrow]
  using Narrow = Net<ddx::BFloat16>;
  const ddx::nn::PartlyFrozen tuned(Narrow(), ddx::nn::paths_starting_with("output."));
  const auto x = ddx::cast<ddx::BFloat16>(wide);
  const auto slopes = ddx::gradient(
      [&](const ddx::nn::PartlyFrozen<Narrow>& m) { return ddx::sum(ddx::cast<float>(m(x))); },
      tuned);
  const ddx::Tensor<float> slope = slopes.trained.at("output.bias");
  // [/narrow]
  expect_close("narrow", slope.item(), 1);
}

void fine_tune(const std::filesystem::path& folder) {
  Model model({.vocabulary = 16, .blocks = 2, .features = 8, .hidden = 16, .heads = 2});
  Model published = model;
  ddx::models::save_pretrained(model, folder / "model");
  const auto loss = [](const ddx::nn::PartlyFrozen<Model>& m) { return ::loss(m); };
  // [adapters]
  ddx::nn::add_low_rank(model, {.layers = {"query", "value"}, .rank = 4, .alpha = 8});
  ddx::nn::PartlyFrozen tuned(model, ddx::nn::is_low_rank);

  ddx::nn::AdamW optimizer(tuned, {.learning_rate = 0.01});
  for (int step = 0; step < 10; ++step) {
    optimizer.update(tuned, ddx::gradient(loss, tuned));
  }
  // [/adapters]
  // [files]
  ddx::models::save_adapter(tuned.model(), folder / "pirate", {.task = "CAUSAL_LM"});
  ddx::models::load_adapter(published, folder / "pirate");
  ddx::nn::merge_low_rank(published);
  // [/files]
  expect_close("files", ::loss(published).item(), loss(tuned).item());
  const auto before = published;
  // [head]
  const auto is_trained = [](const std::string& path) {
    return path.starts_with("blocks.1.") || path == "norm.scale";
  };
  ddx::nn::PartlyFrozen last(published, is_trained);
  ddx::nn::AdamW careful(last, {.learning_rate = 1e-3, .weight_decay = 0.1});
  careful.groups.push_back({ddx::nn::paths_ending_with("scale"), [](auto& own) {
                              own.weight_decay = 0;
                              own.learning_rate = 1e-4;
                            }});
  careful.update(last, ddx::gradient(loss, last));
  published = last.model();
  // [/head]
  expect_close("frozen", published.tokens.weight == before.tokens.weight ? 1 : 0, 1);
  expect_close("trained", published.norm.scale == before.norm.scale ? 1 : 0, 0);
}

}  // namespace

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "ddx_guide_fine_tuning";
  std::filesystem::create_directories(folder);
  fine_tune(folder);
  narrow();
  std::filesystem::remove_all(folder);
}
