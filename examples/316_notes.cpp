// Which notes sound: the published weights of Basic Pitch, read from an ONNX model, hear a chord
// and then a single note. Usage: 316_notes FOLDER, where FOLDER has nmp.onnx of the PyPI package
// basic-pitch 0.4.0.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <ddx/models/audio/note_transcriber.h>
#include <filesystem>
#include <numbers>
#include <vector>

namespace models = ddx::models;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  if (!std::filesystem::exists(folder / "nmp.onnx")) {
    std::printf("skipped: no nmp.onnx of the package basic-pitch\n");
    return 0;
  }
  models::NoteTranscriber<float> model;
  models::load_weights(model, ddx::io::WeightFiles(ddx::io::read_onnx(folder / "nmp.onnx")),
                       name_rules(model.options));

  // Keys of a piano from 0, the A of 27.5 Hz: C E G for a second, then A of 440 Hz; each with a
  // few harmonics.
  const std::vector<int> chord{39, 43, 46};
  const std::vector<int> single{48};
  std::vector<float> sound;
  for (int i = 0; i < 43844; ++i) {
    const double seconds = i / 22050.0;
    double sample = 0;
    for (const int key : seconds < 1 ? chord : single) {
      for (int harmonic = 1; harmonic <= 4; ++harmonic) {
        const double hertz = 27.5 * std::exp2(key / 12.0) * harmonic;
        sample += 0.1 / harmonic * std::sin(2 * std::numbers::pi * hertz * seconds);
      }
    }
    sound.push_back(static_cast<float>(sample));
  }
  const auto heard = model(ddx::Tensor<float>({1, 43844}, sound));
  const auto notes = ddx::sigmoid(heard.notes);  // [1, 172, 88]
  const auto values = notes.values();
  const auto sounding = [&](std::int64_t frame) {
    std::vector<int> keys;
    for (int key = 0; key < 88; ++key) {
      if (values[static_cast<std::size_t>(frame * 88 + key)] > 0.5F) {
        keys.push_back(key);
      }
    }
    return keys;
  };
  const auto first = sounding(43);
  const auto second = sounding(129);
  std::printf("after half a second, keys:");
  for (const int key : first) {
    std::printf(" %d", key);
  }
  std::printf("; after one and a half:");
  for (const int key : second) {
    std::printf(" %d", key);
  }
  const double sums[] = {ddx::sum(notes).item(), ddx::sum(ddx::sigmoid(heard.onsets)).item(),
                         ddx::sum(ddx::sigmoid(heard.contours)).item()};
  std::printf("\nsums of notes, onsets, contours: %.2f %.2f %.2f\n", sums[0], sums[1], sums[2]);
  // As onnxruntime computes them with the same model.
  const double expected[] = {1864.444, 1390.687, 4845.613};
  const bool agrees = std::equal(sums, sums + 3, expected,
                                 [](double a, double b) { return std::abs(a - b) < 0.05; });
  return first == chord && second == single && agrees ? 0 : 1;
}
