#include "ddx/data/sets/cifar10.h"

#include "ddx/core/error.h"
#include "ddx/data/detail/gzip.h"
#include "ddx/data/labelled_images.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace ddx::data {
namespace {

constexpr std::size_t side = 32;
constexpr std::size_t plane = side * side;
constexpr std::size_t channels = 3;
constexpr std::size_t record = 1 + channels * plane;
constexpr std::uint64_t largest_content = std::uint64_t{1} << 30;

[[noreturn]] void fail(const std::filesystem::path& file, std::size_t offset,
                       const std::string& facts) {
  throw EnvironmentError("read_cifar10",
                         file.string() + ", byte " + std::to_string(offset) + ": " + facts);
}

std::filesystem::path find(const std::filesystem::path& folder, const std::string& name) {
  const auto plain = folder / (name + ".bin");
  return std::filesystem::exists(plain) ? plain : folder / (name + ".bin.gz");
}

void append(LabelledImages& into, const LabelledImages& from) {
  into.pixels.insert(into.pixels.end(), from.pixels.begin(), from.pixels.end());
  into.labels.insert(into.labels.end(), from.labels.begin(), from.labels.end());
}

}  // namespace

LabelledImages read_cifar10_file(const std::filesystem::path& file) {
  const auto bytes = detail::read_maybe_compressed(file, "read_cifar10", largest_content);
  if (bytes.empty()) {
    fail(file, 0, "the file is empty");
  }
  if (bytes.size() % record != 0) {
    fail(file, bytes.size(),
         "the file ends inside record " + std::to_string(bytes.size() / record) + " (records are " +
             std::to_string(record) + " bytes)");
  }
  LabelledImages images;
  images.height = images.width = side;
  images.channels = channels;
  images.labels.reserve(bytes.size() / record);
  images.pixels.reserve(bytes.size());
  for (std::size_t start = 0; start < bytes.size(); start += record) {
    if (bytes[start] > 9) {
      fail(file, start, "label is " + std::to_string(bytes[start]) + ", at most 9 is expected");
    }
    images.labels.push_back(bytes[start]);
    for (std::size_t pixel = 0; pixel < plane; ++pixel) {
      for (std::size_t channel = 0; channel < channels; ++channel) {
        images.pixels.push_back(bytes[start + 1 + channel * plane + pixel]);
      }
    }
  }
  return images;
}

LabelledImageSets read_cifar10(const std::filesystem::path& folder) {
  LabelledImageSets sets;
  sets.training = read_cifar10_file(find(folder, "data_batch_1"));
  for (int part = 2; part <= 5; ++part) {
    const auto file = find(folder, "data_batch_" + std::to_string(part));
    if (std::filesystem::exists(file)) {
      append(sets.training, read_cifar10_file(file));
    }
  }
  sets.test = read_cifar10_file(find(folder, "test_batch"));
  return sets;
}

}  // namespace ddx::data
