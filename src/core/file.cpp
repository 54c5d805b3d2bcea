#include "ddx/core/file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/input_file.h"

#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>
#include <vector>

namespace ddx {
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
  // The loop over a range would throw where it goes on.
  for (std::filesystem::directory_iterator entry(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    entries.push_back(entry->path());
  }
  return entries;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("entries_of");
}

}  // namespace ddx
