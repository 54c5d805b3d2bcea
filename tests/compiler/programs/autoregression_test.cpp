// An ARMA filter with a deque of past values, and a moving maximum.

#include "gradient_check.h"

#include <cmath>
#include <deque>
#include <vector>

namespace {

double autoregression(const std::vector<double>& input, double a, double b) {
  std::deque<double> past;
  std::deque<double> noise(2, 0.0);
  double loss = 0;
  for (const double x : input) {
    double predicted = b * noise.front() + 0.3 * noise.back();
    double weight = a;
    for (const double p : past) {
      predicted += weight * p;
      weight *= a;
    }
    const double error = x - predicted;
    loss = 0.95 * loss + error * error;
    noise.push_front(error);
    noise.pop_back();
    past.push_front(x);
    if (past.size() > 3) {
      past.pop_back();
    }
  }
  return loss + past[0] * a;
}

DDX_CHECK_GRADIENT(autoregression, at(std::vector{0.5, 0.9, 0.2, 1.4, 0.3}, 0.6, 0.5),
                   at(std::vector{1.0}, 0.4, 0.7), at(std::vector{-0.2, 0.7, 0.4}, 0.9, -0.4))

}  // namespace
