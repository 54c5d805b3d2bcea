// Files that are written, written over, and read.

#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/io/append_file.h"
#include "ddx/io/gif.h"
#include "ddx/io/image.h"
#include "ddx/io/npy.h"
#include "ddx/io/npz.h"
#include "ddx/io/onnx_file.h"
#include "ddx/io/png.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/torch_file.h"
#include "ddx/io/weight_files.h"
#include "ddx/models/pretrained/model_configuration.h"
#include "ddx/train/csv_log.h"
#include "ddx/train/record.h"
#include "ddx/train/tensorboard.h"

#include "injection.h"
#include "scenario.h"
#include "tests/support/stored_zip.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::faults {
namespace {

using Path = std::filesystem::path;

std::string bytes_of(const Path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Throws unless the folder holds this file and no other.
void expect_alone(const Path& file) {
  for (const auto& entry : std::filesystem::directory_iterator(file.parent_path())) {
    expect(entry.path() == file, "the folder holds " + entry.path().filename().string());
  }
}

io::StoredTensors arrays(std::uint8_t first) {
  return {{"numbers", {DType::u8, {2, 3}, {first, 2, 3, 4, 5, 6}}},
          {"weights", {DType::f32, {1}, {0, 0, 128, first}}}};
}

/// Of each format: what is written to a file, and what a file of it holds.
struct Safetensors {
  using Content = io::TensorFile;
  static constexpr const char* name = "arrays.safetensors";
  static Content content(std::uint8_t first) { return {arrays(first), {{"key", "value"}}}; }
  static void write(const Path& file, const Content& content) {
    io::write_safetensors(file, content);
  }
  static Content read(const Path& file) { return io::read_safetensors(file); }
};

struct Npz {
  using Content = io::StoredTensors;
  static constexpr const char* name = "arrays.npz";
  static Content content(std::uint8_t first) { return arrays(first); }
  static void write(const Path& file, const Content& content) { io::write_npz(file, content); }
  static Content read(const Path& file) { return io::read_npz(file); }
};

/// Weights in two files and an index.
struct Weights {
  using Content = io::TensorFile;
  static constexpr const char* name = "weights";
  static Content content(std::uint8_t first) { return {arrays(first), {}}; }
  static void write(const Path& folder, const Content& content) {
    static const io::WeightFilesWriteOptions options{.max_file_bytes = 6};
    io::write_weight_files(folder, content, options);
  }
  static Content read(const Path& folder) {
    const io::WeightFiles weights(folder);
    Content content;
    for (const auto& [array, view] : weights.arrays()) {
      auto tensor = weights.read(array);
      const Paused paused;
      content.tensors[array] = std::move(tensor);
    }
    return content;
  }
};

/// A file of PyTorch with one tensor of two bytes.
struct Torch {
  using Content = io::StoredTensors;
  static constexpr const char* name = "weights.pth";
  static Content content(std::uint8_t first) { return {{"w", {DType::u8, {2}, {first, 2}}}}; }
  static void write(const Path& file, const Content& content) {
    using namespace std::string_literals;
    const auto pickle =
        "\x80\x02}\x8c\x01wctorch._utils\n_rebuild_tensor_v2\n("
        "(\x8c\x07storagectorch\nByteStorage\n\x8c\x01k\x8c\x03"
        "cpuK\x02tQ"
        "K\x00K\x02\x85K\x01\x85\x89}tRs."s;
    std::ofstream stream(file, std::ios::binary);
    for (const auto byte : testing::stored_zip({{"a/data.pkl", {pickle.begin(), pickle.end()}},
                                                {"a/data/k", content.at("w").bytes}})) {
      stream.put(static_cast<char>(byte));
    }
  }
  static Content read(const Path& file) { return io::read_torch(file); }
};

/// An ONNX model with one array of two bytes.
struct Onnx {
  using Content = io::StoredTensors;
  static constexpr const char* name = "model.onnx";
  static Content content(std::uint8_t first) { return {{"w", {DType::u8, {2}, {first, 2}}}}; }
  static void write(const Path& file, const Content& content) {
    using namespace std::string_literals;
    const auto& bytes = content.at("w").bytes;
    std::ofstream(file, std::ios::binary)
        << "\x3a\x0d\x2a\x0b\x08\x02\x10\x02\x42\x01w\x4a\x02"s << static_cast<char>(bytes[0])
        << static_cast<char>(bytes[1]);
  }
  static Content read(const Path& file) { return io::read_onnx(file); }
};

/// Settings of a model.
struct Configuration {
  using Content = std::vector<std::int64_t>;
  static constexpr const char* name = "config.json";
  static Content content(std::uint8_t first) { return {first, 2}; }
  static void write(const Path& file, const Content& content) {
    std::ofstream(file) << "{\"a\": {\"b\": [" << content[0] << ", " << content[1]
                        << "], \"c\": [[\"a text that is longer than a short one\"]]}}";
  }
  static Content read(const Path& file) {
    return models::ModelConfiguration(file).object("a").integers("b");
  }
};

struct Npy {
  using Content = io::StoredTensor;
  static constexpr const char* name = "array.npy";
  static Content content(std::uint8_t first) { return arrays(first).at("numbers"); }
  static void write(const Path& file, const Content& content) { io::write_npy(file, content); }
  static Content read(const Path& file) { return io::read_npy(file); }
};

struct Png {
  using Content = io::Image;
  static constexpr const char* name = "picture.png";
  static Content content(std::uint8_t first) { return {5, 4, {first, 20, 30}}; }
  static void write(const Path& file, const Content& content) { io::write_png(file, content); }
  static Content read(const Path& file) { return io::read_png(file); }
};

/// Writes over a file: it holds the old content or the new one, whole.
template <class Format>
class Write final : public Scenario {
 public:
  explicit Write(const Path& folder) : file_(folder / Format::name) {
    Format::write(file_, Format::content(1));
  }
  void attempt() override { Format::write(file_, new_); }
  void check(bool has_succeeded) override {
    const auto content = Format::read(file_);
    expect(content == Format::content(2) || (!has_succeeded && content == Format::content(1)),
           "the file holds neither what was written nor what was there before");
    expect_alone(file_);
    Format::write(file_, Format::content(3));
    expect(Format::read(file_) == Format::content(3), "the file cannot be written");
  }

 private:
  Path file_;
  typename Format::Content new_ = Format::content(2);
};

/// Writes over weights in several files: they are the old or the new ones, or refused, where one of
/// the last steps fails, but never some of both.
class WriteWeights final : public Scenario {
 public:
  explicit WriteWeights(const Path& folder) : folder_(folder / Weights::name) {
    Weights::write(folder_, Weights::content(1));
  }
  void attempt() override { Weights::write(folder_, new_); }
  void check(bool has_succeeded) override {
    try {
      const auto content = Weights::read(folder_);
      expect(content == Weights::content(2) || (!has_succeeded && content == Weights::content(1)),
             "the files hold neither what was written nor what was there before");
    } catch (const EnvironmentError&) {
      expect(!has_succeeded, "the files that were written are refused");
    }
    Weights::write(folder_, Weights::content(3));
    expect(Weights::read(folder_) == Weights::content(3), "the files cannot be written");
    const std::filesystem::directory_iterator entries(folder_);
    expect(std::distance(begin(entries), end(entries)) == 3, "files are left");
  }

 private:
  Path folder_;
  Weights::Content new_ = Weights::content(2);
};

template <class Format>
class Read final : public Scenario {
 public:
  explicit Read(const Path& folder) : file_(folder / Format::name) {
    Format::write(file_, Format::content(1));
  }
  void attempt() override { expect_content(); }
  void check(bool /*has_succeeded*/) override { expect_content(); }

 private:
  void expect_content() const {
    const auto content = Format::read(file_);
    const Paused paused;
    expect(content == old_, "the file holds something else");
  }

  Path file_;
  typename Format::Content old_ = Format::content(1);
};

/// A row more in a log: it is there or not, whole.
class Csv final : public Scenario {
 public:
  explicit Csv(const Path& folder) : file_(folder / "log.csv") {
    train::CsvLog(file_).append({1, 10, {{"loss", 0.5}}});
    before_ = bytes_of(file_);
  }
  void attempt() override { train::CsvLog(std::move(given_)).append(record_); }
  void check(bool has_succeeded) override {
    const std::string now = bytes_of(file_);
    expect(now == before_ + "1,20,0.25\n" || (!has_succeeded && now == before_),
           "the log holds " + now);
    train::CsvLog(file_).append({1, 30, {{"loss", 0.125}}});
    expect(bytes_of(file_) == now + "1,30,0.125\n", "no row can be added");
  }

 private:
  Path file_;
  Path given_ = file_;
  train::Record record_{1, 20, {{"loss", 0.25}}};
  std::string before_;
};

/// Events of a log that is open: the one being written is there or not, whole.
class TensorBoard final : public Scenario {
 public:
  explicit TensorBoard(const Path& folder) : folder_(folder) {}
  void attempt() override {
    train::TensorBoardLog log(folder_);
    log.scalar(tag_, 0.5, 1);
    log.image(tag_, picture_, 1);
    const std::array<double, 3> values{1, 2, 3};
    log.histogram(tag_, values, 1);
  }
  void check(bool /*has_succeeded*/) override {
    expect_whole_events();
    attempt();
    expect_whole_events();
  }

 private:
  /// A record: its length in 8 bytes, 4 bytes of checksum, so many bytes, 4 bytes of checksum.
  void expect_whole_events() const {
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      const std::string bytes = bytes_of(entry.path());
      std::size_t place = 0;
      while (place < bytes.size()) {
        expect(place + 12 <= bytes.size(), "a record ends in its length");
        std::size_t length = 0;
        for (std::size_t i = 8; i-- > 0;) {
          length = length << 8 | static_cast<std::uint8_t>(bytes[place + i]);
        }
        place += 12 + length + 4;
        expect(place <= bytes.size(), "a record is cut off");
      }
    }
  }

  Path folder_;
  std::string tag_ = "numbers";
  io::Image picture_{3, 2, {1, 2, 3}};
};

}  // namespace

std::span<const Row> file_scenarios() {
  static constexpr std::array rows{
      Row{"safetensors.write", make<Write<Safetensors>>},
      Row{"safetensors.read", make<Read<Safetensors>>},
      Row{"weights.write", make<WriteWeights>},
      Row{"weights.read", make<Read<Weights>>},
      Row{"npz.write", make<Write<Npz>>},
      Row{"npz.read", make<Read<Npz>>},
      Row{"torch.read", make<Read<Torch>>},
      Row{"onnx.read", make<Read<Onnx>>},
      Row{"configuration.read", make<Read<Configuration>>},
      Row{"npy.write", make<Write<Npy>>},
      Row{"npy.read", make<Read<Npy>>},
      Row{"png.write", make<Write<Png>>},
      Row{"png.read", make<Read<Png>>},
      Row{"csv.append", make<Csv>},
      Row{"tensorboard.append", make<TensorBoard>},
  };
  return rows;
}

}  // namespace ddx::faults
