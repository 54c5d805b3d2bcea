// A model whose parameters are looked up by name.

#include "gradient_check.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace {

using Parameters = std::map<std::string, double>;

double damped(const Parameters& p, double t) {
  return p.at("amplitude") * std::exp(-p.at("decay") * t) *
         std::cos(p.at("frequency") * t + p.at("phase"));
}

double parameter_map(double amplitude, double decay, double frequency,
                     const std::vector<double>& observed) {
  Parameters parameters{{"amplitude", amplitude}, {"decay", decay}};
  parameters["frequency"] = frequency;
  parameters["phase"] = 0.1 * amplitude;
  double loss = 0;
  double t = 0;
  for (const double y : observed) {
    const double r = damped(parameters, t) - y;
    loss += r * r;
    t += 0.3;
    parameters["decay"] *= 1.01;
  }
  for (const auto& [name, value] : parameters) {
    loss = loss * 0.9 + (name == "phase" ? 0.5 : 0.1) * value * value;
  }
  return loss;
}

DDX_CHECK_GRADIENT(parameter_map, at(1.0, 0.3, 2.0, std::vector{0.9, 0.5, -0.2}),
                   at(0.7, 0.8, 1.1, std::vector<double>{}), at(1.4, 0.1, 3.0, std::vector{0.2}))

}  // namespace
