// A cascade of biquad filters with state, fed block by block through spans.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace {

class Biquad {
 public:
  static Biquad low_pass(double frequency, double quality) {
    const double w = std::cos(frequency);
    const double alpha = std::sin(frequency) / (2 * quality);
    Biquad f;
    f.b_ = {(1 - w) / 2 / (1 + alpha), (1 - w) / (1 + alpha), (1 - w) / 2 / (1 + alpha)};
    f.a_ = {-2 * w / (1 + alpha), (1 - alpha) / (1 + alpha)};
    return f;
  }
  double operator()(double x) {
    const double y = b_[0] * x + z_[0];
    z_[0] = b_[1] * x - a_[0] * y + z_[1];
    z_[1] = b_[2] * x - a_[1] * y;
    return y;
  }

 private:
  std::array<double, 3> b_{};
  std::array<double, 2> a_{};
  std::array<double, 2> z_{};
};

void process(std::array<Biquad, 2>& cascade, std::span<double> block) {
  for (double& sample : block) {
    for (Biquad& stage : cascade) {
      sample = stage(sample);
    }
  }
}

double biquad_cascade(std::vector<double> samples, double frequency, double quality) {
  std::array<Biquad, 2> cascade{Biquad::low_pass(frequency, quality),
                                Biquad::low_pass(1.3 * frequency, quality)};
  const std::span<double> all(samples);
  for (std::size_t at = 0; at < all.size(); at += 3) {
    process(cascade, all.subspan(at, std::min<std::size_t>(3, all.size() - at)));
  }
  double energy = 0;
  for (const double s : samples) {
    energy = 0.9 * energy + s * s;
  }
  return energy;
}

DDX_CHECK_GRADIENT(biquad_cascade, at(std::vector{0.5, 0.9, 0.2, 1.4, 0.3}, 0.6, 0.5),
                   at(std::vector{1.0}, 0.4, 0.7), at(std::vector{-0.2, 0.7, 0.4}, 0.9, 1.4))

}  // namespace
