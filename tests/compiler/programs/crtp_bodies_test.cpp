// Bodies by the curiously recurring template pattern, a mixin that counts, members as policies.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

template <class Derived>
struct Body {
  double x = 0;
  double v = 0;

  void step(double h) {
    auto& self = static_cast<Derived&>(*this);
    const double a = self.force(x) / self.mass();
    v += h * a;
    x += h * v;
    self.record(h);
  }
};

template <class Derived>
struct Recorded {
  double action = 0;
  void record(double h) {
    const auto& self = static_cast<const Derived&>(*this);
    action += h * (0.5 * self.mass() * self.v * self.v + self.force(self.x) * self.x);
  }
};

struct Spring : Body<Spring>, Recorded<Spring> {
  double stiffness = 1;
  [[nodiscard]] double mass() const { return 1 + 0.1 * stiffness; }
  [[nodiscard]] double force(double at) const { return -stiffness * at; }
};

struct Pendulum : Body<Pendulum>, Recorded<Pendulum> {
  double length = 1;
  Spring* tether = nullptr;
  [[nodiscard]] double mass() const { return length * length; }
  [[nodiscard]] double force(double at) const {
    return -length * std::sin(at) + 0.2 * (tether == nullptr ? 0 : tether->x);
  }
};

double crtp_bodies(double stiffness, double length, double start) {
  Spring spring;
  spring.stiffness = stiffness;
  spring.x = start;
  std::array<Pendulum, 2> pendulums;
  pendulums[0].length = length;
  pendulums[0].tether = &spring;
  pendulums[1].x = 0.5 * start;
  for (int i = 0; i < 6; ++i) {
    spring.step(0.2);
    for (Pendulum& p : pendulums) {
      p.step(0.1);
    }
    if (i == 3) {
      pendulums[1].tether = &spring;
    }
  }
  return spring.action + pendulums[0].action * pendulums[1].x + pendulums[1].action;
}

DDX_CHECK_GRADIENT(crtp_bodies, at(1.5, 0.8, 0.6), at(0.7, 1.3, -0.4), at(2.2, 1.1, 0.9))

}  // namespace
