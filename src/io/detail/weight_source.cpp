#include "io/detail/weight_source.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/safetensors_view.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"
#include "ddx/io/torch_file.h"
#include "ddx/io/weight_files.h"

#include "io/detail/json_value.h"
#include "io/detail/row_range.h"
#include "io/detail/torch/torch_archive.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace ddx::io::detail {
namespace {

using Views = std::map<std::string, StoredView>;

Views views_of(const SafetensorsView& file) {
  return file.arrays();
}

/// Blocks are no elements: their views have no bytes.
Views views_of(const GgufView& file) {
  Views views;
  for (const auto& [name, array] : file.arrays()) {
    const auto elements = static_cast<std::size_t>(array.shape.count()) * info(array.dtype).bytes;
    const bool is_plain = array.obstacle.empty() && array.bytes.size() == elements;
    views.emplace(
        name, StoredView{array.dtype, array.shape,
                         is_plain ? array.bytes : std::span<const std::uint8_t>(), array.obstacle});
  }
  return views;
}

Views views_of(const std::shared_ptr<const TorchArchive>& file) {
  return file->arrays();
}

Views views_of(const GivenArrays& given) {
  Views views;
  for (const auto& [name, array] : given.arrays) {
    views.emplace(name, view_of(array));
  }
  return views;
}

/// Writes rows of an array.
void copy_rows(const std::string& name, const StoredView& array, const RowRange& range,
               std::span<std::uint8_t> elements) {
  if (!array.obstacle.empty()) {
    return convert_into(array, range.dtype, elements);  // It says what is wrong.
  }
  const std::size_t from = info(array.dtype).bytes;
  const std::size_t count = elements.size() / info(range.dtype).bytes;
  const std::size_t first = first_element("WeightFiles", name, array.shape, range, elements);
  const StoredView rows{.dtype = array.dtype,
                        .shape = Shape{static_cast<std::int64_t>(count)},
                        .bytes = array.bytes.subspan(first * from, count * from)};
  convert_into(rows, range.dtype, elements);
}

}  // namespace

StoredTensor GivenArrays::read(const std::string& name) const {
  return copy_of(view_of(arrays.at(name)));
}

void GivenArrays::read_into(const std::string& name, DType dtype,
                            std::span<std::uint8_t> elements) const {
  convert_into(view_of(arrays.at(name)), dtype, elements);
}

WeightSource::File WeightSource::opened(const std::filesystem::path& file,
                                        const WeightFilesOptions& options) {
  const auto extension = file.extension();
  if (extension == ".gguf") {
    return GgufView(file);
  }
  if (extension == ".bin" || extension == ".pt" || extension == ".pth") {
    return std::make_shared<const TorchArchive>(file, TorchReadOptions());
  }
  return SafetensorsView(
      file, {.checksum = options.checksum, .max_header_bytes = options.max_header_bytes});
}

WeightSource::WeightSource(File file) : file_(std::move(file)) {
  views_ = std::visit([](const auto& held) { return views_of(held); }, file_);
}

WeightSource::WeightSource(const std::filesystem::path& file, const WeightFilesOptions& options)
    : WeightSource(opened(file, options)) {}

WeightSource::WeightSource(GgufView file) : WeightSource(File(std::move(file))) {}

WeightSource::WeightSource(StoredTensors arrays)
    : WeightSource(File(GivenArrays{std::move(arrays)})) {}

StoredTensor WeightSource::read(const std::string& name) const {
  return std::visit(
      [&]<class Held>(const Held& file) {
        if constexpr (std::is_same_v<Held, Torch>) {
          return file->with(name, [](const StoredView& array) { return copy_of(array); });
        } else {
          return file.read(name);
        }
      },
      file_);
}

void WeightSource::read_into(const std::string& name, DType dtype,
                             std::span<std::uint8_t> elements) const {
  std::visit(
      [&]<class Held>(const Held& file) {
        if constexpr (std::is_same_v<Held, Torch>) {
          file->with(name, [&](const StoredView& array) { convert_into(array, dtype, elements); });
        } else {
          file.read_into(name, dtype, elements);
        }
      },
      file_);
}

void WeightSource::read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                                  std::span<std::uint8_t> elements) const {
  if (const auto* const file = std::get_if<GgufView>(&file_)) {
    return file->read_rows_into(name, first_row, dtype, elements);
  }
  if (const auto* const file = std::get_if<Torch>(&file_)) {
    return (*file)->with(name, [&](const StoredView& array) {
      copy_rows(name, array, {.first_row = first_row, .dtype = dtype}, elements);
    });
  }
  copy_rows(name, views_.at(name), {.first_row = first_row, .dtype = dtype}, elements);
  drop(name);
}

std::optional<int> WeightSource::group_bits(const std::string& name) const {
  const auto* const file = std::get_if<GgufView>(&file_);
  return file == nullptr ? std::nullopt : file->group_bits(name);
}

void WeightSource::read_groups(const std::string& name, std::int64_t first_group,
                               std::span<std::uint8_t> numbers,
                               std::span<std::uint8_t> scales) const {
  const auto* const file = std::get_if<GgufView>(&file_);
  if (file == nullptr) {
    throw UsageError("WeightFiles",
                     "array " + json_quoted(name) + " is not in groups of numbers with a scale");
  }
  file->read_groups(name, first_group, numbers, scales);
}

void WeightSource::drop(const std::string& name) const {
  std::visit(
      [&]<class Held>(const Held& file) {
        if constexpr (std::is_same_v<Held, Torch>) {
          file->drop(name);
        } else {
          file.drop(name);
        }
      },
      file_);
}

}  // namespace ddx::io::detail
