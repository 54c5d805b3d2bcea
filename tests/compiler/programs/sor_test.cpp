// Successive over-relaxation of Poisson's equation in one flat array, updated in place.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

class Field {
 public:
  static constexpr int side = 6;
  [[nodiscard]] double at(int i, int j) const { return values_[index(i, j)]; }
  double& at(int i, int j) { return values_[index(i, j)]; }

 private:
  static int index(int i, int j) { return i * side + j; }
  std::array<double, side * side> values_{};
};

double sor(double omega, double charge, double wall) {
  Field u;
  for (int i = 0; i < Field::side; ++i) {
    u.at(i, 0) = wall;
    u.at(0, i) = 0.5 * wall * wall;
  }
  int sweeps = 0;
  double change = 0;
  do {
    change = 0;
    for (int i = 1; i < Field::side - 1; ++i) {
      for (int j = 1; j < Field::side - 1; ++j) {
        const double source = i == 3 && j == 2 ? charge : 0;
        const double relaxed =
            (u.at(i - 1, j) + u.at(i + 1, j) + u.at(i, j - 1) + u.at(i, j + 1) + source) / 4;
        const double difference = omega * (relaxed - u.at(i, j));
        u.at(i, j) += difference;
        change += difference * difference;
      }
    }
  } while (++sweeps < 15);
  double energy = 0;
  for (int i = 0; i < Field::side; ++i) {
    for (int j = 0; j + 1 < Field::side; ++j) {
      const double slope = u.at(i, j + 1) - u.at(i, j);
      energy += slope * slope * (1 + 0.1 * i);
    }
  }
  return energy + 0.1 * change;
}

DDX_CHECK_GRADIENT(sor, at(1.2, 0.7, 0.5), at(0.9, 1.5, -0.4), at(1.4, -0.3, 1.1))

}  // namespace
