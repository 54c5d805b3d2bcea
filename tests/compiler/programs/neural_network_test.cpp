// Layers with activations chosen by std::function, in a vector.

#include "gradient_check.h"

#include <cmath>
#include <functional>
#include <vector>

namespace {

using Vector = std::vector<double>;

struct Layer {
  std::vector<Vector> weights;
  Vector bias;
  std::function<double(double)> activation;

  [[nodiscard]] Vector operator()(const Vector& x) const {
    Vector y;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      double s = bias[i];
      for (std::size_t j = 0; j < x.size(); ++j) {
        s += weights[i][j] * x[j];
      }
      y.push_back(activation(s));
    }
    return y;
  }
};

double neural_network(const Vector& w, double x1, double x2) {
  std::vector<Layer> layers;
  layers.push_back(
      {{{w[0], w[1]}, {w[2], w[3]}}, {w[4], 0.1}, [](double v) { return std::tanh(v); }});
  layers.push_back(
      {{{w[3], w[0]}}, {w[5]}, [k = w[1]](double v) { return v / (1 + std::exp(-k * v)); }});
  Vector signal{x1, x2};
  for (const Layer& layer : layers) {
    signal = layer(signal);
  }
  return signal[0] * signal[0] + w[0] * signal[0];
}

DDX_CHECK_GRADIENT(neural_network, at(Vector{0.5, -0.3, 0.8, 0.2, 0.1, 0.4}, 0.7, -0.2),
                   at(Vector{1.0, 0.4, -0.6, 0.9, -0.2, 0.3}, 0.1, 0.9),
                   at(Vector{-0.4, 0.7, 0.3, -0.8, 0.6, -0.1}, -0.5, 0.4))

}  // namespace
