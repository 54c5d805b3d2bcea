#include "ddx/train/detail/named_arrays.h"

#include "ddx/core/dtype.h"
#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/io/stored_tensor.h"

#include <cstddef>
#include <string>
#include <utility>

namespace ddx::train::detail {
namespace {

std::string text(DType dtype, const Shape& shape) {
  return std::string(to_string(dtype)) + " " + to_string(shape);
}

/// Whether a path is `whole` or lies below it.
bool is_within(const std::string& path, const std::string& whole) {
  return path == whole || (path.starts_with(whole) && path[whole.size()] == '.');
}

}  // namespace

const io::StoredTensor* NamedArrays::find(const std::string& path,
                                          const std::pair<DType, Shape>& expected) {
  bool ignored = false;
  for (const auto& whole : ignored_paths_) {
    if (is_within(path, whole)) {
      ignored_.insert(whole);
      ignored = true;
    }
  }
  if (ignored) {
    return nullptr;
  }
  const auto name = name_of_ ? name_of_(path) : path;
  const auto found = arrays_.find(name);
  if (found == arrays_.end()) {
    fail("array \"" + name + "\" for " + path + " is missing");
  }
  const auto& array = found->second;
  if (!array.obstacle.empty()) {
    fail(array.obstacle + "; it is wanted for " + path);
  }
  const auto bytes = static_cast<std::size_t>(array.shape.count()) * info(array.dtype).bytes;
  if (array.dtype != expected.first || array.shape != expected.second) {
    fail("array \"" + name + "\" is " + text(array.dtype, array.shape) + ", " + path + " is " +
         text(expected.first, expected.second));
  }
  if (array.bytes.size() != bytes) {
    fail("array \"" + name + "\" of " + text(array.dtype, array.shape) + " takes " +
         std::to_string(bytes) + " bytes, it has " + std::to_string(array.bytes.size()));
  }
  used_.insert(name);
  return &array;
}

void NamedArrays::check_ignored() const {
  for (const auto& whole : ignored_paths_) {
    if (!ignored_.contains(whole)) {
      fail("the ignored path " + whole + " is none of the model's");
    }
  }
}

void NamedArrays::check_used() const {
  for (const auto& [name, array] : arrays_) {
    if (!used_.contains(name)) {
      fail("array \"" + name + "\" has no place in the model");
    }
  }
}

void NamedArrays::fail(const std::string& facts) const {
  throw UsageError("load_model", facts, where_);
}

}  // namespace ddx::train::detail
