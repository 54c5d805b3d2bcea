#include "io/detail/sorted_table.h"

#include "ddx/core/error.h"
#include "ddx/io/crc32c.h"
#include "ddx/io/tensor_bundle.h"

#include "io/detail/content_limit.h"
#include "io/detail/refusal.h"
#include "io/detail/snappy.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ddx::io::detail {
namespace {

using ByteView = std::span<const std::uint8_t>;

constexpr std::size_t footer_size = 48;
constexpr std::uint64_t table_magic = 0xDB4775248B80FB57;
constexpr std::size_t trailer_size = 5;
constexpr std::uint8_t plain = 0;
constexpr std::uint8_t snappy = 1;
/// Keys share what came before: a bound on what a small file can grow to.
constexpr std::size_t longest_key = std::size_t{1} << 16;

std::uint64_t fixed(ByteView bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | bytes[i];
  }
  return value;
}

/// Reads numbers one after the other, each in groups of seven bits, lowest first.
class Numbers {
 public:
  Numbers(ByteView bytes, const Refusal& refuse) : bytes_(bytes), refuse_(refuse) {}

  [[nodiscard]] bool at_end() const noexcept { return place_ == bytes_.size(); }

  std::uint64_t next() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && place_ < bytes_.size(); shift += 7) {
      const std::uint64_t byte = bytes_[place_++];
      value |= (byte & 127) << shift;
      if (byte < 128) {
        return value;
      }
    }
    refuse_("a number in the table has no end");
    return 0;
  }

  ByteView take(std::uint64_t size) {
    if (size > bytes_.size() - place_) {
      refuse_("a key or value of " + std::to_string(size) + " bytes reaches beyond its block");
    }
    const auto taken = bytes_.subspan(place_, static_cast<std::size_t>(size));
    place_ += taken.size();
    return taken;
  }

 private:
  ByteView bytes_;
  const Refusal& refuse_;
  std::size_t place_ = 0;
};

/// Where a block lies in the file, without its trailer.
struct Handle {
  std::uint64_t offset;
  std::uint64_t size;
};

class Table {
 public:
  Table(ByteView bytes, const TableOptions& options, const Refusal& refuse)
      : bytes_(bytes), options_(options), refuse_(refuse) {}

  std::vector<TableRow> rows() {
    std::vector<TableRow> result;
    for (const auto& entry : rows_of(index())) {
      Numbers numbers(entry.value, refuse_);
      for (auto& row : rows_of(handle(numbers))) {
        // Also keeps several entries of the index from leading to one block.
        if (!result.empty() && row.key <= result.back().key) {
          refuse_("the keys of the table are not in ascending order");
        }
        result.push_back(std::move(row));
      }
    }
    return result;
  }

 private:
  static Handle handle(Numbers& numbers) {
    const auto offset = numbers.next();
    return {.offset = offset, .size = numbers.next()};
  }

  Handle index() const {
    if (bytes_.size() < footer_size) {
      refuse_("has " + std::to_string(bytes_.size()) + " bytes, a table has " +
              std::to_string(footer_size) + " or more");
    }
    const auto footer = bytes_.last(footer_size);
    if (fixed(footer.last(8)) != table_magic) {
      refuse_("does not end as a table");
    }
    Numbers numbers(footer.first(footer_size - 8), refuse_);
    (void)handle(numbers);  // Of the block that describes filters.
    return handle(numbers);
  }

  std::vector<std::uint8_t> block(const Handle& at) const {
    const auto where = "the block at byte " + std::to_string(at.offset);
    const auto size = bytes_.size();
    if (at.offset > size || at.size > size - at.offset ||
        trailer_size > size - at.offset - at.size) {
      refuse_(where + " of " + std::to_string(at.size) + " bytes reaches beyond the file");
    }
    const auto content = bytes_.subspan(at.offset, at.size);
    const auto kind = bytes_[at.offset + at.size];
    if (options_.verify_checksums && masked_crc32c(bytes_.subspan(at.offset, at.size + 1)) !=
                                         fixed(bytes_.subspan(at.offset + at.size + 1, 4))) {
      refuse_(where + " is damaged: its checksum differs");
    }
    if (kind == plain) {
      return {content.begin(), content.end()};
    }
    if (kind != snappy) {
      refuse_(where + " is compressed in a way of number " + std::to_string(kind) +
              "; 0 (not) and 1 (snappy) are supported");
    }
    if (!has_snappy()) {
      refuse_(where + " is compressed; this ddx was built without snappy");
    }
    auto unpacked = unpacked_snappy(content);
    if (!unpacked) {
      refuse_(where + " is damaged: snappy cannot decompress it");
    }
    return std::move(*unpacked);
  }

  std::vector<TableRow> rows_of(const Handle& at) {
    const auto content = block(at);
    const ByteView bytes(content);
    // Behind the rows: where keys share nothing, each 4 bytes, and how many of these there are.
    const auto restarts = bytes.size() < 4 ? 0 : fixed(bytes.last(4));
    if (bytes.size() < 4 || restarts > (bytes.size() - 4) / 4) {
      refuse_("the block at byte " + std::to_string(at.offset) + " is too short");
    }
    Numbers numbers(bytes.first(bytes.size() - 4 - 4 * static_cast<std::size_t>(restarts)),
                    refuse_);
    std::vector<TableRow> rows;
    std::string key;
    while (!numbers.at_end()) {
      const auto shared = numbers.next();
      const auto own = numbers.next();
      const auto size = numbers.next();
      if (shared > key.size() || own > longest_key - shared) {
        refuse_("a key shares " + std::to_string(shared) + " bytes and adds " +
                std::to_string(own) + ", the one before has " + std::to_string(key.size()));
      }
      key.resize(static_cast<std::size_t>(shared));
      const auto added = numbers.take(own);
      key.append(added.begin(), added.end());
      const auto value = numbers.take(size);
      count_bytes(sizeof(TableRow) + key.size() + value.size());
      rows.push_back({key, {value.begin(), value.end()}});
    }
    return rows;
  }

  void count_bytes(std::uint64_t more) {
    total_ += more;
    if (total_ > options_.max_bytes) {
      refuse_("its rows take " + beyond_limit(options_.max_bytes, bytes_.size(), options_.option));
    }
  }

  ByteView bytes_;
  const TableOptions& options_;
  const Refusal& refuse_;
  std::uint64_t total_ = 0;
};

}  // namespace

std::vector<TableRow> read_sorted_table(std::span<const std::uint8_t> bytes,
                                        const TableOptions& options, const Refusal& refuse) {
  return Table(bytes, options, refuse).rows();
}

}  // namespace ddx::io::detail
