// A model goes to Python: save_pretrained writes a folder that transformers reads. The names and
// shapes of its arrays are those of a folder that transformers wrote for the same options; and
// read_by_transformers.py compares the logits.

#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <filesystem>

int main(int count, char** words) {
  namespace models = ddx::models;
  namespace io = ddx::io;
  const std::filesystem::path folder = count > 1 ? words[1] : "exported_bert";
  const std::filesystem::path written = count > 2 ? words[2] : "examples/tiny_models/bert";
  models::Bert<float> model(
      {.vocabulary = 64, .context = 32, .blocks = 2, .features = 32, .heads = 4, .hidden = 64});
  ddx::nn::initialize(model, ddx::RandomKey(1));
  models::save_pretrained(model, folder);

  // What the script compares.
  const ddx::Tensor<std::int32_t> tokens{{5, 9, 13, 2}, {60, 33, 7, 1}, {4, 4, 8, 15}};
  io::write_npy(folder / "tokens.npy", io::to_stored(tokens));
  io::write_npy(folder / "logits.npy", io::to_stored(model(tokens)));

  const io::WeightFiles ours(folder);
  const io::WeightFiles theirs(written);
  std::int64_t equal = 0;
  for (const auto& [name, array] : theirs.arrays()) {
    const auto found = ours.arrays().find(name);
    const bool is_equal = found != ours.arrays().end() && found->second.shape == array.shape;
    equal += is_equal ? 1 : 0;
    if (!is_equal) {
      std::printf("differs: %s\n", name.c_str());
    }
  }
  std::printf("arrays with the names and shapes of transformers: %lld of %zu\n",
              static_cast<long long>(equal), ours.arrays().size());
  return equal == 41 && ours.arrays().size() == 41 && theirs.arrays().size() == 41 ? 0 : 1;
}
