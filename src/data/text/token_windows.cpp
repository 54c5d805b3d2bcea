#include "ddx/data/text/token_windows.h"

#include "ddx/core/error.h"
#include "ddx/core/shape.h"
#include "ddx/data/samples.h"

#include <string>
#include <utility>

namespace ddx::data {

TokenWindows::TokenWindows(std::vector<std::int32_t> tokens, const Options& options)
    : tokens_(std::move(tokens)), options_(options) {
  const auto require_positive = [](const char* what, std::int64_t value) {
    if (value < 1) {
      throw UsageError("TokenWindows", std::string(what) + " is " + std::to_string(value) +
                                           ", at least 1 is required");
    }
  };
  require_positive("length", options_.length);
  require_positive("stride", options_.stride);
  if (size() < 1) {
    throw UsageError("TokenWindows", std::to_string(tokens_.size()) + " tokens, a run of " +
                                         std::to_string(options_.length) +
                                         " and the token after it need more");
  }
}

std::int64_t TokenWindows::size() const noexcept {
  const auto spare = static_cast<std::int64_t>(tokens_.size()) - options_.length - 1;
  return spare < 0 ? 0 : spare / options_.stride + 1;
}

TokenBatch TokenWindows::batch(std::span<const std::int64_t> samples) const {
  detail::check_places("TokenWindows", samples, static_cast<std::size_t>(size()));
  std::vector<std::int32_t> inputs;
  std::vector<std::int32_t> targets;
  inputs.reserve(samples.size() * static_cast<std::size_t>(options_.length));
  targets.reserve(inputs.capacity());
  for (const auto sample : samples) {
    const auto begin = tokens_.begin() + sample * options_.stride;
    inputs.insert(inputs.end(), begin, begin + options_.length);
    targets.insert(targets.end(), begin + 1, begin + 1 + options_.length);
  }
  const Shape shape{static_cast<std::int64_t>(samples.size()), options_.length};
  return {.inputs = {shape, std::span<const std::int32_t>(inputs), options_.device},
          .targets = {shape, std::span<const std::int32_t>(targets), options_.device}};
}

}  // namespace ddx::data
