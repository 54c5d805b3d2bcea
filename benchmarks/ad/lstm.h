/// \file
/// ADBench's long short-term memory, as one would write it with vectors.

#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ddx::bench {

/// Layers, characters in the text, letters in the alphabet.
struct LstmSize {
  int layers = 0;
  int characters = 0;
  int letters = 0;
};

template <class T>
T sigmoid(const T& x) {
  using std::exp;
  return 1 / (1 + exp(-x));
}

/// Advances one layer. `signal` is its input and becomes its output. The layer's weights, then its
/// biases, stand from `first` on; its hidden values, then its cells, from `hidden` on.
template <class T>
void lstm_layer(int n, const std::vector<T>& weights, int first, std::vector<T>& state, int hidden,
                std::vector<T>& signal) {
  using std::tanh;
  const int bias = first + 4 * n;
  const int cells = hidden + n;
  for (int i = 0; i < n; ++i) {
    const T forget = sigmoid<T>(signal[i] * weights[first + i] + weights[bias + i]);
    const T in = sigmoid<T>(state[hidden + i] * weights[first + n + i] + weights[bias + n + i]);
    const T out = sigmoid<T>(signal[i] * weights[first + 2 * n + i] + weights[bias + 2 * n + i]);
    const T change =
        tanh(state[hidden + i] * weights[first + 3 * n + i] + weights[bias + 3 * n + i]);
    state[cells + i] = state[cells + i] * forget + in * change;
    state[hidden + i] = out * tanh(state[cells + i]);
    signal[i] = state[hidden + i];
  }
}

template <class T>
T log_sum_exp_plus_two(const std::vector<T>& v) {
  using std::exp;
  using std::log;
  T sum = 2;
  for (const T& e : v) {
    sum += exp(e);
  }
  return log(sum);
}

/// The mean log-loss of predicting each character of `text` (one-hot rows) from those before it.
template <class T>
T lstm_objective(const LstmSize& size, const std::vector<T>& weights, const std::vector<T>& output,
                 const std::vector<double>& start, const std::vector<double>& text) {
  const int n = size.letters;
  std::vector<T> state(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    state[i] = start[i];
  }
  std::vector<T> signal(static_cast<std::size_t>(n));
  T total = 0;
  int count = 0;
  for (int t = 0; t + 1 < size.characters; ++t) {
    for (int i = 0; i < n; ++i) {
      signal[i] = text[t * n + i] * output[i];
    }
    for (int layer = 0; layer < size.layers; ++layer) {
      lstm_layer(n, weights, 8 * n * layer, state, 2 * n * layer, signal);
    }
    for (int i = 0; i < n; ++i) {
      signal[i] = signal[i] * output[n + i] + output[2 * n + i];
    }
    const T normaliser = log_sum_exp_plus_two(signal);
    for (int i = 0; i < n; ++i) {
      total += text[(t + 1) * n + i] * (signal[i] - normaliser);
    }
    count += n;
  }
  return -total / count;
}

}  // namespace ddx::bench
