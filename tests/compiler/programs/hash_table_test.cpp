// Particles binned into a hash table of cells; forces between neighbours in a cell.

#include "gradient_check.h"

#include <cmath>
#include <unordered_map>
#include <vector>

namespace {

struct Cell {
  double mass = 0;
  double moment = 0;
  int count = 0;
};

int hash(double x) {
  return static_cast<int>(std::floor(x / 0.5));
}

double hash_table(const std::vector<double>& position, double mass) {
  std::unordered_map<int, Cell> cells;
  for (std::size_t i = 0; i < position.size(); ++i) {
    Cell& cell = cells[hash(position[i])];
    const double m = mass * (1 + 0.1 * static_cast<double>(i));
    cell.mass += m;
    cell.moment += m * position[i] * cell.mass;
    ++cell.count;
  }
  double potential = 0;
  for (const double x : position) {
    for (int neighbour = -1; neighbour <= 1; ++neighbour) {
      const auto found = cells.find(hash(x) + neighbour);
      if (found == cells.end()) {
        continue;
      }
      const Cell& cell = found->second;
      const double centre = cell.moment / cell.mass;
      potential = 0.9 * potential + cell.mass / (1 + (x - centre) * (x - centre)) * cell.count;
    }
  }
  return potential;
}

DDX_CHECK_GRADIENT(hash_table, at(std::vector{0.1, 0.7, 0.3, 1.9}, 1.1), at(std::vector{0.4}, 0.6),
                   at(std::vector{-0.2, 0.2, 1.2}, 2.0))

}  // namespace
