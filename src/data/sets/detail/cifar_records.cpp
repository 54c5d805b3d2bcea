#include "data/sets/detail/cifar_records.h"

#include "ddx/core/error.h"
#include "ddx/core/file.h"
#include "ddx/data/detail/gzip.h"
#include "ddx/data/labelled_images.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::data::detail {
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t plane = side * side;
constexpr std::size_t channels = 3;
constexpr std::uint64_t largest_content = std::uint64_t{1} << 30;

}  // namespace

LabelledImages read_cifar_records(const std::filesystem::path& file, const CifarForm& form) {
  const auto fail = [&](std::size_t offset, const std::string& facts) {
    throw EnvironmentError(form.operation,
                           file.string() + ", byte " + std::to_string(offset) + ": " + facts);
  };
  const auto bytes = read_maybe_compressed(file, form.operation, {.max_bytes = largest_content});
  const std::size_t labels = form.greatest.size();
  const std::size_t record = labels + channels * plane;
  if (bytes.empty()) {
    fail(0, "the file is empty");
  }
  if (bytes.size() % record != 0) {
    fail(bytes.size(), "the file ends inside record " + std::to_string(bytes.size() / record) +
                           " (records are " + std::to_string(record) + " bytes)");
  }
  LabelledImages images;
  images.height = images.width = side;
  images.channels = channels;
  images.labels.reserve(bytes.size() / record);
  images.pixels.reserve(bytes.size());
  for (std::size_t start = 0; start < bytes.size(); start += record) {
    for (std::size_t i = 0; i < labels; ++i) {
      if (bytes[start + i] > form.greatest[i]) {
        fail(start + i, "label is " + std::to_string(bytes[start + i]) + ", at most " +
                            std::to_string(form.greatest[i]) + " is expected");
      }
    }
    images.labels.push_back(bytes[start + form.chosen]);
    for (std::size_t pixel = 0; pixel < plane; ++pixel) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        images.pixels.push_back(bytes[start + labels + channel * plane + pixel]);
      }
    }
  }
  return images;
}

std::filesystem::path find_cifar_file(const std::filesystem::path& folder, const std::string& name,
                                      const std::string& operation) {
  const auto plain = folder / (name + ".bin");
  return file_exists(plain, operation) ? plain : folder / (name + ".bin.gz");
}

}  // namespace ddx::data::detail
