#include "ddx/io/weight_files.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/safetensors_view.h"
#include "ddx/io/stored_conversion.h"
#include "ddx/io/stored_tensor.h"
#include "ddx/io/stored_view.h"

#include "io/detail/json_value.h"
#include "io/detail/stored_shape.h"
#include "io/detail/weight_index.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
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
  auto single = path / "model.safetensors";
  auto index = path / "model.safetensors.index.json";
  const bool has_single = file_exists(single, weights_operation);
  const bool has_index = file_exists(index, weights_operation);
  if (has_single && has_index) {
    fail_weights(path, "has both model.safetensors and model.safetensors.index.json");
  }
  if (!has_single && !has_index) {
    fail_weights(path, "has neither model.safetensors nor model.safetensors.index.json");
  }
  return has_single ? single : index;
}

}  // namespace

struct WeightFiles::State {
  std::filesystem::path path;
  std::vector<std::filesystem::path> files;
  std::vector<SafetensorsView> views;  // Of the files.
  StoredTensors given;
  std::map<std::string, StoredView> arrays;
  std::map<std::string, std::size_t> file_numbers;

  void add(const std::filesystem::path& file, const WeightFilesOptions& options) {
    views.emplace_back(file, SafetensorsViewOptions{.checksum = options.checksum,
                                                    .max_header_bytes = options.max_header_bytes});
    files.push_back(file);
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
      number = views.size();
      add(place, options);
    }
    for (const auto& [name, file] : listed) {
      const auto number = numbers.at(file);
      const auto& held = views[number].arrays();
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
      for (const auto& [name, array] : views[number].arrays()) {
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

  /// The array where it was given, nothing where it lies in a file.
  [[nodiscard]] const StoredView* given_array(const std::string& name) const {
    return given.contains(name) ? &arrays.at(name) : nullptr;
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
    state->arrays = state->views[0].arrays();
    for (const auto& [name, array] : state->arrays) {
      state->file_numbers.emplace(name, 0);
    }
  }
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(weights_operation);
}

WeightFiles::WeightFiles(StoredTensors arrays) try {
  const auto state = std::make_shared<State>();
  state->given = std::move(arrays);
  for (const auto& [name, array] : state->given) {
    if (array.obstacle.empty()) {
      const std::string quoted = "array " + detail::json_quoted(name);
      detail::check_byte_count(array, weights_operation, quoted);
      detail::check_truth_values(array, [&](const std::string& facts) {
        throw UsageError(weights_operation, quoted + ": " + facts);
      });
    }
    state->arrays.emplace(name, view_of(array));
  }
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
  if (state_->given_array(name) != nullptr) {
    throw UsageError(weights_operation,
                     "array " + detail::json_quoted(name) + " was given, it has no file");
  }
  return state_->files[state_->number_of(name)];
}

StoredTensor WeightFiles::read(const std::string& name) const try {
  const auto* const given = state_->given_array(name);
  return given != nullptr ? copy_of(*given) : state_->views[state_->number_of(name)].read(name);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(weights_operation);
}

void WeightFiles::read_into(const std::string& name, DType dtype,
                            std::span<std::uint8_t> elements) const {
  if (const auto* const given = state_->given_array(name)) {
    return convert_into(*given, dtype, elements);
  }
  state_->views[state_->number_of(name)].read_into(name, dtype, elements);
}

void WeightFiles::drop(const std::string& name) const {
  if (state_->given_array(name) == nullptr) {
    state_->views[state_->number_of(name)].drop(name);
  }
}

}  // namespace ddx::io
