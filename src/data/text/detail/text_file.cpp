#include "data/text/detail/text_file.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/io/atomic_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

std::string read_text(const std::filesystem::path& file, const std::string& operation) {
  constexpr std::uint64_t largest_text = std::uint64_t{1} << 30;
  const auto bytes = read_file(file, operation, largest_text);
  return {bytes.begin(), bytes.end()};
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    lines.push_back(line);
  }
  return lines;
}

void write_text(const std::filesystem::path& file, std::string_view text,
                const std::string& operation) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  io::write_file_atomically(file, std::span(bytes, text.size()), operation);
}

void fail_at_line(const std::string& operation, const std::filesystem::path& file, std::size_t line,
                  const std::string& facts) {
  throw EnvironmentError(operation,
                         file.string() + ", line " + std::to_string(line) + ": " + facts);
}

}  // namespace ddx::data::detail
