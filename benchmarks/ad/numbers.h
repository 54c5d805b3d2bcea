/// \file
/// Reading of ADBench's input files: numbers separated by blanks.

#pragma once

#include "ddx/core/error.h"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ddx::bench {

/// Reads one file from front to back.
class NumberReader {
 public:
  /// Throws: EnvironmentError where the file cannot be opened.
  explicit NumberReader(const std::filesystem::path& path) : path_(path.string()), file_(path) {
    if (!file_) {
      throw EnvironmentError("read", "cannot open " + path_);
    }
  }

  /// Throws: EnvironmentError where no further number stands in the file.
  template <class T>
  [[nodiscard]] T next() {
    T number{};
    if (!(file_ >> number)) {
      throw EnvironmentError(
          "read", path_ + " ends or is damaged after " + std::to_string(count_) + " numbers");
    }
    ++count_;
    return number;
  }

  /// The next `count` numbers.
  [[nodiscard]] std::vector<double> next(int count) {
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (double& n : numbers) {
      n = next<double>();
    }
    return numbers;
  }

 private:
  std::string path_;
  std::ifstream file_;
  std::size_t count_ = 0;
};

/// The vectors one behind the other.
template <class T>
[[nodiscard]] std::vector<T> joined(const std::vector<std::vector<T>>& parts) {
  std::vector<T> all;
  for (const auto& part : parts) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// `count` elements of `all` from `first` on.
template <class T>
[[nodiscard]] std::vector<T> part_of(const std::vector<T>& all, std::size_t first,
                                     std::size_t count) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace ddx::bench
