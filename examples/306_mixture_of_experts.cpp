// A mixture of experts: a router sends each letter to two of four dense layers. Alone it prefers
// some of them; a loss for its balance spreads the letters evenly. The model is a Mixtral of one
// block, and the folder that it saves is one of transformers: read_by_transformers.py compares
// logits and balance.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ddx/core/file.h>
#include <ddx/ddx.h>
#include <filesystem>
#include <span>
#include <vector>

namespace {

namespace data = ddx::data;
namespace models = ddx::models;
using Model = models::Decoder<float>;
using Tokens = ddx::Tensor<std::int32_t>;

constexpr std::int64_t steps = 150;
constexpr std::int64_t batch_size = 16;

/// What the router is given: the block up to the experts.
ddx::Tensor<float> routed(const Model& model, const Tokens& tokens) {
  const auto x = model.tokens(tokens);
  const auto& block = model.blocks[0];
  return block.dense_norm(x + block.attention(block.attention_norm(x)));
}

ddx::Tensor<float> balance(const Model& model, const Tokens& tokens) {
  const auto& experts = *model.blocks[0].experts;
  return models::balance_loss(experts.router(routed(model, tokens)), experts.used);
}

ddx::Tensor<float> cross_entropy(const Model& model, const Tokens& inputs, const Tokens& targets) {
  const auto scores = model(inputs);
  const auto letters = static_cast<std::int64_t>(targets.count());
  return ddx::softmax_cross_entropy(ddx::reshape(scores, {letters, scores.shape()[2]}),
                                    ddx::reshape(targets, {letters}));
}

Model trained(const data::TokenWindows& windows, float weight) {
  Model model({.family = models::DecoderFamily::Mixtral,
               .vocabulary = 128,
               .blocks = 1,
               .features = 32,
               .hidden = 32,
               .heads = 4,
               .key_heads = 2,
               .epsilon = 1e-5,
               .experts = 4,
               .used_experts = 2});
  ddx::nn::initialize(model, ddx::RandomKey(1));
  ddx::nn::AdamW optimizer(model, {.learning_rate = 1e-2});
  auto order = data::shuffled_order(windows.size(), ddx::RandomKey(2));
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto batch = windows.batch(
        std::span(order).subspan(static_cast<std::size_t>(step * batch_size), batch_size));
    const auto slope = ddx::gradient(
        [&](const Model& m) {
          return cross_entropy(m, batch.inputs, batch.targets) + weight * balance(m, batch.inputs);
        },
        model);
    optimizer.update(model, slope);
  }
  return model;
}

/// The largest use of an expert by the smallest.
double spread(const Model& model, const data::TokenBatch& batch) {
  const auto weights = model.blocks[0].experts->weights(routed(model, batch.inputs));
  const auto is_used = ddx::cast<float>(ddx::greater(weights, 0.0F));
  const auto uses = ddx::mean(is_used, {.axes = {0, 1}}).values();
  std::printf("loss %.3f, balance %.3f, shares of the experts:",
              static_cast<double>(cross_entropy(model, batch.inputs, batch.targets).item()),
              static_cast<double>(balance(model, batch.inputs).item()));
  for (const float use : uses) {
    std::printf(" %.3f", static_cast<double>(use) / 2);
  }
  std::puts("");
  const auto [least, most] = std::ranges::minmax(uses);
  return static_cast<double>(most) / static_cast<double>(least);
}

}  // namespace

int main(int count, char** words) {
  const std::filesystem::path text = count > 1 ? words[1] : "LICENSE";
  const std::filesystem::path output = count > 2 ? words[2] : "mixtral";
  const auto bytes = ddx::read_file(text, "text");
  const data::TokenWindows windows({bytes.begin(), bytes.end()}, {.length = 32});
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i < 128; ++i) {
    places.push_back(i * windows.size() / 128);
  }
  const auto batch = windows.batch(places);

  const double alone = spread(trained(windows, 0), batch);
  const auto model = trained(windows, 0.05F);
  const double balanced = spread(model, batch);

  models::save_pretrained(model, output);
  namespace io = ddx::io;
  io::write_npy(output / "tokens.npy", io::to_stored(batch.inputs));
  io::write_npy(output / "logits.npy", io::to_stored(model(batch.inputs)));
  io::write_npy(output / "balance.npy", io::to_stored(balance(model, batch.inputs)));
  std::printf("the most used expert by the least used: %.2f, with the loss for balance %.2f\n",
              alone, balanced);
  return balanced <= 2 && balanced < alone ? 0 : 1;
}
