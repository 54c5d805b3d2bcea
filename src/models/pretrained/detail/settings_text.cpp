#include "models/pretrained/detail/settings_text.h"

#include "ddx/core/dtype.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ddx::models::detail {
namespace {

/// What PyTorch calls a dtype.
const char* torch_name(DType dtype) {
  if (dtype == DType::f64) {
    return "float64";
  }
  if (dtype == DType::f16) {
    return "float16";
  }
  return dtype == DType::bf16 ? "bfloat16" : "float32";
}

}  // namespace

std::string settings_text(nlohmann::ordered_json settings, DType dtype) {
  settings["torch_dtype"] = torch_name(dtype);
  return settings.dump(2) + "\n";
}

}  // namespace ddx::models::detail
