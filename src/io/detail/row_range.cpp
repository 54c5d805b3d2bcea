#include "io/detail/row_range.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"

#include "io/detail/json_value.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ddx::io::detail {

std::size_t first_element(const char* operation, const std::string& name, const Shape& shape,
                          const RowRange& rows, std::span<const std::uint8_t> memory) {
  const std::int64_t all = shape.rank() == 0 ? 0 : shape[0];
  const std::int64_t in_row = all == 0 ? 0 : shape.count() / all;
  const std::size_t row_bytes = static_cast<std::size_t>(in_row) * info(rows.dtype).bytes;
  const bool is_whole = row_bytes == 0 ? memory.empty() : memory.size() % row_bytes == 0;
  const auto count = row_bytes == 0 ? 0 : static_cast<std::int64_t>(memory.size() / row_bytes);
  if (!is_whole || rows.first_row < 0 || rows.first_row > all || count > all - rows.first_row) {
    throw UsageError(operation, "array " + json_quoted(name) + " has " + std::to_string(all) +
                                    " rows of " + std::to_string(row_bytes) + " bytes as " +
                                    std::string(to_string(rows.dtype)) + ", not " +
                                    std::to_string(memory.size()) + " bytes from row " +
                                    std::to_string(rows.first_row) + " on");
  }
  return static_cast<std::size_t>(rows.first_row * in_row);
}

}  // namespace ddx::io::detail
