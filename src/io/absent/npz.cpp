// Stands in for src/io/npz.cpp where libzip was not there to build with.

#include "ddx/io/npz.h"

#include "ddx/core/error.h"
#include "ddx/io/stored_tensor.h"

#include <filesystem>
#include <string>

namespace ddx::io {
namespace {

[[noreturn]] void fail(const std::string& operation, const std::filesystem::path& file) {
  throw EnvironmentError(operation, file.string() + ": this ddx was built without libzip");
}

}  // namespace

bool has_npz() noexcept {
  return false;
}

StoredTensors read_npz(const std::filesystem::path& file) {
  fail("read_npz", file);
}

void write_npz(const std::filesystem::path& file, const StoredTensors&, const NpzWriteOptions&) {
  fail("write_npz", file);
}

}  // namespace ddx::io
