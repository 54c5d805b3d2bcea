/// \file
/// A multi-layer perceptron in plain loops, in single precision.

#pragma once

#include "ddx/ad/differentiable.h"

#include "programs/case.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

template <class T>
struct Perceptron {
  std::vector<T> weights1, bias1, weights2, bias2;
  DDX_DIFFERENTIABLE(Perceptron, weights1, bias1, weights2, bias2)
};

template <class T, class X>
void dense(const std::vector<T>& weights, const std::vector<T>& bias, const std::vector<X>& x,
           int batch, int inputs, int outputs, bool relu, std::vector<T>& y) {
  for (int n = 0; n < batch; ++n) {
    for (int o = 0; o < outputs; ++o) {
      T sum = bias[o];
      for (int i = 0; i < inputs; ++i) {
        sum += weights[o * inputs + i] * x[n * inputs + i];
      }
      if (relu && sum < 0) {
        sum = 0;
      }
      y[n * outputs + o] = sum;
    }
  }
}

template <class T>
T cross_entropy(const std::vector<T>& scores, const std::vector<int>& labels, int batch,
                int classes) {
  using std::exp;
  using std::log;
  T loss = 0;
  for (int n = 0; n < batch; ++n) {
    T largest = scores[n * classes];
    for (int c = 1; c < classes; ++c) {
      if (scores[n * classes + c] > largest) {
        largest = scores[n * classes + c];
      }
    }
    T sum = 0;
    for (int c = 0; c < classes; ++c) {
      sum += exp(scores[n * classes + c] - largest);
    }
    loss += log(sum) + largest - scores[n * classes + labels[n]];
  }
  return loss / static_cast<float>(batch);
}

struct PerceptronLoss {
  int batch = 0, inputs = 0, hidden = 0, classes = 0;
  std::vector<float> images;
  std::vector<int> labels;

  template <class T>
  T operator()(const Perceptron<T>& model) const {
    std::vector<T> h(static_cast<std::size_t>(batch * hidden));
    std::vector<T> scores(static_cast<std::size_t>(batch * classes));
    dense(model.weights1, model.bias1, images, batch, inputs, hidden, true, h);
    dense(model.weights2, model.bias2, h, batch, hidden, classes, false, scores);
    return cross_entropy(scores, labels, batch, classes);
  }
};

inline auto mlp_case(int batch, int inputs, int hidden, int classes) {
  std::mt19937 generator(5);
  std::normal_distribution<float> normal;
  const auto random = [&](int count, float scale) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& v : numbers) {
      v = scale * normal(generator);
    }
    return numbers;
  };
  PerceptronLoss loss{batch, inputs, hidden, classes, random(batch * inputs, 1), {}};
  for (int n = 0; n < batch; ++n) {
    loss.labels.push_back(static_cast<int>(generator() % static_cast<unsigned>(classes)));
  }
  Perceptron<float> model{random(hidden * inputs, 0.12F), random(hidden, 0.1F),
                          random(classes * hidden, 0.08F), random(classes, 0.1F)};
  return Case{std::move(loss), std::tuple{std::move(model)}};
}

}  // namespace ddx::bench
