#include "ddx/models/blocks/selective_state_space.h"

#include "ddx/nn/detail/options.h"
#include "ddx/tensor/random.h"

#include <cmath>
#include <cstdint>
#include <vector>

namespace ddx::models::detail {

const SelectiveStateSpaceOptions& checked(const SelectiveStateSpaceOptions& options) {
  constexpr const char* name = "SelectiveStateSpace";
  nn::detail::require_positive(name, "features", options.features);
  nn::detail::require_positive(name, "channels", options.channels);
  nn::detail::require_positive(name, "states", options.states);
  nn::detail::require_positive(name, "kernel", options.kernel);
  nn::detail::require_positive(name, "step_features", options.step_features);
  return options;
}

std::vector<double> initial_fading(const SelectiveStateSpaceOptions& options) {
  std::vector<double> result;
  for (std::int64_t channel = 0; channel < options.channels; ++channel) {
    for (std::int64_t state = 1; state <= options.states; ++state) {
      result.push_back(std::log(static_cast<double>(state)));
    }
  }
  return result;
}

std::vector<double> initial_steps(const SelectiveStateSpaceOptions& options) {
  constexpr double least = 0.001;
  constexpr double most = 0.1;
  auto result = random_uniform<double>(options.key.fold_in(5), {options.channels}).values();
  for (double& value : result) {
    const double size = least * std::pow(most / least, value);
    value = std::log(std::expm1(size));  // Whose softplus is the size.
  }
  return result;
}

}  // namespace ddx::models::detail
