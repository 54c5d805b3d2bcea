#include "ddx/train/detail/stored.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/safetensors.h"
#include "ddx/train/position.h"

#include <string>
#include <utility>

namespace ddx::train::detail {
namespace {

std::string described(DType dtype, const Shape& shape) {
  return std::string(to_string(dtype)) + " " + to_string(shape);
}

}  // namespace

io::StoredTensor take_stored(io::TensorFile& content, const std::string& file,
                             const std::string& name, const std::pair<DType, Shape>& expected) {
  const auto found = content.tensors.find(name);
  if (found == content.tensors.end()) {
    throw EnvironmentError("load_checkpoint", file + ": array \"" + name + "\" is missing");
  }
  auto stored = std::move(found->second);
  content.tensors.erase(found);
  if (!stored.obstacle.empty()) {
    throw EnvironmentError("load_checkpoint", stored.obstacle);
  }
  if (stored.dtype != expected.first || stored.shape != expected.second) {
    throw EnvironmentError("load_checkpoint", file + ": array \"" + name + "\" is " +
                                                  described(stored.dtype, stored.shape) +
                                                  ", the training has " +
                                                  described(expected.first, expected.second));
  }
  return stored;
}

void check_all_taken(const io::TensorFile& content, const std::string& file) {
  if (!content.tensors.empty()) {
    throw EnvironmentError("load_checkpoint", file + ": array \"" + content.tensors.begin()->first +
                                                  "\" has no place in the training");
  }
}

void check_position(const Position& position, const std::string& file) {
  if (position.epoch < 0 || position.step < 0 || position.samples < 0) {
    throw EnvironmentError("load_checkpoint", file + ": no training stands at epoch " +
                                                  std::to_string(position.epoch) + ", step " +
                                                  std::to_string(position.step) + ", " +
                                                  std::to_string(position.samples) + " samples");
  }
}

}  // namespace ddx::train::detail
