/// \file
/// The arrays of one file of weights, of any format.

#pragma once

#include "ddx/core/dtype.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/safetensors_view.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/weight_files.h"

#include "io/detail/torch/torch_archive.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace ddx::io::detail {

/// Arrays in memory, which another reader gave.
struct GivenArrays {
  StoredTensors arrays;

  [[nodiscard]] StoredTensor read(const std::string& name) const;
  void read_into(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const;
  /// They stay.
  void drop(const std::string& /*name*/) const noexcept {}
};

/// A file of safetensors, GGUF or `torch.save`, or given arrays. Its member functions are those of
/// WeightFiles, for one file.
class WeightSource {
 public:
  /// Opens a file whose name says what it is: `*.gguf`; `*.bin`, `*.pt` and `*.pth` of
  /// `torch.save`; else safetensors.
  ///
  /// Throws:  EnvironmentError as the reader of its format.
  WeightSource(const std::filesystem::path& file, const WeightFilesOptions& options);
  explicit WeightSource(GgufView file);
  explicit WeightSource(StoredTensors arrays);

  [[nodiscard]] const std::map<std::string, StoredView>& arrays() const noexcept { return views_; }
  [[nodiscard]] StoredTensor read(const std::string& name) const;
  void read_into(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const;
  void read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                      std::span<std::uint8_t> elements) const;
  [[nodiscard]] std::optional<int> group_bits(const std::string& name) const;
  void read_groups(const std::string& name, std::int64_t first_group,
                   std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) const;
  void drop(const std::string& name) const;

 private:
  using Torch = std::shared_ptr<const TorchArchive>;
  using File = std::variant<SafetensorsView, GgufView, Torch, GivenArrays>;

  static File opened(const std::filesystem::path& file, const WeightFilesOptions& options);
  explicit WeightSource(File file);

  File file_;
  std::map<std::string, StoredView> views_;
};

}  // namespace ddx::io::detail
