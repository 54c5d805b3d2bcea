/// \file
/// Files of text, whole and line by line.

#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ddx::data::detail {

/// The bytes of a file as a text.
///
/// Throws:  EnvironmentError if it cannot be read or is longer than 1 GiB.
[[nodiscard]] std::string read_text(const std::filesystem::path& file,
                                    const std::string& operation);

/// The lines of a text, each without its LF or CR LF. A text that ends with a line break has no
/// empty line after it. They borrow the text.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

/// Replaces the file by this text, atomically.
///
/// Throws:  EnvironmentError if it cannot be written.
void write_text(const std::filesystem::path& file, std::string_view text,
                const std::string& operation);

/// Throws an EnvironmentError that names the file and the line, counted from 1.
[[noreturn]] void fail_at_line(const std::string& operation, const std::filesystem::path& file,
                               std::size_t line, const std::string& facts);

}  // namespace ddx::data::detail
