// How words are pronounced that no dictionary has: the published weights of g2p-en, two gated
// recurrent units, read from a NumPy archive. Usage: 311_phonemes FOLDER, where FOLDER has
// checkpoint20.npz of the PyPI package g2p-en 2.1.0.

#include <cstdio>
#include <ddx/ddx.h>
#include <ddx/models/text/grapheme_to_phoneme.h>
#include <filesystem>
#include <string>
#include <utility>

namespace models = ddx::models;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  const auto file = folder / "checkpoint20.npz";
  if (!std::filesystem::exists(file) || !ddx::io::has_npz()) {
    std::printf("skipped: %s\n", ddx::io::has_npz() ? "no checkpoint20.npz of the package g2p-en"
                                                    : "built without libzip");
    return 0;
  }
  models::GraphemeToPhoneme<float> model;
  models::load_weights(model, ddx::io::WeightFiles(ddx::io::read_npz(file)),
                       name_rules(model.options));
  // As the package's own class G2p has them (its method `predict`, NumPy).
  const std::pair<std::string, std::string> words[] = {
      {"differentiable", "D IH0 F R EH1 N CH AH0 B AH0 L"},
      {"gradient", "G R EY1 D IY0 AH0 N T"},
      {"compiler", "K AH0 M P IH1 L ER0"},
      {"zoo", "Z UW1"},
      {"swift", "S W IH1 F T"},
      {"tensor", "T EH1 N S ER0"}};
  int right = 0;
  for (const auto& [word, phonemes] : words) {
    const auto made = models::pronunciation(model, word);
    std::printf("%-14s  %s\n", word.c_str(), made.c_str());
    right += made == phonemes ? 1 : 0;
  }
  std::printf("%d of 6 words as the package pronounces them\n", right);
  return right == 6 ? 0 : 1;
}
