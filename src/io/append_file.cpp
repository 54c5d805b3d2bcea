#include "ddx/io/append_file.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"

#include "io/detail/descriptor.h"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>

namespace ddx::io {

/// What is known of the open file.
struct AppendFile::State {
  std::filesystem::path file;
  std::string operation;
  detail::Descriptor descriptor;
  std::uint64_t size = 0;

  [[noreturn]] void fail(int error) const { detail::fail_writing(file, operation, error); }

  /// Leaves the first bytes, and stands behind them.
  [[nodiscard]] bool cut(std::uint64_t length) const noexcept {
    const auto end = static_cast<off_t>(length);
    return ::ftruncate(descriptor.number(), end) == 0 &&
           ::lseek(descriptor.number(), end, SEEK_SET) == end;
  }
};

AppendFile::AppendFile(std::filesystem::path file, std::string operation) try
    : state_(std::make_unique<State>(State{.file = std::move(file),
                                           .operation = std::move(operation),
                                           .descriptor = detail::Descriptor(-1)})) {
  state_->descriptor =
      detail::Descriptor(::open(state_->file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  const auto end =
      state_->descriptor.number() < 0 ? -1 : ::lseek(state_->descriptor.number(), 0, SEEK_END);
  if (end < 0) {
    state_->fail(errno);
  }
  state_->size = static_cast<std::uint64_t>(end);
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("open");
}

AppendFile::~AppendFile() = default;
AppendFile::AppendFile(AppendFile&& other) noexcept = default;
AppendFile& AppendFile::operator=(AppendFile&& other) noexcept = default;

std::uint64_t AppendFile::size() const noexcept {
  return state_->size;
}

void AppendFile::append(std::span<const std::uint8_t> bytes) try {
  if (!detail::write_all(state_->descriptor.number(), bytes)) {
    const int error = errno;
    (void)state_->cut(state_->size);
    state_->fail(error);
  }
  state_->size += bytes.size();
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(state_->operation);
}

void AppendFile::shorten(std::uint64_t size) try {
  if (size > state_->size) {
    throw UsageError(state_->operation, "cannot shorten " + state_->file.string() + " from " +
                                            std::to_string(state_->size) + " bytes to " +
                                            std::to_string(size));
  }
  if (!state_->cut(size)) {
    state_->fail(errno);
  }
  state_->size = size;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory(state_->operation);
}

}  // namespace ddx::io
