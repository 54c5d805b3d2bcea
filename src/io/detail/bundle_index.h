/// \file
/// The messages in the index of a bundle.

#pragma once

#include "ddx/io/tensor_bundle.h"

#include "io/detail/refusal.h"
#include "io/detail/wire_reader.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ddx::io::detail {

/// What stands under the empty key.
struct BundleHeader {
  std::uint64_t shards = 0;
  bool big_endian = false;
  std::uint64_t min_consumer = 0;  ///< The earliest version of readers that can read it.
};

/// What stands under a name: the entry, and where its elements are.
struct BundleRecord {
  BundleEntry entry;
  std::vector<std::uint64_t> extents;
  std::uint64_t shard = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t checksum = 0;
};

/// Throws: EnvironmentError where the message breaks the format.
[[nodiscard]] BundleHeader read_bundle_header(WireReader reader);
/// Throws: EnvironmentError where the message breaks the format.
[[nodiscard]] BundleRecord read_bundle_record(WireReader reader);

}  // namespace ddx::io::detail
