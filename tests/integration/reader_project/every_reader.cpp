// Calls every reader and writer of files, so that a program links all that the library needs. Exit
// status 0: what was written came back.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ddx/ddx.h>
#include <ddx/io/chrome_trace.h>
#include <ddx/tensor/tensor.h>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

namespace data = ddx::data;
namespace io = ddx::io;

int failures = 0;

void check(bool holds, const char* what) {
  if (!holds) {
    std::printf("%s did not come back\n", what);
    ++failures;
  }
}

/// Calls a reader of a file that is not there: only that it links matters.
template <class Read>
void refused(const char* what, const Read& read) {
  try {
    read();
  } catch (const ddx::EnvironmentError&) {
    return;
  }
  check(false, what);
}

void arrays(const std::filesystem::path& folder) {
  const auto array = io::to_stored(ddx::Tensor<float>{1, 2, 3});
  const io::StoredTensors arrays{{"w", array}};
  io::write_npy(folder / "a.npy", array);
  check(io::read_npy(folder / "a.npy") == array, "npy");
  io::write_safetensors(folder / "a.safetensors", {.tensors = arrays}, {.checksum = true});
  check(io::read_safetensors(folder / "a.safetensors").tensors == arrays, "safetensors");
  if (io::has_npz()) {
    io::write_npz(folder / "a.npz", arrays, {.compressed = true});
    check(io::read_npz(folder / "a.npz") == arrays, "npz");
  }
  io::write_weight_files(folder / "weights", {.tensors = arrays});
  check(io::WeightFiles(folder / "weights").read("w") == array, "weights");
  refused("read_torch", [&] { (void)io::read_torch(folder / "absent"); });
  refused("TensorBundle", [&] { (void)io::TensorBundle(folder / "absent").read_all(); });
  check(io::has_snappy() || !io::has_snappy(), "snappy");
}

void pictures(const std::filesystem::path& folder) {
  const io::Image picture(2, 2, {1, 2, 3});
  io::write_png(folder / "a.png", picture);
  check(io::read_png(folder / "a.png") == picture, "png");
  if (io::has_jpeg()) {
    io::write_jpeg(folder / "a.jpg", picture);
    check(io::read_jpeg(folder / "a.jpg").width() == 2, "jpeg");
  }
  if (io::has_gif()) {
    const std::vector<io::Image> pictures{picture, picture};
    io::write_gif(folder / "a.gif", pictures);
    check(std::filesystem::file_size(folder / "a.gif") > 0, "gif");
  }
}

void logs(const std::filesystem::path& folder) {
  ddx::train::CsvLog(folder / "a.csv").append({.epoch = 1, .step = 1, .values = {{"loss", 1.0}}});
  ddx::train::TensorBoardLog(folder).scalar("loss", 1, 1);
  io::ChromeTrace(folder / "a.json").write();
  check(std::filesystem::file_size(folder / "a.csv") > 0, "csv");
}

void sets(const std::filesystem::path& folder) {
  const auto absent = folder / "absent";
  refused("idx", [&] { (void)data::read_idx(absent, 1); });
  refused("mnist", [&] { (void)data::read_mnist(absent); });
  refused("cifar10", [&] { (void)data::read_cifar10(absent); });
  refused("coco", [&] { (void)data::read_coco(absent); });
  refused("wikitext", [&] { (void)data::read_wikitext(absent); });
  refused("sentencepiece", [&] { (void)data::read_sentence_piece_model(absent); });
  refused("tokenizer", [&] { (void)data::read_tokenizer(absent); });
  check(data::has_regular_expressions() || !data::has_regular_expressions(), "expressions");
  refused("vocabulary", [&] { (void)data::read_vocabulary_json(absent); });
}

}  // namespace

int main() {
  std::string name = (std::filesystem::temp_directory_path() / "ddx_every_reader_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    return 2;
  }
  try {
    arrays(name);
    pictures(name);
    logs(name);
    sets(name);
  } catch (const std::exception& error) {
    std::puts(error.what());
    ++failures;
  }
  std::filesystem::remove_all(name);
  return failures == 0 ? 0 : 1;
}
