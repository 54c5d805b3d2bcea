// An image under an affine warp with bilinear sampling, then a blurred difference.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace {

struct Image {
  int width;
  int height;
  std::vector<double> pixels;

  Image(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w * h)) {}
  [[nodiscard]] double clamped(int x, int y) const {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, height - 1);
    return pixels[y * width + x];
  }
  double& operator()(int x, int y) { return pixels[y * width + x]; }
  [[nodiscard]] double sample(double x, double y) const {
    const int x0 = static_cast<int>(std::floor(x));
    const int y0 = static_cast<int>(std::floor(y));
    const double u = x - x0;
    const double v = y - y0;
    return (1 - u) * (1 - v) * clamped(x0, y0) + u * (1 - v) * clamped(x0 + 1, y0) +
           (1 - u) * v * clamped(x0, y0 + 1) + u * v * clamped(x0 + 1, y0 + 1);
  }
};

template <int N>
Image blurred(const Image& image, const std::array<double, N>& kernel) {
  Image result(image.width, image.height);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      for (int k = 0; k < N; ++k) {
        result(x, y) += kernel[k] * image.clamped(x + k - N / 2, y);
      }
    }
  }
  return result;
}

double image_warp(double angle, double shift, double sharpness) {
  Image image(5, 4);
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      image(x, y) = std::sin(1.3 * x + y * sharpness);
    }
  }
  Image warped(5, 4);
  for (int y = 0; y < warped.height; ++y) {
    for (int x = 0; x < warped.width; ++x) {
      warped(x, y) = image.sample(std::cos(angle) * x - std::sin(angle) * y + shift,
                                  std::sin(angle) * x + std::cos(angle) * y);
    }
  }
  const Image a = blurred<3>(warped, {0.25, 0.5, 0.25});
  double difference = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    const double d = a.pixels[i] - image.pixels[i];
    difference = 0.98 * difference + d * d;
  }
  return difference;
}

DDX_CHECK_GRADIENT(image_warp, at(0.13, 0.37, 0.8), at(-0.21, 0.71, 0.4), at(0.32, -0.57, 1.1))

}  // namespace
