/// \file
/// Bundles of TensorFlow written by hand, to damage.

#pragma once

#include "ddx/io/crc32c.h"

#include "tests/support/temporary_folder.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace ddx::testing {

using Bytes = std::vector<std::uint8_t>;

inline void append(Bytes& to, const Bytes& what) {
  to.insert(to.end(), what.begin(), what.end());
}
inline Bytes little_endian(std::uint64_t value, int size) {
  Bytes bytes;
  for (int i = 0; i < size; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
  return bytes;
}
inline Bytes varint(std::uint64_t value) {
  Bytes bytes;
  for (; value >= 128; value >>= 7) {
    bytes.push_back(static_cast<std::uint8_t>(value | 128));
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
  return bytes;
}

/// A message of protocol buffers: its fields in order.
class WireMessage {
 public:
  WireMessage& number(int field, std::uint64_t value) {
    append(bytes_, varint(static_cast<std::uint64_t>(field) << 3));
    append(bytes_, varint(value));
    return *this;
  }
  WireMessage& fixed32(int field, std::uint32_t value) {
    append(bytes_, varint(static_cast<std::uint64_t>(field) << 3 | 5));
    append(bytes_, little_endian(value, 4));
    return *this;
  }
  WireMessage& message(int field, const WireMessage& value) {
    append(bytes_, varint(static_cast<std::uint64_t>(field) << 3 | 2));
    append(bytes_, varint(value.bytes_.size()));
    append(bytes_, value.bytes_);
    return *this;
  }
  [[nodiscard]] const Bytes& bytes() const noexcept { return bytes_; }

 private:
  Bytes bytes_;
};

using TableRows = std::vector<std::pair<std::string, Bytes>>;

/// A block of a table without its trailer: keys share nothing.
inline Bytes table_block(const TableRows& rows) {
  Bytes block;
  for (const auto& [key, value] : rows) {
    append(block, {0});
    append(block, varint(key.size()));
    append(block, varint(value.size()));
    block.insert(block.end(), key.begin(), key.end());
    append(block, value);
  }
  append(block, little_endian(0, 4));  // The first restart.
  append(block, little_endian(1, 4));
  return block;
}

/// As snappy compresses without finding anything: its length, then literals of up to 60 bytes.
inline Bytes snappy_literals(const Bytes& content) {
  Bytes packed = varint(content.size());
  for (std::size_t i = 0; i < content.size(); i += 60) {
    const auto count = std::min<std::size_t>(60, content.size() - i);
    packed.push_back(static_cast<std::uint8_t>((count - 1) << 2));
    packed.insert(packed.end(), content.begin() + static_cast<std::ptrdiff_t>(i),
                  content.begin() + static_cast<std::ptrdiff_t>(i + count));
  }
  return packed;
}

/// A file of blocks, then an index with the last key of each, and the footer.
class TableFile {
 public:
  /// Adds a block, compressed as `kind` says; where it is.
  Bytes add(const Bytes& block, std::uint8_t kind = 0) {
    const auto content = kind == 1 ? snappy_literals(block) : block;
    Bytes handle = varint(file_.size());
    append(handle, varint(content.size()));
    Bytes with_kind = content;
    with_kind.push_back(kind);
    append(file_, with_kind);
    append(file_, little_endian(io::masked_crc32c(with_kind), 4));
    return handle;
  }
  Bytes end(const TableRows& index, std::uint8_t kind = 0) && {
    Bytes footer = add(table_block({}), kind);
    append(footer, add(table_block(index), kind));
    footer.resize(40);
    append(footer, little_endian(0xDB4775248B80FB57, 8));
    append(file_, footer);
    return std::move(file_);
  }

 private:
  Bytes file_;
};

/// The content of a file that is a table of these blocks, each compressed as `kind` says.
inline Bytes table_file(const std::vector<TableRows>& blocks, std::uint8_t kind = 0) {
  TableFile file;
  TableRows index;
  for (const auto& rows : blocks) {
    index.emplace_back(rows.empty() ? "" : rows.back().first, file.add(table_block(rows), kind));
  }
  return std::move(file).end(index, kind);
}

/// The content of a file that is a table of one block, given by its bytes.
inline Bytes table_file_of_block(const Bytes& block) {
  TableFile file;
  const auto handle = file.add(block);
  return std::move(file).end({{"", handle}});
}

/// The header of a bundle with one data file.
inline WireMessage bundle_header() {
  return WireMessage().number(1, 1).message(3, WireMessage().number(1, 1));
}

/// An entry: the type, the extents, the place and the sum of the bytes.
inline WireMessage bundle_entry(std::uint64_t type, const std::vector<std::uint64_t>& extents,
                                std::uint64_t offset, const Bytes& data) {
  WireMessage shape;
  for (const auto extent : extents) {
    shape.message(2, WireMessage().number(1, extent));
  }
  return WireMessage()
      .number(1, type)
      .message(2, shape)
      .number(4, offset)
      .number(5, data.size())
      .fixed32(6, io::masked_crc32c(data));
}

/// A bundle of this index and data in the folder; its prefix.
inline std::filesystem::path write_bundle(const TemporaryFolder& folder, const Bytes& index,
                                          const Bytes& data) {
  (void)folder.write("a.index", index);
  (void)folder.write("a.data-00000-of-00001", data);
  return folder.path() / "a";
}

}  // namespace ddx::testing
