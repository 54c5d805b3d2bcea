// What kind of file is it? The published weights of Magika, read from an ONNX model, name files of
// this project. Usage: 314_file_kind FOLDER, where FOLDER has model.onnx and config.min.json of
// magika/models/standard_v3_3 in the PyPI package magika 1.0.3; from the folder of the project.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ddx/ddx.h>
#include <ddx/models/files/file_kind.h>
#include <filesystem>
#include <string>
#include <utility>

namespace models = ddx::models;

int main(int argc, char** argv) {
  const std::filesystem::path folder = argc > 1 ? argv[1] : ".";
  if (!std::filesystem::exists(folder / "model.onnx")) {
    std::printf("skipped: no model.onnx of the package magika\n");
    return 0;
  }
  const models::ModelConfiguration configuration(folder / "config.min.json");
  const auto kinds = configuration.texts("target_labels_space");
  models::FileKind<float> model(models::options_from<models::FileKindOptions>(configuration));
  models::load_weights(model, ddx::io::WeightFiles(ddx::io::read_onnx(folder / "model.onnx")),
                       name_rules(model.options));

  // As onnxruntime names them with the same model.
  const std::pair<std::string, std::string> files[] = {{"README.md", "markdown"},
                                                       {"include/ddx/models/gpt.h", "cpp"},
                                                       {"CMakeLists.txt", "cmake"},
                                                       {"tools/check_docs.py", "python"},
                                                       {"LICENSE", "txt"}};
  int right = 0;
  for (const auto& [file, kind] : files) {
    const auto bytes = models::file_bytes(file, model.options);
    const ddx::Tensor<std::int32_t> content({1, static_cast<std::int64_t>(bytes.size())}, bytes);
    const auto probabilities = ddx::softmax(model(content)).values();
    const auto best = std::max_element(probabilities.begin(), probabilities.end());
    const auto& name = kinds[static_cast<std::size_t>(best - probabilities.begin())];
    std::printf("%-25s %-9s %.4f\n", file.c_str(), name.c_str(), static_cast<double>(*best));
    right += name == kind ? 1 : 0;
  }
  std::printf("%d of 5 files as onnxruntime names them\n", right);
  return right == 5 ? 0 : 1;
}
