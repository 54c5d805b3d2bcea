/// \file
/// Sorted tables of keys and values, as LevelDB and TensorFlow keep them in files.

#pragma once

#include "io/detail/refusal.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ddx::io::detail {

/// A row of a sorted table.
struct TableRow {
  std::string key;
  std::vector<std::uint8_t> value;
};

/// How a table is read.
struct TableOptions {
  bool verify_checksums = true;
  std::uint64_t max_bytes = UINT64_MAX;  ///< Of keys and values; a small table can grow.
  std::string option;                    ///< What sets the limit.
};

/// The rows of a table in the order of their keys, each key once. `refuse` is called with what is
/// wrong with the bytes, and throws.
///
/// A table is a sequence of blocks, an index (a block whose values say where the blocks are) and a
/// footer that says where the index is. In a block each key says how many bytes it shares with the
/// one before it. A block ends with its kind of compression and its checksum.
///
/// Source:  Google, "LevelDB: table format"
///          (https://github.com/google/leveldb/blob/main/doc/table_format.md).
[[nodiscard]] std::vector<TableRow> read_sorted_table(std::span<const std::uint8_t> bytes,
                                                      const TableOptions& options,
                                                      const Refusal& refuse);

}  // namespace ddx::io::detail
