#include "ddx/data/sets/boston_housing.h"

#include "ddx/core/detail/out_of_memory.h"
#include "ddx/core/shape.h"
#include "ddx/data/detail/lines.h"
#include "ddx/tensor/tensor.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <vector>

namespace ddx::data {
namespace {

constexpr std::size_t feature_count = 13;

}  // namespace

BostonHousing read_boston_housing(const std::filesystem::path& file) try {
  detail::Lines lines(file, "read_boston_housing");
  std::vector<float> features;
  std::vector<float> prices;
  while (lines.next()) {
    const auto words = detail::split_words(lines.text());
    if (words.size() != feature_count + 1) {
      lines.fail(std::to_string(words.size()) + " numbers, " + std::to_string(feature_count + 1) +
                 " are expected");
    }
    for (const auto word : words) {
      const auto number = lines.number_in<float>(word, "a value");
      if (!std::isfinite(number)) {
        lines.fail("a value is \"" + std::string(word) + "\", not finite");
      }
      (features.size() < (prices.size() + 1) * feature_count ? features : prices).push_back(number);
    }
  }
  const auto rows = static_cast<std::int64_t>(prices.size());
  return {.features = Tensor<float>({rows, static_cast<std::int64_t>(feature_count)},
                                    std::span<const float>(features)),
          .prices = Tensor<float>({rows, 1}, std::span<const float>(prices))};
} catch (const std::bad_alloc&) {
  ddx::detail::throw_out_of_memory("read_boston_housing");
}

}  // namespace ddx::data
