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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
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
  explicit State(const std::filesystem::path& path)
      : file(path.string()), mapping(path, gguf_operation) {}

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

  /// Writes the array with elements of a dtype, some at a time.
  void convert(const std::string& name, DType dtype, std::span<std::uint8_t> elements) const {
    const GgufArray& array = at(name);
    const detail::GgufType& type = *types.at(name);
    const auto count = static_cast<std::size_t>(array.shape.count());
    const std::size_t to = info(dtype).bytes;
    std::vector<float> decoded(type.decode == nullptr ? 0 : std::min(count, step_elements));
    for (std::size_t begin = 0; begin < count; begin += step_elements) {
      const std::size_t size = std::min(step_elements, count - begin);
      const auto bytes = array.bytes.subspan(begin / type.block_elements * type.block_bytes,
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

  std::string file;
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
  state_->convert(name, array.dtype, result.bytes);
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
  state_->convert(name, dtype, elements);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(gguf_operation);
}

void GgufView::drop(const std::string& name) const {
  state_->mapping.drop(state_->at(name).bytes);
}

}  // namespace ddx::io
