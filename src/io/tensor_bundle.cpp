#include "ddx/io/tensor_bundle.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/crc32c.h"
#include "ddx/io/stored_tensor.h"

#include "io/detail/bundle_index.h"
#include "io/detail/content_limit.h"
#include "io/detail/sorted_table.h"
#include "io/detail/stored_shape.h"
#include "io/detail/wire_reader.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace ddx::io {
namespace {

constexpr auto operation = "TensorBundle";
constexpr std::uint64_t largest_index = std::uint64_t{1} << 30;
/// The version of the format that this reader knows.
constexpr std::uint64_t version = 1;
/// As many as the five digits in the names of files can count.
constexpr std::uint64_t most_shards = 99999;

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& facts) {
  throw EnvironmentError(operation, file.string() + ": " + facts);
}

/// "a" for the name in a message: as it is, except for what cannot be shown.
std::string quoted(const std::string& name) {
  return "\"" + detail::printable(name) + "\"";
}

/// `count` bytes of a file from an offset.
std::vector<std::uint8_t> read_range(const std::filesystem::path& file, std::uint64_t offset,
                                     std::uint64_t count, const std::string& name) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  if (error) {
    fail(file, "cannot be read: " + error.message());
  }
  if (offset > size || count > size - offset) {
    fail(file, "has " + std::to_string(size) + " bytes, array " + quoted(name) + " takes " +
                   std::to_string(count) + " from byte " + std::to_string(offset));
  }
  std::vector<std::uint8_t> bytes(count);
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  if (!stream) {
    fail(file, "cannot be read");
  }
  return bytes;
}

}  // namespace

struct TensorBundle::State {
  std::string prefix;
  BundleOptions options;
  std::uint64_t shards = 0;
  std::map<std::string, BundleEntry> entries;
  std::map<std::string, detail::BundleRecord> records;

  [[nodiscard]] std::filesystem::path shard(std::uint64_t number) const {
    const auto digits = [](std::uint64_t n) {
      const auto text = std::to_string(n);
      return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
    };
    return prefix + ".data-" + digits(number) + "-of-" + digits(shards);
  }
};

TensorBundle::TensorBundle(const std::filesystem::path& prefix, const BundleOptions& options) try {
  const auto state = std::make_shared<State>();
  state->prefix = prefix.string();
  state->options = options;
  const std::filesystem::path file = prefix.string() + ".index";
  const auto bytes = read_file(file, operation, largest_index);
  const auto refuse = [&](const std::string& facts) { fail(file, facts); };
  const detail::TableOptions table{
      .verify_checksums = options.verify_checksums,
      .max_bytes = detail::content_limit(options.max_index_bytes, bytes.size()),
      .option = "BundleOptions::max_index_bytes"};
  for (const auto& row : detail::read_sorted_table(bytes, table, refuse)) {
    // Offsets in messages are those within the entry of this name.
    const detail::WireReader reader(operation, file.string() + ", entry " + quoted(row.key),
                                    row.value);
    if (row.key.empty()) {
      const auto header = detail::read_bundle_header(reader);
      if (header.big_endian) {
        refuse("its elements are big-endian");
      }
      if (header.min_consumer > version) {
        refuse("is for readers of version " + std::to_string(header.min_consumer) +
               " or later, this is " + std::to_string(version));
      }
      if (header.shards < 1 || header.shards > most_shards) {
        refuse("names " + std::to_string(header.shards) + " data files");
      }
      state->shards = header.shards;
    } else if (row.key[0] != '\0') {  // Names of slices begin so; their array's entry names them.
      auto record = detail::read_bundle_record(reader);
      state->entries.emplace(row.key, record.entry);
      state->records.emplace(row.key, std::move(record));
    }
  }
  if (state->shards == 0) {
    refuse("has no header");
  }
  state_ = state;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBundle");
}

const std::map<std::string, BundleEntry>& TensorBundle::entries() const noexcept {
  return state_->entries;
}

StoredTensor TensorBundle::read(const std::string& name) const try {
  const auto found = state_->records.find(name);
  if (found == state_->records.end()) {
    throw UsageError(operation, state_->prefix + " has no array " + quoted(name));
  }
  const auto& record = found->second;
  const auto refuse = [&](const std::string& facts) {
    fail(state_->prefix, "array " + quoted(name) + ": " + facts);
  };
  if (!record.entry.obstacle.empty()) {
    refuse(record.entry.obstacle);
  }
  if (record.shard >= state_->shards) {
    refuse("lies in data file " + std::to_string(record.shard) + " of " +
           std::to_string(state_->shards));
  }
  const auto dtype = *record.entry.dtype;
  StoredTensor array{
      .dtype = dtype,
      .shape = detail::stored_shape(record.extents, info(dtype).bytes, record.size, refuse),
      .bytes = {}};
  array.bytes = read_range(state_->shard(record.shard), record.offset, record.size, name);
  if (state_->options.verify_checksums && masked_crc32c(array.bytes) != record.checksum) {
    refuse("is damaged: its checksum differs");
  }
  detail::check_truth_values(array, refuse);
  return array;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("TensorBundle");
}

StoredTensors TensorBundle::read_all() const try {
  StoredTensors arrays;
  for (const auto& [name, entry] : state_->entries) {
    if (entry.obstacle.empty()) {
      arrays.emplace(name, read(name));
    }
  }
  return arrays;
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_all");
}

}  // namespace ddx::io
