#include "ddx/core/input_file.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace ddx {

struct InputFile::State {
  State(std::filesystem::path path, std::string reader)
      : file(std::move(path)), operation(std::move(reader)) {}
  ~State() {
    if (descriptor >= 0) {
      ::close(descriptor);
    }
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  std::filesystem::path file;
  std::string operation;
  int descriptor = -1;
  std::uint64_t size = 0;
};

InputFile::InputFile(std::filesystem::path file, std::string operation) {
  auto state = std::make_unique<State>(std::move(file), std::move(operation));
  // Without O_NONBLOCK a pipe would wait for its writer.
  state->descriptor = ::open(state->file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat status{};
  const bool is_open = state->descriptor >= 0 && ::fstat(state->descriptor, &status) == 0;
  const int error = errno;
  state->size = is_open ? static_cast<std::uint64_t>(status.st_size) : 0;
  state_ = std::move(state);
  if (!is_open) {
    fail(error == ENOENT ? "no such file" : std::strerror(error));
  }
  if (!S_ISREG(status.st_mode)) {
    fail("not a regular file");
  }
}

InputFile::~InputFile() = default;
InputFile::InputFile(InputFile&& other) noexcept = default;
InputFile& InputFile::operator=(InputFile&& other) noexcept = default;

std::uint64_t InputFile::size() const noexcept {
  return state_->size;
}

int InputFile::descriptor() const noexcept {
  return state_->descriptor;
}

void InputFile::read_at(std::uint64_t offset, std::span<std::uint8_t> into) const {
  // Linux reads no more at once.
  constexpr std::size_t most_at_once = std::size_t{1} << 30;
  while (!into.empty()) {
    const auto count = ::pread(state_->descriptor, into.data(), std::min(into.size(), most_at_once),
                               static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      fail(std::strerror(errno));
    }
    if (count == 0) {
      fail("ends at byte " + std::to_string(offset) + " of " + std::to_string(size()));
    }
    offset += static_cast<std::uint64_t>(count);
    into = into.subspan(static_cast<std::size_t>(count));
  }
}

void InputFile::fail(const std::string& reason) const {
  throw EnvironmentError(state_->operation, "cannot read " + state_->file.string() + ": " + reason);
}

}  // namespace ddx
