// Stands in for src/io/npz.cpp where libzip was not there to build with.

#include "ddx/io/npz.h"

#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"

#include <filesystem>
#include <string>

namespace ddx::io {
namespace {

[[noreturn]] void fail_without_zip(const std::string& operation,
                                   const std::filesystem::path& file) {
  throw EnvironmentError(operation, file.string() + ": this ddx was built without libzip");
}

}  // namespace

bool has_npz() noexcept {
  return false;
}

StoredTensors read_npz(const std::filesystem::path& file, const NpzReadOptions&) {
  fail_without_zip("read_npz", file);
}

void write_npz(const std::filesystem::path& file, const StoredTensors&, const NpzWriteOptions&) {
  fail_without_zip("write_npz", file);
}

}  // namespace ddx::io
