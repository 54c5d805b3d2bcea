#include "ddx/io/weight_files.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/gguf_view.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include "io/detail/json_value.h"
#include "io/detail/stored_shape.h"
#include "io/detail/weight_index.h"
#include "io/detail/weight_source.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

constexpr auto weights_operation = "WeightFiles";

[[noreturn]] void fail_weights(const std::filesystem::path& file, const std::string& facts) {
  throw EnvironmentError(weights_operation, file.string() + ": " + facts);
}

/// The file or the index that a path denotes.
std::filesystem::path weights_at(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    return path;  // If the system refuses to look, it refuses to open.
  }
  for (const std::string name : {"model.safetensors", "pytorch_model.bin"}) {
    auto single = path / name;
    auto index = path / (name + ".index.json");
    const bool has_single = file_exists(single, weights_operation);
    const bool has_index = file_exists(index, weights_operation);
    if (has_single && has_index) {
      fail_weights(path, "has both " + name + " and " + name + ".index.json");
    }
    if (has_single || has_index) {
      return has_single ? single : index;
    }
  }
  fail_weights(path, "has neither model.safetensors nor pytorch_model.bin, nor an index of them");
}

}  // namespace

struct WeightFiles::State {
  std::filesystem::path path;
  std::vector<std::filesystem::path> files;
  std::vector<detail::WeightSource> sources;  // The files, or what was given.
  std::map<std::string, StoredView> arrays;
  std::map<std::string, std::size_t> file_numbers;

  void add(const std::filesystem::path& file, const WeightFilesOptions& options) {
    sources.emplace_back(file, options);
    files.push_back(file);
  }

  /// Takes the arrays of the only source.
  void take_all() {
    arrays = sources.front().arrays();
    for (const auto& [name, array] : arrays) {
      file_numbers.emplace(name, 0);
    }
  }

  void open_index(const std::filesystem::path& index, const WeightFilesOptions& options) {
    const auto text = read_file(index, weights_operation, options.max_index_bytes);
    const auto listed = detail::parse_weight_index(
        text, [&](const std::string& facts) { fail_weights(index, facts); });
    std::map<std::string, std::size_t> numbers;  // Of the files, in their order.
    for (const auto& [name, file] : listed) {
      numbers.emplace(file, 0);
    }
    for (auto& [file, number] : numbers) {
      const auto place = index.parent_path() / file;
      if (!file_exists(place, weights_operation)) {
        fail_weights(index, "lists " + detail::json_quoted(file) + ", which is missing");
      }
      number = sources.size();
      add(place, options);
    }
    for (const auto& [name, file] : listed) {
      const auto number = numbers.at(file);
      const auto& held = sources[number].arrays();
      const auto found = held.find(name);
      if (found == held.end()) {
        fail_weights(files[number], "has no array " + detail::json_quoted(name) + ", which " +
                                        index.filename().string() + " lists there");
      }
      arrays.emplace(name, found->second);
      file_numbers.emplace(name, number);
    }
    check_that_all_are_listed(index);
  }

  void check_that_all_are_listed(const std::filesystem::path& index) const {
    for (std::size_t number = 0; number < files.size(); ++number) {
      for (const auto& [name, array] : sources[number].arrays()) {
        const auto found = file_numbers.find(name);
        if (found == file_numbers.end()) {
          fail_weights(files[number], "has array " + detail::json_quoted(name) + ", which " +
                                          index.filename().string() + " does not list");
        }
        if (found->second != number) {
          fail_weights(files[number], "has array " + detail::json_quoted(name) + ", which " +
                                          index.filename().string() + " lists in " +
                                          files[found->second].filename().string());
        }
      }
    }
  }

  [[nodiscard]] std::size_t number_of(const std::string& name) const {
    const auto found = file_numbers.find(name);
    if (found == file_numbers.end()) {
      const bool was_read = !path.empty();
      throw UsageError(weights_operation, (was_read ? path.string() + " has no array "
                                                    : "no array that was given is called ") +
                                              detail::json_quoted(name));
    }
    return found->second;
  }
};

WeightFiles::WeightFiles(const std::filesystem::path& path, const WeightFilesOptions& options) try {
  const auto state = std::make_shared<State>();
  state->path = path;
  const auto file = weights_at(path);
  if (file.extension() == ".json") {
    state->open_index(file, options);
  } else {
    state->add(file, options);
    state->take_all();
  }
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(weights_operation);
}

WeightFiles::WeightFiles(StoredTensors arrays) try {
  const auto state = std::make_shared<State>();
  for (const auto& [name, array] : arrays) {
    if (array.obstacle.empty()) {
      const std::string quoted = "array " + detail::json_quoted(name);
      detail::check_byte_count(array, weights_operation, quoted);
      detail::check_truth_values(array, [&](const std::string& facts) {
        throw UsageError(weights_operation, quoted + ": " + facts);
      });
    }
  }
  state->sources.emplace_back(std::move(arrays));
  state->take_all();
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(weights_operation);
}

WeightFiles::WeightFiles(const GgufView& file) try {
  const auto state = std::make_shared<State>();
  state->path = file.file();
  state->files.push_back(file.file());
  state->sources.emplace_back(file);
  state->take_all();
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(weights_operation);
}

const std::map<std::string, StoredView>& WeightFiles::arrays() const noexcept {
  return state_->arrays;
}

const std::vector<std::filesystem::path>& WeightFiles::files() const noexcept {
  return state_->files;
}

const std::filesystem::path& WeightFiles::file_of(const std::string& name) const {
  const std::size_t number = state_->number_of(name);
  if (state_->files.empty()) {
    throw UsageError(weights_operation,
                     "array " + detail::json_quoted(name) + " was given, it has no file");
  }
  return state_->files[number];
}

const detail::WeightSource& WeightFiles::source(const std::string& name) const {
  return state_->sources[state_->number_of(name)];
}

StoredTensor WeightFiles::read(const std::string& name) const {
  return source(name).read(name);
}

void WeightFiles::read_into(const std::string& name, DType dtype,
                            std::span<std::uint8_t> elements) const {
  source(name).read_into(name, dtype, elements);
}

void WeightFiles::read_rows_into(const std::string& name, std::int64_t first_row, DType dtype,
                                 std::span<std::uint8_t> elements) const {
  source(name).read_rows_into(name, first_row, dtype, elements);
}

std::optional<int> WeightFiles::group_bits(const std::string& name) const {
  return source(name).group_bits(name);
}

void WeightFiles::read_groups(const std::string& name, std::int64_t first_group,
                              std::span<std::uint8_t> numbers,
                              std::span<std::uint8_t> scales) const {
  source(name).read_groups(name, first_group, numbers, scales);
}

void WeightFiles::drop(const std::string& name) const {
  source(name).drop(name);
}

}  // namespace ddx::io
