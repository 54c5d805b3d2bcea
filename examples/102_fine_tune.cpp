// A body that stays, a head that learns, two learning rates: a BERT as transformers saved it learns
// a new task. Vectors of tokens and the first block are constant; the last block follows at a tenth
// of the rate of the new head.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace {

using Model = ddx::models::Bert<double>;
using Tuned = ddx::nn::PartlyFrozen<Model>;

/// Sentences of nine tokens behind a first one; the label is whether most are of the upper half of
/// four words.
struct Sentences {
  ddx::Tensor<std::int32_t> tokens;
  ddx::Tensor<std::int32_t> labels;
};

Sentences draw(std::uint64_t& state, std::int64_t count) {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < count; ++i) {
    tokens.push_back(1);
    int upper = 0;
    for (int place = 0; place < 9; ++place) {
      state = (state * 1103515245 + 12345) % (1ULL << 31);
      tokens.push_back(static_cast<std::int32_t>(2 + (state >> 16) % 4));
      upper += tokens.back() >= 4 ? 1 : 0;
    }
    labels.push_back(upper >= 5 ? 1 : 0);
  }
  return {{{count, 10}, std::span<const std::int32_t>(tokens)},
          {{count}, std::span<const std::int32_t>(labels)}};
}

double accuracy(const Tuned& model, const Sentences& sentences) {
  const auto found = ddx::argmax(model(sentences.tokens), 1);
  return ddx::mean(ddx::cast<double>(ddx::equal(ddx::cast<std::int32_t>(found), sentences.labels)))
      .item();
}

bool is_trained(const std::string& path) {
  return path.starts_with("blocks.1.") || path.starts_with("pooler.") ||
         path.starts_with("classifier.");
}

}  // namespace

int main(int count, char** words) {
  const std::filesystem::path folder = count > 1 ? words[1] : "examples/tiny_models/bert";
  auto published = ddx::models::load_pretrained<Model>(folder, {.ignored_paths = {"classifier"}});
  // A head of zeros: no class is likelier at first.
  published.classifier.weight = ddx::zeros_like(published.classifier.weight);

  Tuned model(published, is_trained);
  ddx::nn::AdamW optimizer(model, {.learning_rate = 1e-3, .weight_decay = 0.01});
  optimizer.groups.push_back({ddx::nn::paths_starting_with("trained.classifier."),
                              [](auto& own) { own.learning_rate = 1e-2; }});
  std::uint64_t state = 1;
  const auto training = draw(state, 256);
  const auto others = draw(state, 256);
  const auto loss = [&](const Tuned& m) {
    return ddx::softmax_cross_entropy(m(training.tokens), training.labels);
  };
  double twentieth = 0;
  for (int step = 0; step < 80; ++step) {
    const auto [value, slope] = ddx::value_with_gradient(loss, model);
    if (step % 20 == 0) {
      std::printf("step %2d: loss %.12f\n", step, value.item());
    }
    twentieth = step == 20 ? value.item() : twentieth;
    optimizer.update(model, slope);
  }
  const Model after = model.model();
  bool stays = true;
  ddx::nn::visit_parameters(
      [&](const ddx::nn::Path& path, const auto& now, const auto& before) {
        stays = stays && (is_trained(to_string(path)) || now == before);
      },
      after, published);
  const double right = accuracy(model, others);
  std::printf("of sentences that were not seen, right: %.4f\n", right);
  // The loss of PyTorch with the same steps, by examples/tiny_models/make_tiny_models.py.
  return stays && right >= 0.95 && std::abs(twentieth - 0.338394440288) < 1e-9 ? 0 : 1;
}
