// Atoms in a periodic box: Lennard-Jones forces with a cut-off, velocity Verlet, a thermostat.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <vector>

namespace {

struct Atom {
  std::array<double, 2> position{};
  std::array<double, 2> velocity{};
  std::array<double, 2> force{};
};

class Box {
 public:
  Box(double side, double depth) : side_(side), depth_(depth) {}

  void add(double x, double y, double vx, double vy) {
    Atom atom;
    atom.position = {x, y};
    atom.velocity = {vx, vy};
    atoms_.push_back(atom);
  }
  void advance(double dt) {
    forces();
    for (auto& atom : atoms_) {
      for (std::size_t k = 0; k < 2; ++k) {
        atom.velocity[k] += dt * atom.force[k];
        atom.position[k] += dt * atom.velocity[k];
        atom.position[k] -= side_ * std::floor(atom.position[k] / side_);
      }
    }
  }
  void thermostat(double target) {
    const double scale = std::sqrt(target / kinetic());
    for (auto& atom : atoms_) {
      atom.velocity[0] *= scale;
      atom.velocity[1] *= scale;
    }
  }
  [[nodiscard]] double kinetic() const {
    double sum = 0;
    for (const auto& atom : atoms_) {
      sum += 0.5 * (atom.velocity[0] * atom.velocity[0] + atom.velocity[1] * atom.velocity[1]);
    }
    return sum;
  }
  [[nodiscard]] const Atom& atom(std::size_t i) const { return atoms_.at(i); }

 private:
  void forces() {
    for (auto& atom : atoms_) {
      atom.force.fill(0);
    }
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      for (std::size_t j = i + 1; j < atoms_.size(); ++j) {
        std::array<double, 2> d;
        double r2 = 0;
        for (std::size_t k = 0; k < 2; ++k) {
          d[k] = atoms_[i].position[k] - atoms_[j].position[k];
          d[k] -= side_ * std::round(d[k] / side_);
          r2 += d[k] * d[k];
        }
        if (r2 > 6.25) {
          continue;
        }
        const double s6 = 1 / (r2 * r2 * r2);
        const double f = 24 * depth_ * s6 * (2 * s6 - 1) / r2;
        for (std::size_t k = 0; k < 2; ++k) {
          atoms_[i].force[k] += f * d[k];
          atoms_[j].force[k] -= f * d[k];
        }
      }
    }
  }
  double side_;
  double depth_;
  std::vector<Atom> atoms_;
};

double molecular_dynamics(double depth, double spacing, double heat) {
  Box box(6.0, depth);
  box.add(0.5, 0.5, 0.1, 0.2);
  box.add(0.5 + spacing, 0.6, -0.1, 0.3);
  box.add(0.7, 0.5 + spacing, 0.2, -0.2);
  for (int n = 0; n < 6; ++n) {
    box.advance(0.02);
    if (n % 3 == 2) {
      box.thermostat(heat);
    }
  }
  const auto& [x, v, f] = box.atom(1);
  return box.kinetic() + x[0] * v[1] + 0.1 * f[0];
}

DDX_CHECK_GRADIENT(molecular_dynamics, at(0.5, 1.2, 0.3), at(0.8, 1.3, 0.6), at(0.3, 1.5, 0.2))

}  // namespace
