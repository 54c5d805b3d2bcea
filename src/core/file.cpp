#include "ddx/core/file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"

#include <cerrno>
#include <cstdint>
#include <dirent.h>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace ddx {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

}  // namespace

std::vector<std::uint8_t> read_file(const std::filesystem::path& file, const std::string& operation,
                                    std::uint64_t limit) try {
  const InputFile input(file, operation);
  if (input.size() > limit) {
    input.fail(std::to_string(input.size()) + " bytes, at most " + std::to_string(limit) +
               " are accepted");
  }
  std::vector<std::uint8_t> bytes(input.size());
  input.read_at(0, bytes);
  return bytes;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(operation);
}

bool file_exists(const std::filesystem::path& file, const std::string& operation) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (std::filesystem::status_known(status)) {
    return std::filesystem::exists(status);
  }
  throw EnvironmentError(operation, "cannot read " + file.string() + ": " + error.message());
}

std::vector<std::filesystem::path> entries_of(const std::filesystem::path& folder,
                                              std::error_code& error) try {
  std::vector<std::filesystem::path> entries;
  error.clear();
  // Not std::filesystem::directory_iterator: libstdc++'s ends the process where memory runs out.
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.c_str()));
  while (opened) {
    errno = 0;
    const auto* const entry = ::readdir(opened.get());
    if (entry == nullptr) {
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      entries.push_back(folder / name);
    }
  }
  if (!opened || errno != 0) {
    error.assign(errno, std::system_category());
  }
  return entries;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("entries_of");
}

}  // namespace ddx
