#include "ddx/core/mapped_file.h"

#include "ddx/core/input_file.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace ddx {

MappedFile::MappedFile(std::filesystem::path file, std::string operation)
    : MappedFile(InputFile(std::move(file), std::move(operation))) {}

MappedFile::MappedFile(const InputFile& file) {
  if (file.size() == 0) {
    return;  // The system maps no empty range.
  }
  if (file.size() > std::numeric_limits<std::size_t>::max()) {
    file.fail("too large to be mapped into memory");
  }
  const auto size = static_cast<std::size_t>(file.size());
  void* const begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (begin == MAP_FAILED) {
    file.fail(std::strerror(errno));
  }
  bytes_ = {static_cast<const std::uint8_t*>(begin), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
  }
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::drop(std::span<const std::uint8_t> part) const noexcept {
  if (part.empty()) {
    return;
  }
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  // The mapping begins with a page.
  const auto first = static_cast<std::size_t>(part.data() - bytes_.data());
  const auto begin = (first + page - 1) / page * page;
  // The last page of the file ends behind its last byte.
  const auto end =
      first + part.size() == bytes_.size() ? bytes_.size() : (first + part.size()) / page * page;
  if (begin < end) {
    // Advice: where the system does not take it, the pages stay.
    (void)::madvise(const_cast<std::uint8_t*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
  }
}

}  // namespace ddx
