#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/folder.h"
#include "ddx/io/weight_files.h"

#include "io/detail/prepared_file.h"
#include "io/detail/safetensors_bytes.h"
#include "io/detail/weight_index.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <filesystem>
#include <new>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

constexpr auto writing_weights = "write_weight_files";
constexpr std::string_view weights_suffix = ".safetensors";
/// As many as the five digits in the names of files can count.
constexpr std::size_t most_weight_files = 99999;

/// "00012".
std::string five_digits(std::size_t number) {
  const auto digits = std::to_string(number);
  return std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

/// Whether a file name is that of one of several files: "model-00001-of-00003.safetensors".
bool is_part_name(std::string_view name, std::string_view stem) {
  if (!name.starts_with(stem) || !name.ends_with(weights_suffix) ||
      name.size() < stem.size() + weights_suffix.size()) {
    return false;
  }
  name.remove_prefix(stem.size());
  name.remove_suffix(weights_suffix.size());
  constexpr std::string_view form = "-ddddd-of-ddddd";
  return std::equal(name.begin(), name.end(), form.begin(), form.end(), [](char c, char place) {
    return place == 'd' ? c >= '0' && c <= '9' : c == place;
  });
}

/// The arrays of each file, in the order of their names.
std::vector<detail::ArrayList> divided(const StoredTensors& arrays, std::uint64_t most_bytes) {
  std::vector<detail::ArrayList> files(1);
  std::uint64_t bytes = 0;
  for (const auto& array : arrays) {
    const std::uint64_t size = array.second.bytes.size();
    if (!files.back().empty() && (bytes > most_bytes || size > most_bytes - bytes)) {
      files.emplace_back();
      bytes = 0;
    }
    files.back().push_back(&array);
    bytes += size;
  }
  return files;
}

class WeightWriter {
 public:
  WeightWriter(const std::filesystem::path& folder, const TensorFile& content,
               const WeightFilesWriteOptions& options)
      : folder_(folder),
        options_(options),
        single_(options.stem + std::string(weights_suffix)),
        index_(single_ + ".index.json") {
    const auto files = divided(content.tensors, options.max_file_bytes);
    if (files.size() > most_weight_files) {
      throw UsageError(writing_weights, "files of " + std::to_string(options.max_file_bytes) +
                                            " bytes would be " + std::to_string(files.size()) +
                                            ", at most " + std::to_string(most_weight_files) +
                                            " have names");
    }
    std::vector<std::vector<std::uint8_t>> heads;  // Checks all before it writes one.
    for (const auto& arrays : files) {
      heads.push_back(
          detail::safetensors_head(arrays, content.metadata, options.checksum, writing_weights));
    }
    std::string index;
    if (files.size() > 1) {
      index = index_text(files);
    }
    prepare_folder(folder, writing_weights);
    for (std::size_t i = 0; i < files.size(); ++i) {
      const auto name = name_of(i, files.size());
      names_.insert(name);
      prepared_.emplace_back(folder_ / name, detail::safetensors_parts(heads[i], files[i]),
                             writing_weights);
    }
    if (files.size() > 1) {
      names_.insert(index_);
      const auto* const text = reinterpret_cast<const std::uint8_t*>(index.data());
      prepared_.emplace_back(folder_ / index_, detail::FileParts{{text, index.size()}},
                             writing_weights);
    }
  }

  /// Gives the files their names, the index last, and removes those of earlier calls.
  void publish() {
    const bool replaces_parts = std::any_of(names_.begin(), names_.end(), [&](const auto& name) {
      return is_part_name(name, options_.stem) && file_exists(folder_ / name, writing_weights);
    });
    if (replaces_parts) {
      remove(index_);  // While it is there, it would list files of both.
    }
    for (auto& file : prepared_) {
      file.publish();
    }
    if (!names_.contains(index_)) {
      remove(index_);
    }
    if (!names_.contains(single_)) {
      remove(single_);
    }
    std::error_code error;
    for (const auto& entry : entries_of(folder_, error)) {
      const auto name = entry.filename().string();
      if (is_part_name(name, options_.stem) && !names_.contains(name)) {
        remove(name);
      }
    }
    if (error) {
      throw EnvironmentError(writing_weights,
                             "cannot read " + folder_.string() + ": " + error.message());
    }
  }

 private:
  [[nodiscard]] std::string name_of(std::size_t number, std::size_t count) const {
    return count == 1 ? single_
                      : options_.stem + "-" + five_digits(number + 1) + "-of-" +
                            five_digits(count) + std::string(weights_suffix);
  }

  [[nodiscard]] std::string index_text(const std::vector<detail::ArrayList>& files) const {
    detail::WeightMap map;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < files.size(); ++i) {
      for (const auto* const array : files[i]) {
        map.emplace(array->first, name_of(i, files.size()));
        total += array->second.bytes.size();
      }
    }
    return detail::weight_index_text(map, total, writing_weights);
  }

  void remove(const std::string& name) const {
    const auto file = folder_ / name;
    if (::unlink(file.c_str()) == 0) {
      detail::sync_folder_of(file);
    } else if (errno != ENOENT) {
      throw EnvironmentError(writing_weights,
                             "cannot remove " + file.string() + ": " + std::strerror(errno));
    }
  }

  std::filesystem::path folder_;
  const WeightFilesWriteOptions& options_;
  std::string single_;
  std::string index_;
  std::set<std::string> names_;
  std::deque<detail::PreparedFile> prepared_;
};

}  // namespace

void write_weight_files(const std::filesystem::path& folder, const TensorFile& content,
                        const WeightFilesWriteOptions& options) try {
  if (options.stem.empty() || options.stem.find('/') != std::string::npos ||
      options.stem.find('\0') != std::string::npos) {
    throw UsageError(writing_weights, "the stem is empty or no file name");
  }
  if (options.max_file_bytes == 0) {
    throw UsageError(writing_weights, "WeightFilesWriteOptions::max_file_bytes is 0");
  }
  WeightWriter(folder, content, options).publish();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(writing_weights);
}

}  // namespace ddx::io
