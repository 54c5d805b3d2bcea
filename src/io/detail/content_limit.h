/// \file
/// How much the content of a compressed file may take.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace ddx::io::detail {

/// The most bytes of the content of a file that can grow when it is read: what the caller chose, or
/// the larger of 64 MiB and 100 times the file. Deflate packs up to 1032 bytes into one; MNIST
/// takes 5 times its files, texts and annotations about 10 times.
[[nodiscard]] constexpr std::uint64_t content_limit(std::optional<std::uint64_t> chosen,
                                                    std::uint64_t file_bytes) {
  constexpr std::uint64_t least = std::uint64_t{64} << 20;
  constexpr std::uint64_t ratio = 100;
  const auto most = file_bytes > UINT64_MAX / ratio ? UINT64_MAX : file_bytes * ratio;
  return chosen.value_or(std::max(least, most));
}

/// "more than 67108864 bytes, the limit for a file of 100 bytes; NpzReadOptions::max_bytes raises
/// it"
[[nodiscard]] inline std::string beyond_limit(std::uint64_t limit, std::uint64_t file_bytes,
                                              const std::string& option) {
  return "more than " + std::to_string(limit) + " bytes, the limit for a file of " +
         std::to_string(file_bytes) + " bytes; " + option + " raises it";
}

}  // namespace ddx::io::detail
