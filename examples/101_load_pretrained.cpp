// Models from folders as transformers saves them: the configuration makes the options, and every
// array finds its place in a typed model, or there is one error with all that does not fit. The
// folders of examples/tiny_models hold what transformers returned, too.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>

namespace {

const ddx::Tensor<std::int32_t> tokens{{5, 9, 13, 2, 60, 33, 7, 1}, {4, 4, 8, 15, 16, 23, 42, 3}};

template <class Model>
double difference(const std::filesystem::path& folder) {
  const auto model = ddx::models::load_pretrained<Model>(folder);
  const auto recorded = ddx::io::to_tensor<double>(ddx::io::read_npy(folder / "logits.npy"));
  const double most = ddx::max(ddx::abs(ddx::cast<double>(model(tokens)) - recorded)).item();
  std::printf("%s: %zu logits, the largest difference is %.1e\n", folder.filename().c_str(),
              recorded.count(), most);
  return most;
}

}  // namespace

int main(int count, char** words) {
  namespace models = ddx::models;
  const std::filesystem::path folder = count > 1 ? words[1] : "examples/tiny_models";
  const double most = std::max({difference<models::Bert<float>>(folder / "bert"),
                                difference<models::GPT2<float>>(folder / "gpt2"),
                                difference<models::Decoder<float>>(folder / "llama")});
  // The recorded logits are those of f64, by examples/tiny_models/make_tiny_models.py.
  std::printf("largest difference from transformers: %.1e\n", most);
  return most < 1e-5 ? 0 : 1;
}
