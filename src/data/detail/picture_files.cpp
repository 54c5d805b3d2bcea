#include "ddx/data/detail/picture_files.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::data::detail {
namespace {

/// The ending of a name in small letters: ".jpg".
std::string ending_of(const std::filesystem::path& file) {
  auto ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return ending;
}

using IsOfType = bool (*)(std::filesystem::file_status) noexcept;

/// The entries of this type whose name `choose` takes, sorted.
template <class Choose>
std::vector<std::filesystem::path> chosen_in(const std::filesystem::path& folder,
                                             const std::string& operation, IsOfType is_of_type,
                                             const Choose& choose) {
  std::error_code error;
  std::vector<std::filesystem::path> found;
  for (auto& entry : entries_of(folder, error)) {
    if (!choose(entry)) {
      continue;
    }
    std::error_code unknown;
    const auto status = std::filesystem::status(entry, unknown);
    if (!std::filesystem::status_known(status)) {
      throw EnvironmentError(operation, "cannot read " + entry.string() + ": " + unknown.message());
    }
    if (is_of_type(status)) {
      found.push_back(std::move(entry));
    }
  }
  if (error) {
    throw EnvironmentError(operation,
                           "cannot read folder " + folder.string() + ": " + error.message());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder,
                                              const std::string& operation) {
  return chosen_in(folder, operation, std::filesystem::is_directory,
                   [](const auto&) { return true; });
}

std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder,
                                               const std::string& operation) {
  return chosen_in(folder, operation, std::filesystem::is_regular_file, [](const auto& entry) {
    const auto ending = ending_of(entry);
    return ending == ".jpg" || ending == ".jpeg" || ending == ".png";
  });
}

bool is_jpeg_name(const std::filesystem::path& file) {
  const auto ending = ending_of(file);
  return ending == ".jpg" || ending == ".jpeg";
}

io::Image read_picture(const std::filesystem::path& file) {
  return ending_of(file) == ".png" ? io::read_png(file) : io::read_jpeg(file);
}

}  // namespace ddx::data::detail
