#include "ddx/data/detail/picture_files.h"

#include "ddx/core/error.h"
#include "ddx/io/image.h"
#include "ddx/io/jpeg.h"
#include "ddx/io/png.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
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

template <class Choose>
std::vector<std::filesystem::path> chosen_in(const std::filesystem::path& folder,
                                             const std::string& operation, const Choose& choose) {
  std::vector<std::filesystem::path> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (choose(*entry)) {
      found.push_back(entry->path());
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
  return chosen_in(folder, operation, [](const auto& entry) { return entry.is_directory(); });
}

std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder,
                                               const std::string& operation) {
  return chosen_in(folder, operation, [](const auto& entry) {
    const auto ending = ending_of(entry.path());
    return entry.is_regular_file() && (ending == ".jpg" || ending == ".jpeg" || ending == ".png");
  });
}

io::Image read_picture(const std::filesystem::path& file) {
  return ending_of(file) == ".png" ? io::read_png(file) : io::read_jpeg(file);
}

}  // namespace ddx::data::detail
