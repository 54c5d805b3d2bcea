// Quadrature with static tables of nodes: constants, a constexpr table, a jagged table of pointers.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

struct Rule {
  int count;
  const double* nodes;
  const double* weights;
};

const double nodes_2[] = {-0.5773502691896257, 0.5773502691896257};
const double weights_2[] = {1, 1};
const double nodes_3[] = {-0.7745966692414834, 0, 0.7745966692414834};
const double weights_3[] = {0.5555555555555556, 0.8888888888888889, 0.5555555555555556};

const Rule rules[] = {{2, nodes_2, weights_2}, {3, nodes_3, weights_3}};

double integral(const Rule& rule, double low, double high, double (*f)(double, double), double a) {
  double sum = 0;
  for (int i = 0; i < rule.count; ++i) {
    const double x = 0.5 * ((high - low) * rule.nodes[i] + high + low);
    sum += rule.weights[i] * f(x, a);
  }
  return 0.5 * (high - low) * sum;
}

double wave(double x, double a) {
  static const double shifts[4] = {0.1, 0.4, -0.2, 0.3};
  double s = 0;
  for (const double shift : shifts) {
    s += std::sin(a * x + shift);
  }
  return s;
}

double quadrature_tables(double low, double high, double a, int rule) {
  static constexpr std::array<std::array<double, 2>, 3> panels{{{0, 0.3}, {0.3, 0.8}, {0.8, 1}}};
  double total = 0;
  for (const auto& [from, to] : panels) {
    const double width = high - low;
    total = 1.1 * total + integral(rules[rule], low + from * width, low + to * width, wave, a);
  }
  return total * rules[1 - rule].weights[1];
}

DDX_CHECK_GRADIENT(quadrature_tables, at(0.1, 0.9, 1.3, 0), at(-0.5, 1.4, 0.7, 1),
                   at(0.3, 0.4, 2.1, 1))

}  // namespace
