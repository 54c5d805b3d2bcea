// How strongly to regularise a logistic regression: the gradient of the loss on other data with
// respect to the regularisation of each weight. The weights are the minimum of an inner problem,
// and `implicit` differentiates the minimum, not the descent that finds it.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ddx/ad.h>
#include <ddx/ad/implicit.h>

constexpr std::size_t features = 4;
constexpr std::size_t training = 6;     // The first samples.
constexpr std::size_t validation = 20;  // Those from 20 on.
using Weights = std::array<double, features>;

/// sin(0.5 + 0.7 i) for the elements i, in place of data; the last feature is 1.
double feature(std::size_t sample, std::size_t column) {
  const auto element = static_cast<double>((features - 1) * sample + column);
  return column == features - 1 ? 1 : std::sin(0.5 + 0.7 * element);
}

double label(std::size_t sample) {
  return std::sin(0.9 + 0.7 * static_cast<double>(sample)) + 0.5 * feature(sample, 0) > 0 ? 1 : 0;
}

double score(const Weights& weights, std::size_t sample) {
  double sum = 0;
  for (std::size_t j = 0; j < features; ++j) {
    sum += weights[j] * feature(sample, j);
  }
  return sum;
}

/// The gradient of the training loss with the penalty sum_j e^strength_j weight_j^2 / 2, which is 0
/// at its minimum.
Weights slope(const Weights& weights, const Weights& strengths) {
  Weights sum{};
  for (std::size_t i = 0; i < training; ++i) {
    const double error = 1 / (1 + std::exp(-score(weights, i))) - label(i);
    for (std::size_t j = 0; j < features; ++j) {
      sum[j] += error * feature(i, j);
    }
  }
  for (std::size_t j = 0; j < features; ++j) {
    sum[j] += std::exp(strengths[j]) * weights[j];
  }
  return sum;
}

Weights descended(const Weights& strengths) {
  Weights weights{};
  for (int step = 0; step < 2000; ++step) {
    const Weights by = slope(weights, strengths);
    for (std::size_t j = 0; j < features; ++j) {
      weights[j] -= 0.15 * by[j];
    }
  }
  return weights;
}

double validation_loss(const Weights& strengths) {
  const Weights found = ddx::without_derivative(descended(strengths));
  const Weights weights = ddx::implicit(
      [](const Weights& w, const Weights& s) { return slope(w, s); }, found, strengths);
  double loss = 0;
  for (std::size_t i = 20; i < 20 + validation; ++i) {
    const double s = score(weights, i);
    loss += std::log1p(std::exp(s)) - label(i) * s;
  }
  return loss / validation;
}

int main() {
  Weights strengths{};
  const auto [first_loss, first_slope] = ddx::value_with_gradient(validation_loss, strengths);
  for (int step = 0; step < 30; ++step) {
    const Weights by = ddx::gradient(validation_loss, strengths);
    for (std::size_t j = 0; j < features; ++j) {
      strengths[j] -= 10 * by[j];
    }
  }
  const double last_loss = validation_loss(strengths);
  std::printf("loss %.12f, its slope by the first strength %.12f, loss after 30 steps %.12f\n",
              first_loss, first_slope[0], last_loss);
  // From the same program in JAX, examples/record_second_order.py.
  const bool right = std::abs(first_loss - 0.665568001048283) < 1e-9 &&
                     std::abs(first_slope[0] + 0.00109142219012719) < 1e-9 &&
                     std::abs(last_loss - 0.642883097717363) < 1e-9;
  return right ? 0 : 1;
}
