// A GPT-2 that knows a licence reads sonnets: its perplexity on one that it has not seen falls. The
// same start and the same steps with PyTorch give the same numbers.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

using Model = ddx::models::GPT2<double>;

/// All runs of 64 letters of a text, and what follows each letter.
ddx::data::TokenBatch windows(const ddx::data::Tokenizer& tokenizer, const std::string& text) {
  const ddx::data::TokenWindows runs(tokenizer.encode(text).ids, {.length = 64, .stride = 64});
  return runs.batch(ddx::data::plain_order(runs.size()));
}

ddx::Tensor<double> loss(const Model& model, const ddx::Tensor<std::int32_t>& inputs,
                         const ddx::Tensor<std::int32_t>& targets) {
  const auto scores = model(inputs);
  const auto letters = static_cast<std::int64_t>(targets.count());
  return ddx::softmax_cross_entropy(ddx::reshape(scores, {letters, scores.shape()[2]}),
                                    ddx::reshape(targets, {letters}));
}

}  // namespace

int main(int count, char** words) {
  const std::filesystem::path folder = count > 1 ? words[1] : "examples/tiny_models/gpt2";
  const std::filesystem::path file = count > 2 ? words[2] : "examples/sonnets.txt";
  auto model = ddx::models::load_pretrained<Model>(folder);
  const auto tokenizer = ddx::data::read_tokenizer(folder);
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const std::size_t last = text.rfind("\n\n");  // Between two sonnets.
  const auto [inputs, targets] = windows(tokenizer, text.substr(0, last));
  const auto validation = windows(tokenizer, text.substr(last + 2));

  const double before = std::exp(loss(model, validation.inputs, validation.targets).item());
  ddx::nn::AdamW optimizer(model, {.learning_rate = 3e-3, .weight_decay = 0.01});
  for (int step = 0; step < 30; ++step) {
    const auto [value, slope] =
        ddx::value_with_gradient([&](const Model& m) { return loss(m, inputs, targets); }, model);
    optimizer.update(model, slope);
    if (step % 10 == 0) {
      std::printf("step %d: %.4f nats per letter\n", step, value.item());
    }
  }
  const double after = std::exp(loss(model, validation.inputs, validation.targets).item());
  std::printf("perplexity on the last sonnet: %.9f, after the others %.9f\n", before, after);
  // Of transformers, by examples/tiny_models/make_tiny_models.py.
  const bool right =
      std::abs(before - 88.849464021) < 1e-8 && std::abs(after - 25.603935712) < 1e-6;
  return right && after < before / 2 ? 0 : 1;
}
