/// \file
/// The weights of a model in one file, in several with an index, or as another reader gave them.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/safetensors.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ddx::io {

namespace detail {
class WeightSource;
}  // namespace detail

/// How weights are opened.
struct WeightFilesOptions {
  /// What becomes of the checksum that each file may have; to compare it reads the whole file.
  ChecksumUse checksum = ChecksumUse::Ignored;
  std::uint64_t max_header_bytes = 100'000'000;  ///< Of each file, as SafetensorsReadOptions.
  std::uint64_t max_index_bytes = 100'000'000;   ///< The longest index that is accepted.
};

/// The weights of a model as the Hugging Face hub has them: one file, or several with an index, a
/// JSON object whose `weight_map` names the file of each array. Files named `*.gguf` are of GGUF,
/// those named `*.bin`, `*.pt` and `*.pth` of `torch.save`, all others of safetensors. Weights in
/// other formats come from their readers, as arrays in memory.
///
/// All files are mapped and their headers checked when they are opened; the bytes of an array are
/// read when they are used. Of a file of `torch.save` the storage that was read last stays in
/// memory until another is, or its array is dropped. A value; copies share the files. What
/// MappedFile says of files that change holds here.
///
/// Source:  Hugging Face, `huggingface_hub/serialization`, "split_torch_state_dict_into_shards".
/// Example:
///   const io::WeightFiles weights("Qwen3-0.6B");
///   const auto norm = io::to_tensor<float>(weights.read("model.norm.weight"));
class WeightFiles {
 public:
  /// Opens a file, an index (`*.json`), or a folder, which has `model.safetensors` or
  /// `model.safetensors.index.json`, or else `pytorch_model.bin` or `pytorch_model.bin.index.json`.
  /// `metadata.total_size` of an index is not compared.
  ///
  /// Throws:  EnvironmentError where a file cannot be read or breaks the format; where the folder
  ///          has none of them, or a file and an index of one kind; where the index is not such an
  ///          object, names an array twice or a path that could leave its folder; where a file of
  ///          the index is missing, lacks an array that it lists, or has one that it does not.
  ///          Names the file and the array.
  explicit WeightFiles(const std::filesystem::path& path, const WeightFilesOptions& options = {});

  /// Arrays that a reader of another format returned, as weights without files.
  ///
  /// Throws:  UsageError where the bytes of an array do not fit its dtype and shape, or a truth
  ///          value is neither 0 nor 1. Names the array.
  /// Example:
  ///   models::load_weights(model, io::WeightFiles(io::read_torch("tiny.pth")), names);
  explicit WeightFiles(StoredTensors arrays);

  /// The arrays of an open GGUF file.
  explicit WeightFiles(const GgufView& file);

  /// The arrays of all files, by name, as SafetensorsView::arrays. Those that lie in blocks, in
  /// GGUF files, and those of `torch.save` have no bytes here: read them.
  [[nodiscard]] const std::map<std::string, StoredView>& arrays() const noexcept;

  /// The files, sorted; none of arrays that were given.
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const noexcept;

  /// The file of an array.
  ///
  /// Throws:  UsageError where there is none of this name, or the arrays were given.
  [[nodiscard]] const std::filesystem::path& file_of(const std::string& name) const;

  /// A copy of one array.
  ///
  /// Throws:  as SafetensorsView::read.
  [[nodiscard]] StoredTensor read(const std::string& name) const;

  /// Writes one array into memory, as SafetensorsView::read_into.
  ///
  /// Throws:  as SafetensorsView::read_into.
  void read_into(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const;

  /// As GgufView::read_rows_into.
  ///
  /// Throws:  as GgufView::read_rows_into.
  void read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                      std::span<std::uint8_t> elements) const;

  /// As GgufView::group_bits; none of arrays of other files.
  ///
  /// Throws:  UsageError where there is none of this name.
  [[nodiscard]] std::optional<int> group_bits(const std::string& name) const;

  /// As GgufView::read_groups.
  ///
  /// Throws:  as GgufView::read_groups.
  void read_groups(const std::string& name, std::int64_t first_group,
                   std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) const;

  /// Returns to the system the memory that the bytes of an array take, as SafetensorsView::drop.
  /// Arrays that were given stay.
  ///
  /// Throws:  UsageError where there is none of this name.
  void drop(const std::string& name) const;

 private:
  struct State;
  [[nodiscard]] const detail::WeightSource& source(const std::string& name) const;

  std::shared_ptr<const State> state_;
};

/// How weights are written.
struct WeightFilesWriteOptions {
  /// The most bytes of arrays in one file, except for a file of one larger array.
  std::uint64_t max_file_bytes = 5'000'000'000;
  /// What the names of the files begin with.
  std::string stem = "model";
  bool checksum = false;  ///< As SafetensorsWriteOptions.
};

/// Writes weights into a folder, which is made where it does not exist: into `model.safetensors`,
/// or, where they take more bytes than one file may have, into `model-00001-of-00003.safetensors`
/// and so on, in the order of their names, with the index `model.safetensors.index.json`. Each file
/// has all remarks. Files of these names that an earlier call left are replaced or removed.
///
/// All bytes are on the disk before a file takes its name, and the index is the last to take it. A
/// process that is killed between leaves the old weights, the new ones, or a folder that
/// WeightFiles refuses, never files of both under one index.
///
/// Throws:  UsageError as write_safetensors, and where the stem is empty or has a '/', or a file
///          may have no bytes. EnvironmentError where a file cannot be written or removed; unless
///          it is one of the last step, all that was there is unchanged.
void write_weight_files(const std::filesystem::path& folder, const TensorFile& content,
                        const WeightFilesWriteOptions& options = {});

}  // namespace ddx::io
