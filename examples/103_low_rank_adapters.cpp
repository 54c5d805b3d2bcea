// Adapters of low rank: a small Llama as it would come from the hub, of which 896 of 23,584 numbers
// are trained. The gradient has the adapters alone, and a file of a few kilobytes takes them to
// peft and back. Source: E. Hu et al., "LoRA: low-rank adaptation of large language models", ICLR
// 2022.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ddx/ddx.h>
#include <filesystem>
#include <span>
#include <string>

using Model = ddx::models::Decoder<double>;
using Adapters = ddx::nn::PartlyFrozen<Model>;

/// Gives each array numbers in [-scale, scale) that follow from its name, in place of a download:
/// splitmix64 from the name's hash on, as in tests/goldens/make_text_models.py.
void fill_by_names(ddx::io::StoredTensors& arrays, bool are_adapters) {
  for (auto& [name, array] : arrays) {
    std::uint64_t state = 0xCBF29CE484222325;
    for (const char letter : name) {
      state = (state ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
    }
    const bool is_matrix = array.shape.rank() == 2;
    const double inputs = is_matrix ? static_cast<double>(array.shape[1]) : 1;
    const double scale = is_matrix ? std::sqrt((are_adapters ? 1 : 6) / inputs) : 0.1;
    for (std::int64_t i = 0; i < array.shape.count(); ++i) {
      state += 0x9E3779B97F4A7C15;
      std::uint64_t z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
      const double u = std::ldexp(static_cast<double>((z ^ (z >> 31)) >> 11), -52) - 1;
      const bool is_zero = name.find("lora_B") != std::string::npos;
      const double number = is_zero ? 0 : (is_matrix ? 0 : 1) + scale * u;
      std::memcpy(array.bytes.data() + static_cast<std::size_t>(i) * sizeof number, &number,
                  sizeof number);
    }
  }
}

ddx::Tensor<double> loss(const Adapters& model) {
  const ddx::Tensor<std::int32_t> tokens{{5, 9, 13, 2, 60, 33, 7, 1}, {4, 4, 8, 15, 16, 23, 42, 3}};
  const ddx::Tensor<std::int32_t> next{9, 13, 2, 60, 33, 7, 1, 4, 8, 15, 16, 23, 42, 3};
  const auto scores = ddx::slice(model(tokens), {.start = {0, 0, 0}, .stop = {2, 7, 64}});
  return ddx::softmax_cross_entropy(ddx::reshape(scores, {14, 64}), next);
}

template <class Any>
std::size_t count(Any& model) {
  std::size_t numbers = 0;
  ddx::nn::visit_parameters([&](const auto&, const auto& part) { numbers += part.count(); }, model);
  return numbers;
}

int main() {
  const auto folder = std::filesystem::temp_directory_path() / "ddx_low_rank_adapters";
  const Model start(
      {.vocabulary = 64, .blocks = 2, .features = 32, .hidden = 64, .heads = 4, .key_heads = 2});
  const auto names = ddx::models::name_rules(start.options);
  auto arrays = ddx::models::published_arrays(start, names);
  fill_by_names(arrays, false);
  ddx::io::write_weight_files(folder / "base", {arrays, {}});
  Model base = start;
  ddx::models::load_weights(base, ddx::io::WeightFiles(folder / "base"), names);

  // Adapters for queries and values, with the numbers that the recording with peft begins with.
  Model model = base;
  ddx::nn::add_low_rank(model, {.layers = {"query", "value"}, .rank = 4, .alpha = 8});
  ddx::models::save_adapter(model, folder / "start");
  const auto file = folder / "start" / "adapter_model.safetensors";
  auto adapters = ddx::io::read_safetensors(file);
  fill_by_names(adapters.tensors, true);
  ddx::io::write_safetensors(file, adapters);
  model = base;
  ddx::models::load_adapter(model, folder / "start");

  Adapters tuned(model, ddx::nn::is_low_rank);
  std::printf("%zu of %zu numbers are trained\n", count(tuned), count(model));
  ddx::nn::AdamW optimizer(tuned, {.learning_rate = 0.01, .weight_decay = 0.1});
  const double before = loss(tuned).item();
  for (int step = 0; step < 10; ++step) {
    optimizer.update(tuned, ddx::gradient(loss, tuned));
  }
  const double after = loss(tuned).item();

  ddx::models::save_adapter(tuned.model(), folder / "tuned");
  Model again = base;
  ddx::models::load_adapter(again, folder / "tuned");
  ddx::nn::merge_low_rank(again);
  const Adapters merged(again, [](const std::string&) { return true; });
  std::filesystem::remove_all(folder);
  std::printf("loss %.12f, after 10 steps %.12f, merged %.12f\n", before, after,
              loss(merged).item());
  // Of transformers and peft, tests/goldens/make_adapters.py.
  const bool right =
      std::abs(before - 5.181854136161) < 1e-9 && std::abs(after - 2.987229392709) < 1e-9 &&
      std::abs(loss(merged).item() - after) < 1e-12 && count(tuned) == 896 && count(model) == 23584;
  return right ? 0 : 1;
}
