#include "ddx/nn/adapters.h"

#include "ddx/core/error.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ddx::nn::detail {

void require_all_fit(const std::vector<std::string>& names, const std::vector<std::string>& paths) {
  if (names.empty()) {
    throw UsageError("add_low_rank", "layers is empty, at least one name is required");
  }
  for (const std::string& name : names) {
    if (std::ranges::none_of(paths, [&](const auto& path) { return ends_with_name(path, name); })) {
      throw UsageError("add_low_rank", "\"" + name + "\" fits none of the " +
                                           std::to_string(paths.size()) +
                                           " dense layers of the model");
    }
  }
}

void require_no_adapter(const std::string& path, bool has_one) {
  if (has_one) {
    throw UsageError("add_low_rank", path +
                                         " has an adapter already; merge_low_rank adds it to "
                                         "the weight");
  }
}

void require_no_quantized_adapter(const std::string& path, bool has_both) {
  if (has_both) {
    throw UsageError("merge_low_rank",
                     path + " has a quantised weight; merge adapters before nn::quantize");
  }
}

}  // namespace ddx::nn::detail
