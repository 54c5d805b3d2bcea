// A neural network whose layers are pointers into one buffer of weights, trained by one C loop.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Layer {
  int inputs;
  int outputs;
  double* weights;
  double* biases;
};

struct Network {
  int count;
  Layer layers[3];
  double* buffer;
};

bool make_network(Network* net, const int* sizes, int count, const double* seed, int seeds) {
  int total = 0;
  for (int l = 0; l < count; ++l) {
    total += (sizes[l] + 1) * sizes[l + 1];
  }
  net->buffer = static_cast<double*>(std::malloc(total * sizeof(double)));
  if (net->buffer == nullptr) {
    return false;
  }
  for (int i = 0; i < total; ++i) {
    net->buffer[i] = seed[i % seeds] * std::cos(0.7 * i);
  }
  net->count = count;
  double* at = net->buffer;
  for (int l = 0; l < count; ++l) {
    net->layers[l] = {sizes[l], sizes[l + 1], at, at + sizes[l] * sizes[l + 1]};
    at += (sizes[l] + 1) * sizes[l + 1];
  }
  return true;
}

void forward(const Network* net, const double* input, double* output) {
  double a[2][8];
  double* from = a[0];
  double* to = a[1];
  std::memcpy(from, input, net->layers[0].inputs * sizeof(double));
  for (const Layer* l = net->layers; l != net->layers + net->count; ++l) {
    for (int j = 0; j < l->outputs; ++j) {
      double z = l->biases[j];
      for (int i = 0; i < l->inputs; ++i) {
        z += l->weights[j * l->inputs + i] * from[i];
      }
      to[j] = l + 1 == net->layers + net->count ? z : std::tanh(z);
    }
    double* const swap = from;
    from = to;
    to = swap;
  }
  std::memcpy(output, from, net->layers[net->count - 1].outputs * sizeof(double));
}

double network_buffer(const std::vector<double>& seed, double x, double y) {
  const int sizes[] = {2, 3, 4, 2};
  Network net;
  if (!make_network(&net, sizes, 3, seed.data(), static_cast<int>(seed.size()))) {
    return 0;
  }
  const double inputs[2] = {x, y};
  double loss = 0;
  for (int step = 0; step < 3; ++step) {
    double out[2];
    forward(&net, inputs, out);
    loss += (out[0] - x) * (out[0] - x) + out[1] * out[1];
    net.layers[step].biases[0] -= 0.1 * out[0];
    net.layers[2].weights[step] *= 1 - 0.2 * out[1];
  }
  std::free(net.buffer);
  return loss;
}

DDX_CHECK_GRADIENT(network_buffer, at(std::vector{0.5, -0.2, 0.9, 0.4, -0.7}, 0.6, 0.3),
                   at(std::vector{1.2, 0.3}, -0.5, 0.8), at(std::vector{0.7}, 0.4, -1.1))

}  // namespace
