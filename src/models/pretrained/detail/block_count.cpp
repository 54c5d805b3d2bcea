#include "models/pretrained/detail/block_count.h"

#include "ddx/models/pretrained/model_configuration.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace ddx::models::detail {

std::int64_t block_count(const ModelConfiguration& configuration, std::string_view key,
                         std::int64_t otherwise) {
  constexpr std::int64_t most = 10'000;
  const std::int64_t count = configuration.integer(key, otherwise);
  if (count < 1 || count > most) {
    configuration.refuse(key, "1 to " + std::to_string(most));
  }
  return count;
}

}  // namespace ddx::models::detail
