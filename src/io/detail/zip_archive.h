/// \file
/// Reading zip archives, where the library was built with libzip.

#pragma once

#include "io/detail/refusal.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// A file within an archive.
struct ZipMember {
  std::string name;
  std::uint64_t size = 0;  ///< As the archive states it.
  bool is_stored = false;  ///< It is not compressed, so that it is no longer than the archive.
};

/// A zip archive in memory, which must stay there. `refuse` is called with what is wrong, and
/// throws.
class ZipArchive {
 public:
  /// Refuses bytes that are no archive whose directories agree. Without libzip refuses all.
  ZipArchive(std::span<const std::uint8_t> bytes, const Refusal& refuse);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  [[nodiscard]] const std::vector<ZipMember>& members() const noexcept { return members_; }

  /// The bytes of a member. Takes memory for the size that its entry states. Refuses one that is
  /// damaged (checksums are compared), encrypted, or not of this size.
  [[nodiscard]] std::vector<std::uint8_t> read(std::size_t number, const Refusal& refuse) const;

 private:
  struct Handle;
  std::unique_ptr<Handle> handle_;
  std::vector<ZipMember> members_;
};

}  // namespace ddx::io::detail
