// State outside the function: a global, a static local, a thread_local, all set before they are
// read.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

double global_gain;
std::array<double, 3> global_table;
thread_local double last_residual;

struct Model {
  static double shared_bias;
  [[nodiscard]] double operator()(double x) const { return global_gain * x + shared_bias; }
};
double Model::shared_bias = 0;

double& accumulator() {
  static double sum;
  return sum;
}

void set_up(double gain, double bias) {
  global_gain = gain;
  Model::shared_bias = bias * bias;
  for (std::size_t i = 0; i < global_table.size(); ++i) {
    global_table[i] = std::sin(gain * static_cast<double>(i) + bias);
  }
  accumulator() = 0;
  last_residual = 0.1 * gain;
}

double lookup(double x) {
  static std::vector<double> cache;
  cache.assign(global_table.begin(), global_table.end());
  cache[1] *= x;
  return cache[0] + cache[1] * cache[2];
}

double globals_and_statics(const std::vector<double>& inputs, double gain, double bias) {
  set_up(gain, bias);
  const Model model;
  for (const double x : inputs) {
    const double residual = model(x) - last_residual;
    accumulator() += residual * residual;
    last_residual = 0.5 * residual;
    global_gain *= 0.9;
    global_table[2] += lookup(x);
  }
  return accumulator() + global_gain * global_table[2] + last_residual;
}

DDX_CHECK_GRADIENT(globals_and_statics, at(std::vector{0.5, -0.2, 0.9}, 0.8, 0.3),
                   at(std::vector{1.2}, -0.5, 0.6), at(std::vector{0.3, 0.6, -0.4, 1.1}, 1.3, -0.4))

}  // namespace
