// Is a voice in the sound? The published weights of Silero VAD, convolutions and a long short-term
// memory, listen to a stream that comes in pieces of any length. Usage: 312_voice_activity FOLDER,
// where FOLDER has silero_vad_16k.safetensors of the PyPI package silero-vad 6.2.3.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <ddx/models/audio/voice_activity.h>
#include <filesystem>
#include <numbers>
#include <span>
#include <vector>

namespace models = ddx::models;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto file = folder / "silero_vad_16k.safetensors";
  if (!std::filesystem::exists(file)) {
    std::printf("skipped: no silero_vad_16k.safetensors of the package silero-vad\n");
    return 0;
  }
  models::VoiceActivity<float> model;
  models::load_weights(model, ddx::io::WeightFiles(file), name_rules(model.options));

  // A second of a tone that swells and fades: no voice.
  std::vector<float> sound;
  for (int i = 0; i < 16000; ++i) {
    const double turn = 2 * std::numbers::pi * i / 16000;
    sound.push_back(
        static_cast<float>(0.3 * std::sin(220 * turn) * (1 + 0.5 * std::sin(3 * turn))));
  }

  // Pieces of 700 samples; a window has 512.
  models::VoiceActivity<float>::Cache stream;
  std::vector<double> heard;
  for (std::size_t begin = 0; begin < sound.size(); begin += 700) {
    const std::size_t size = std::min<std::size_t>(700, sound.size() - begin);
    const ddx::Tensor<float> piece({1, static_cast<std::int64_t>(size)},
                                   std::span<const float>(sound).subspan(begin, size));
    for (const float probability : ddx::sigmoid(model.extend(piece, stream)).values()) {
      heard.push_back(probability);
    }
  }
  double sum = 0;
  for (const double probability : heard) {
    sum += probability;
  }
  // The whole at once, where the last window is filled with silence.
  const auto whole = ddx::sigmoid(model(ddx::Tensor<float>({1, 16000}, sound))).values();
  double furthest = 0;
  for (std::size_t i = 0; i < heard.size(); ++i) {
    furthest = std::max(furthest, std::abs(whole[i] - heard[i]));
  }
  std::printf("first windows: %.7f %.7f %.7f %.7f\n", heard[0], heard[1], heard[2], heard[3]);
  std::printf("in pieces and at once: at most %.1e apart\n", furthest);
  std::printf("sum over %zu windows: %.7f\n", heard.size(), sum);
  // Of a NumPy evaluation of the weights in f64: 0.5892970, and these first probabilities.
  const double first[] = {0.2472107, 0.1489660, 0.0372301, 0.0141066};
  const bool begins_right = std::equal(first, first + 4, heard.begin(),
                                       [](double a, double b) { return std::abs(a - b) < 1e-6; });
  const bool right = heard.size() == 31 && whole.size() == 32 && begins_right &&
                     std::abs(sum - 0.58930) < 1e-5 && furthest < 1e-6;
  return right ? 0 : 1;
}
