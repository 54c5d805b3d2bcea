// A controller as a state machine of labels: every transition is a goto, some into earlier states.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

double goto_controller(const std::vector<double>& errors, double gain) {
  std::size_t i = 0;
  double output = 0.1;
  double integral = 0;
  double penalty = 0;

idle:
  if (i == errors.size()) {
    goto done;
  }
  output *= 0.9;
  if (errors[i] > 0.5) {
    goto track;
  }
  ++i;
  goto idle;

track:
  integral += gain * errors[i];
  output += 0.4 * errors[i] + 0.2 * integral;
  ++i;
  if (i == errors.size()) {
    goto done;
  }
  if (output > 1) {
    goto saturated;
  }
  if (errors[i] > 0) {
    goto track;
  }
  goto idle;

saturated:
  penalty += (output - 1) * (output - 1);
  output = std::tanh(output);
  integral *= 0.5;
  if (penalty < 0.3 && errors[i] > 0) {
    goto track;
  }
  ++i;
  goto idle;

done:
  return output * output + penalty + integral;
}

DDX_CHECK_GRADIENT(goto_controller, at(std::vector{0.2, 0.9, 0.8, -0.4, 1.2, 1.4, 0.6, 0.3}, 0.8),
                   at(std::vector{1.2, 2.3, 0.7}, 0.4),
                   at(std::vector{0.3, 0.1, 0.9, -0.2, 0.4, 0.7, 0.6}, 1.1))

}  // namespace
