#include "ddx/nn/path.h"

#include <string>

namespace ddx::nn {

std::string to_string(const Path& path) {
  if (path.parent_ == nullptr) {
    return "";
  }
  std::string text = to_string(*path.parent_);
  if (!text.empty()) {
    text += '.';
  }
  return text + (path.name_.empty() ? std::to_string(path.number_) : std::string(path.name_));
}

}  // namespace ddx::nn
