#include "ddx/train/csv_log.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/detail/lines.h"
#include "ddx/io/append_file.h"
#include "ddx/train/record.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ddx::train {
namespace {

constexpr std::string_view first_columns = "epoch,step";

[[noreturn]] void fail(const std::filesystem::path& file, std::size_t line,
                       const std::string& facts) {
  throw EnvironmentError("CsvLog", file.string() + ", line " + std::to_string(line) + ": " + facts);
}

std::vector<std::string_view> cells_of(std::string_view line) {
  return data::detail::split_cells(line, ",");
}

std::string header_of(const Record& record) {
  std::string header(first_columns);
  for (const auto& [name, value] : record.values) {
    if (name.empty() || name.find_first_of(",\"\r\n") != std::string::npos) {
      throw UsageError("CsvLog", "\"" + name + "\" cannot be the name of a column");
    }
    header += "," + name;
  }
  return header;
}

/// The shortest text that reads back as the same number.
std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// The row of a record below these columns; what it lacks stays empty.
std::string row_of(const Record& record, std::string_view header) {
  const auto columns = cells_of(header);
  std::vector<std::string> cells(columns.size());
  cells[0] = std::to_string(record.epoch);
  cells[1] = std::to_string(record.step);
  for (const auto& [name, value] : record.values) {
    const auto column = std::find(columns.begin() + 2, columns.end(), name);
    if (column == columns.end()) {
      throw UsageError(
          "CsvLog", "no column is named \"" + name + "\"; the columns are " + std::string(header));
    }
    cells[static_cast<std::size_t>(column - columns.begin())] = text_of(value);
  }
  std::string row;
  for (const auto& cell : cells) {
    row += (row.empty() ? "" : ",") + cell;
  }
  return row;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

CsvLog::CsvLog(std::filesystem::path file) try : file_(std::move(file)) {
  if (file_exists(file_, "CsvLog")) {
    read();
  }
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("CsvLog");
}

void CsvLog::read() try {
  const auto bytes = read_file(file_, "CsvLog");
  const std::string text(bytes.begin(), bytes.end());
  std::size_t begin = 0;
  // What no line break ends was cut off by a crash.
  for (std::size_t number = 1, end = 0; (end = text.find('\n', begin)) != std::string::npos;
       ++number, begin = end + 1) {
    const std::string_view line(text.data() + begin, end - begin);
    const auto cells = cells_of(line);
    if (number == 1) {
      if (!line.starts_with(first_columns) ||
          (line.size() > first_columns.size() && line[first_columns.size()] != ',')) {
        fail(file_, 1, "the header does not begin with \"" + std::string(first_columns) + "\"");
      }
      header_ = line;
      start_ = end + 1;
      continue;
    }
    if (cells.size() != cells_of(header_).size()) {
      fail(file_, number,
           std::to_string(cells.size()) + " cells below " +
               std::to_string(cells_of(header_).size()) + " columns");
    }
    const auto step = data::detail::parse_number<std::int64_t>(cells[1]);
    if (!step) {
      fail(file_, number, "the step is \"" + std::string(cells[1]) + "\", not a whole number");
    }
    rows_.push_back({.step = *step, .end = end + 1});
  }
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("CsvLog");
}

void CsvLog::append(const Record& record) try {
  const bool is_new = header_.empty();
  std::string header = is_new ? header_of(record) : header_;
  const std::string row = row_of(record, header) + "\n";

  io::AppendFile file(file_, "CsvLog");
  std::size_t kept = rows_.size();
  while (kept > 0 && rows_[kept - 1].step >= record.step) {
    --kept;
  }
  const std::string text = is_new ? header + "\n" + row : row;
  rows_.reserve(kept + 1);
  // From here on nothing allocates: the fields describe what the file holds.
  file.shorten(is_new ? 0 : kept == 0 ? start_ : rows_[kept - 1].end);
  rows_.resize(kept);
  file.append(bytes_of(text));
  start_ = header.size() + 1;
  header_ = std::move(header);
  rows_.push_back({.step = record.step, .end = file.size()});
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("CsvLog");
}

}  // namespace ddx::train
