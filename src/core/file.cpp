#include "ddx/core/file.h"

#include "ddx/core/error.h"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace ddx {
namespace {

struct CloseFile {
  void operator()(std::FILE* stream) const noexcept { std::fclose(stream); }
};

[[noreturn]] void fail(const std::string& operation, const std::filesystem::path& file,
                       const std::string& reason) {
  throw EnvironmentError(operation, "cannot read " + file.string() + ": " + reason);
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::filesystem::path& file, const std::string& operation,
                                    std::uint64_t limit) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    fail(operation, file, "no such file");
  }
  if (!error && !std::filesystem::is_regular_file(status)) {
    fail(operation, file, "not a regular file");
  }
  const auto size = std::filesystem::file_size(file, error);
  if (error) {
    fail(operation, file, error.message());
  }
  if (size > limit) {
    fail(operation, file,
         std::to_string(size) + " bytes, at most " + std::to_string(limit) + " are accepted");
  }
  const std::unique_ptr<std::FILE, CloseFile> stream(std::fopen(file.c_str(), "rb"));
  if (!stream) {
    fail(operation, file, std::strerror(errno));
  }
  std::vector<std::uint8_t> bytes(size);
  const auto count = std::fread(bytes.data(), 1, bytes.size(), stream.get());
  if (count != bytes.size()) {
    fail(operation, file,
         "ends at byte " + std::to_string(count) + " of " + std::to_string(bytes.size()));
  }
  return bytes;
}

}  // namespace ddx
