#include "ddx/ad.h"
#include "ddx/core/device.h"
#include "ddx/core/error.h"
#include "ddx/core/random_key.h"
#include "ddx/core/shape.h"
#include "ddx/data/sets/cropped_image_files.h"
#include "ddx/data/sets/image_folder.h"
#include "ddx/nn/model_arithmetic.h"
#include "ddx/nn/visit.h"
#include "ddx/tensor.h"

#include "resnet50.h"
#include "row.h"
#include "tables.h"
#include "training_run.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <span>
#include <string>
#include <vector>

namespace ddx::bench {
namespace {

/// The start of a sequence of numbers that belongs to a name: FNV-1a of 64 bits.
std::uint64_t start_of(const std::string& name) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char byte : name) {
    value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return value;
}

/// Number i of such a sequence, in [-1, 1): splitmix64.
double draw(std::uint64_t start, std::size_t i) {
  std::uint64_t z = start + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ z >> 30U) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27U) * 0x94D049BB133111EB;
  z ^= z >> 31U;
  return std::ldexp(static_cast<double>(z >> 11U), -52) - 1;
}

/// Numbers of a name in the order of `from`, with the axes in the order of `axes`.
Tensor<float> drawn(const std::string& name, const Shape& from, const Indices& axes) {
  const auto start = start_of(name);
  const auto count = static_cast<std::size_t>(from.count());
  double factor = 0.1;
  double middle = name.ends_with("weight") ? 1 : 0;
  if (from.rank() > 1) {
    factor = std::sqrt(6.0 * static_cast<double>(from[0]) / static_cast<double>(count));
    middle = 0;
  }
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(middle + factor * draw(start, i));
  }
  const Tensor<float> tensor(from, std::span<const float>(values));
  return from.rank() > 1 ? transpose(tensor, axes) : tensor;
}

void fill(NormedConvolution<float>& layer, const std::string& conv, const std::string& norm) {
  const auto shape = layer.conv.filter.shape();
  layer.conv.filter =
      drawn(conv + ".weight", {shape[3], shape[2], shape[0], shape[1]}, {2, 3, 1, 0});
  layer.norm.scale = drawn(norm + ".weight", layer.norm.scale.shape(), {});
  layer.norm.offset = drawn(norm + ".bias", layer.norm.offset.shape(), {});
}

/// Fills a network by torchvision's names of its arrays.
void fill(ResNet50<float>& model) {
  fill(model.stem, "conv1", "bn1");
  std::size_t next = 0;
  int stage = 0;
  for (const int depth : {3, 4, 6, 3}) {
    ++stage;
    for (int i = 0; i < depth; ++i) {
      auto& block = model.blocks[next++];
      const auto name = fmt::format("layer{}.{}.", stage, i);
      fill(block.first, name + "conv1", name + "bn1");
      fill(block.second, name + "conv2", name + "bn2");
      fill(block.third, name + "conv3", name + "bn3");
      if (!block.projection.empty()) {
        fill(block.projection[0], name + "downsample.0", name + "downsample.1");
      }
    }
  }
  model.classifier.weight = drawn("fc.weight", {1000, 2048}, {1, 0});
  model.classifier.bias = drawn("fc.bias", {1000}, {});
}

}  // namespace

void verify_imagenet(const Setting&) {
  ResNet50<float> model;
  nn::initialize(model, RandomKey(1));
  if (const auto parameters = nn::parameter_count(model); parameters != 25557032) {
    throw InternalError("bench imagenet",
                        fmt::format("ResNet-50 has {} parameters, 25557032 expected", parameters));
  }
  fill(model);
  const auto images = drawn("input", {2, 3, 64, 64}, {0, 2, 3, 1});
  // What torchvision 0.29.2 computes in f64 for weights and pictures by the same rule; the factor
  // of "input" is sqrt(6 / 12288) here.
  const auto scaled = images * static_cast<float>(std::sqrt(12288.0 / 6));
  nn::begin_step(model, RandomKey(1));
  const double loss = static_cast<double>(
      softmax_cross_entropy(model(scaled), Tensor<std::int32_t>({3, 7})).item());
  constexpr double recorded = 6.3258582453;
  if (!(std::abs(loss - recorded) <= 1e-3)) {
    throw InternalError(
        "bench imagenet",
        fmt::format("the loss of ResNet-50 is {}, torchvision's {}", loss, recorded));
  }
}

std::vector<Row> imagenet_rows(const Setting& setting) {
  constexpr std::int64_t default_batch = 8;
  const data::CroppedImageFiles files(data::read_image_folder(setting.images).files);
  return training_rows("imagenet", ResNet50<float>(), files,
                       setting.batch == 0 ? default_batch : setting.batch, setting);
}

}  // namespace ddx::bench
