// Tables of pointers to members: parameters and methods are chosen at run time.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

struct Cell {
  double pressure;
  double temperature;
  double fraction;

  [[nodiscard]] double density() const { return pressure / (1 + temperature); }
  [[nodiscard]] double reaction() const { return fraction * std::exp(-1 / temperature); }
  void heat(double by) { temperature += by; }
  void compress(double by) { pressure *= 1 + by; }
};

using Field = double Cell::*;
using Property = double (Cell::*)() const;
using Action = void (Cell::*)(double);

struct Stage {
  Property source;
  Action action;
  Field target;
};

void diffuse(std::vector<Cell>& cells, Field field, double rate) {
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const double exchanged = rate * (cells[i].*field - cells[i - 1].*field);
    cells[i].*field -= exchanged;
    cells[i - 1].*field += exchanged;
  }
}

double member_pointers(double pressure, double temperature, double rate) {
  std::vector<Cell> cells{{pressure, temperature, 0.3}, {1, 0.8, rate}, {0.7, 1.2, 0.5}};
  const std::array<Field, 3> fields{&Cell::pressure, &Cell::temperature, &Cell::fraction};
  const std::array<Stage, 2> stages{Stage{&Cell::reaction, &Cell::heat, &Cell::fraction},
                                    Stage{&Cell::density, &Cell::compress, &Cell::temperature}};
  for (int step = 0; step < 4; ++step) {
    for (const Stage& stage : stages) {
      for (Cell& cell : cells) {
        const double change = 0.1 * (cell.*stage.source)();
        (cell.*stage.action)(change);
        cell.*stage.target *= 1 - 0.5 * change;
      }
    }
    diffuse(cells, fields[step % 3], rate);
  }
  return cells[0].density() + cells[1].reaction() * cells[2].temperature;
}

DDX_CHECK_GRADIENT(member_pointers, at(1.2, 0.9, 0.2), at(0.6, 1.5, 0.4), at(2.1, 0.7, 0.1))

}  // namespace
