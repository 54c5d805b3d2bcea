#include "ddx/io/gguf_view.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/mapped_file.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include "io/detail/gguf/gguf_header.h"
#include "io/detail/gguf/gguf_types.h"
#include "io/detail/json_value.h"
#include "io/detail/row_range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

constexpr auto gguf_operation = "GgufView";

/// How many elements are converted at a time: whole blocks of every type.
constexpr std::size_t step_elements = std::size_t{1} << 20;

}  // namespace

struct GgufView::State {
  explicit State(const std::filesystem::path& opened)
      : path(opened), file(opened.string()), mapping(opened, gguf_operation) {}

  void add(const std::string& name, const detail::GgufEntry& entry) {
    GgufArray array{.shape = entry.shape,
                    .type = std::string(entry.type->name),
                    .dtype = entry.type->dtype,
                    .bytes = entry.bytes};
    if (!entry.type->is_supported) {
      array.obstacle = "array " + detail::json_quoted(name) + " of " + file + ": type " +
                       array.type + " is not supported";
    }
    types.emplace(name, entry.type);
    arrays.emplace(name, std::move(array));
  }

  [[nodiscard]] const GgufArray& at(const std::string& name) const {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
      throw UsageError(gguf_operation, file + " has no array " + detail::json_quoted(name));
    }
    return found->second;
  }

  /// Writes elements of the array with a dtype, some at a time: those from `first` on, which begins
  /// a block, for as many as there is room.
  void convert(const std::string& name, std::size_t first, DType dtype,
               std::span<std::uint8_t> elements) const {
    const GgufArray& array = at(name);
    const detail::GgufType& type = *types.at(name);
    const std::size_t to = info(dtype).bytes;
    const std::size_t count = elements.size() / to;
    std::vector<float> decoded(type.decode == nullptr ? 0 : std::min(count, step_elements));
    for (std::size_t begin = 0; begin < count; begin += step_elements) {
      const std::size_t size = std::min(step_elements, count - begin);
      const auto bytes =
          array.bytes.subspan((first + begin) / type.block_elements * type.block_bytes,
                              size / type.block_elements * type.block_bytes);
      StoredView step{array.dtype, Shape{static_cast<std::int64_t>(size)}, bytes};
      if (type.decode != nullptr) {
        detail::decode_blocks(type, bytes, decoded);
        step.bytes = {reinterpret_cast<const std::uint8_t*>(decoded.data()), size * sizeof(float)};
      }
      convert_into(step, dtype, elements.subspan(begin * to, size * to));
      mapping.drop(bytes);
    }
  }

  std::filesystem::path path;
  std::string file;  // For messages.
  MappedFile mapping;
  std::map<std::string, GgufArray> arrays;
  std::map<std::string, const detail::GgufType*> types;
  std::map<std::string, GgufValue> metadata;
};

GgufView::GgufView(const std::filesystem::path& file, const GgufViewOptions& options) try {
  const auto state = std::make_shared<State>(file);
  auto header = detail::read_gguf_header(
      state->mapping.bytes(), options.max_bytes, [&](const std::string& facts) {
        throw EnvironmentError(gguf_operation, state->file + ": " + facts);
      });
  for (const auto& [name, entry] : header.arrays) {
    state->add(name, entry);
  }
  state->metadata = std::move(header.metadata);
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(gguf_operation);
}

const std::filesystem::path& GgufView::file() const noexcept {
  return state_->path;
}

const std::map<std::string, GgufArray>& GgufView::arrays() const noexcept {
  return state_->arrays;
}

const std::map<std::string, GgufValue>& GgufView::metadata() const noexcept {
  return state_->metadata;
}

StoredTensor GgufView::read(const std::string& name) const try {
  const GgufArray& array = state_->at(name);
  if (!array.obstacle.empty()) {
    throw UsageError(gguf_operation, array.obstacle);
  }
  StoredTensor result{.dtype = array.dtype, .shape = array.shape, .bytes = {}};
  result.bytes.resize(static_cast<std::size_t>(array.shape.count()) * info(array.dtype).bytes);
  state_->convert(name, 0, array.dtype, result.bytes);
  return result;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(gguf_operation);
}

void GgufView::read_into(const std::string& name, DType dtype,
                         std::span<std::uint8_t> elements) const try {
  const GgufArray& array = state_->at(name);
  if (!array.obstacle.empty()) {
    throw UsageError(gguf_operation, array.obstacle);
  }
  const auto expected = static_cast<std::size_t>(array.shape.count()) * info(dtype).bytes;
  if (elements.size() != expected) {
    throw UsageError(gguf_operation, "array " + detail::json_quoted(name) + " takes " +
                                         std::to_string(expected) + " bytes as " +
                                         std::string(to_string(dtype)) + ", the memory has " +
                                         std::to_string(elements.size()));
  }
  state_->convert(name, 0, dtype, elements);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(gguf_operation);
}

void GgufView::read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                              std::span<std::uint8_t> elements) const try {
  const GgufArray& array = state_->at(name);
  if (!array.obstacle.empty()) {
    throw UsageError(gguf_operation, array.obstacle);
  }
  const auto first = detail::first_element(gguf_operation, name, array.shape,
                                           {.first_row = first_row, .dtype = dtype}, elements);
  state_->convert(name, first, dtype, elements);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(gguf_operation);
}

std::optional<int> GgufView::group_bits(const std::string& name) const {
  (void)state_->at(name);
  return detail::group_bits(*state_->types.at(name));
}

void GgufView::read_groups(const std::string& name, std::int64_t first_group,
                           std::span<std::uint8_t> numbers, std::span<std::uint8_t> scales) const {
  const GgufArray& array = state_->at(name);
  const detail::GgufType& type = *state_->types.at(name);
  const auto fail = [&](const std::string& facts) {
    throw UsageError(gguf_operation, "array " + detail::json_quoted(name) + facts);
  };
  if (!detail::group_bits(type)) {
    fail(" is of the type " + array.type + ", not in groups as Q8_0 and Q4_0");
  }
  const std::size_t all = array.bytes.size() / type.block_bytes;
  const std::size_t number_bytes = type.block_bytes - detail::scale_bytes;
  const std::size_t groups = scales.size() / detail::scale_bytes;
  if (numbers.size() != groups * number_bytes || scales.size() != groups * detail::scale_bytes) {
    fail(" has " + std::to_string(number_bytes) + " bytes of numbers to " +
         std::to_string(detail::scale_bytes) + " of a scale, the memory has " +
         std::to_string(numbers.size()) + " and " + std::to_string(scales.size()) + " bytes");
  }
  if (first_group < 0 || std::cmp_greater(first_group, all) ||
      groups > all - static_cast<std::size_t>(first_group)) {
    fail(" has " + std::to_string(all) + " groups, not " + std::to_string(groups) + " from " +
         std::to_string(first_group) + " on");
  }
  const auto from = array.bytes.subspan(static_cast<std::size_t>(first_group) * type.block_bytes);
  const std::size_t step = step_elements / type.block_elements;
  for (std::size_t begin = 0; begin < groups; begin += step) {
    const std::size_t size = std::min(step, groups - begin);
    const auto blocks = from.subspan(begin * type.block_bytes, size * type.block_bytes);
    detail::copy_groups(type, blocks, numbers.subspan(begin * number_bytes, size * number_bytes),
                        scales.subspan(begin * detail::scale_bytes, size * detail::scale_bytes));
    state_->mapping.drop(blocks);
  }
}

void GgufView::drop(const std::string& name) const {
  state_->mapping.drop(state_->at(name).bytes);
}

}  // namespace ddx::io
