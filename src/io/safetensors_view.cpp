#include "ddx/io/safetensors_view.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"
#include "ddx/core/mapped_file.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include "io/detail/json_value.h"
#include "io/detail/safetensors_header.h"
#include "io/detail/safetensors_layout.h"
#include "io/detail/stated_checksum.h"

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

namespace ddx::io {
namespace {

constexpr auto view_operation = "SafetensorsView";

/// How much of a file is in memory at a time while it is converted.
constexpr std::size_t block_bytes = std::size_t{4} << 20;

}  // namespace

struct SafetensorsView::State {
  State(std::string path, const InputFile& input) : file(std::move(path)), mapping(input) {}

  [[noreturn]] void fail(const std::string& facts) const {
    throw EnvironmentError(view_operation, file + ": " + facts);
  }

  [[nodiscard]] const StoredView& at(const std::string& name) const {
    const auto found = arrays.find(name);
    if (found == arrays.end()) {
      throw UsageError(view_operation, file + " has no array " + detail::json_quoted(name));
    }
    return found->second;
  }

  std::string file;
  MappedFile mapping;
  std::map<std::string, StoredView> arrays;
  std::map<std::string, std::string> metadata;
};

SafetensorsView::SafetensorsView(const std::filesystem::path& file,
                                 const SafetensorsViewOptions& options) try {
  const InputFile input(file, view_operation);
  const auto refuse = [&](const std::string& facts) {
    throw EnvironmentError(view_operation, file.string() + ": " + facts);
  };
  auto layout = detail::read_safetensors_layout(
      input, file.string(),
      {.bytes = options.max_header_bytes, .option = "SafetensorsViewOptions::max_header_bytes"},
      refuse);
  const auto state = std::make_shared<State>(file.string(), input);
  detail::StatedChecksum sum(layout.header, options.checksum, refuse);
  for (const auto& [name, entry] : layout.header.entries) {
    const auto begin = static_cast<std::size_t>(layout.data_begin + entry.offsets[0]);
    const auto size = static_cast<std::size_t>(entry.offsets[1] - entry.offsets[0]);
    const auto bytes = state->mapping.bytes().subspan(begin, size);
    if (sum.is_compared()) {
      sum.add(name, entry, bytes);
      state->mapping.drop(bytes);
    }
    auto& array = layout.arrays.at(name);
    const bool is_kept = array.obstacle.empty();
    state->arrays.emplace(
        name, StoredView{array.dtype, array.shape,
                         is_kept ? bytes : std::span<const std::uint8_t>(), array.obstacle});
  }
  sum.compare(refuse);
  state->metadata = detail::remarks_of(std::move(layout.header));
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(view_operation);
}

const std::map<std::string, StoredView>& SafetensorsView::arrays() const noexcept {
  return state_->arrays;
}

const std::map<std::string, std::string>& SafetensorsView::metadata() const noexcept {
  return state_->metadata;
}

StoredTensor SafetensorsView::read(const std::string& name) const try {
  auto array = copy_of(state_->at(name));
  detail::check_safetensors_bytes(name, array.dtype, array.bytes,
                                  [&](const std::string& facts) { state_->fail(facts); });
  return array;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(view_operation);
}

void SafetensorsView::read_into(const std::string& name, DType dtype,
                                std::span<std::uint8_t> elements) const {
  const StoredView& array = state_->at(name);
  const auto count = static_cast<std::size_t>(array.shape.count());
  if (!array.obstacle.empty() || elements.size() != count * info(dtype).bytes) {
    return convert_into(array, dtype, elements);  // It says what is wrong.
  }
  const std::size_t from = info(array.dtype).bytes;
  const std::size_t to = info(dtype).bytes;
  const std::size_t step = block_bytes / from;
  for (std::size_t begin = 0; begin < count; begin += step) {
    const std::size_t size = std::min(step, count - begin);
    const StoredView block{array.dtype, Shape{static_cast<std::int64_t>(size)},
                           array.bytes.subspan(begin * from, size * from)};
    detail::check_safetensors_bytes(name, block.dtype, block.bytes,
                                    [&](const std::string& facts) { state_->fail(facts); });
    convert_into(block, dtype, elements.subspan(begin * to, size * to));
    state_->mapping.drop(block.bytes);
  }
}

void SafetensorsView::drop(const std::string& name) const {
  state_->mapping.drop(state_->at(name).bytes);
}

}  // namespace ddx::io
