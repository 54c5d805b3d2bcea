// Smoothing over a window: the scratch arrays have a length that is known at run time, and closures
// refer to them.

#include "gradient_check.h"

#include <cmath>
#include <vector>

#pragma clang diagnostic ignored "-Wvla-cxx-extension"
#pragma clang diagnostic ignored "-Wvla-extension"

namespace {

double captured_length(const std::vector<double>& x, int width) {
  double weights[width];
  double window[width + 1];
  for (int i = 0; i < width; ++i) {
    weights[i] = std::exp(-0.3 * i * x[0]);
  }
  const auto weighted = [&](std::size_t at) {
    double sum = 0;
    for (int i = 0; i < width; ++i) {
      window[i] = x[(at + static_cast<std::size_t>(i)) % x.size()] * weights[i];
      sum += window[i];
    }
    window[width] = sum / width;
    return window[width] * window[0];
  };
  double total = 0;
  for (std::size_t at = 0; at < x.size(); ++at) {
    total += std::tanh(weighted(at)) * window[width];
  }
  return total;
}

}  // namespace

DDX_CHECK_GRADIENT(captured_length, at(std::vector{0.7, 1.2, -0.5, 0.9}, 3),
                   at(std::vector{1.3, 0.4, 0.8}, 2), at(std::vector{-0.2, 1.1, 0.5, 0.3, 0.6}, 4))
