// Flow states in a union with a tag: conservative or primitive variables, converted in place.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Conservative {
  double density;
  double momentum;
  double energy;
};

struct Primitive {
  double density;
  double velocity;
  double pressure;
};

struct State {
  enum class Kind { Conservative, Primitive } kind;
  union {
    Conservative conservative;
    Primitive primitive;
  };
};

constexpr double gamma_minus_one = 0.4;

State from(const Primitive& p) {
  State s;
  s.kind = State::Kind::Primitive;
  s.primitive = p;
  return s;
}

void convert(State& s) {
  if (s.kind == State::Kind::Primitive) {
    const Primitive p = s.primitive;
    s.conservative = {p.density, p.density * p.velocity,
                      p.pressure / gamma_minus_one + 0.5 * p.density * p.velocity * p.velocity};
    s.kind = State::Kind::Conservative;
  } else {
    const Conservative c = s.conservative;
    const double velocity = c.momentum / c.density;
    s.primitive = {c.density, velocity, gamma_minus_one * (c.energy - 0.5 * c.momentum * velocity)};
    s.kind = State::Kind::Primitive;
  }
}

Conservative flux(State s) {
  if (s.kind != State::Kind::Primitive) {
    convert(s);
  }
  const Primitive& p = s.primitive;
  const double energy = p.pressure / gamma_minus_one + 0.5 * p.density * p.velocity * p.velocity;
  return {p.density * p.velocity, p.density * p.velocity * p.velocity + p.pressure,
          p.velocity * (energy + p.pressure)};
}

double tagged_union_flux(double density, double velocity, double pressure) {
  std::vector<State> cells(4, from({1, 0.1, 0.8}));
  cells[1] = from({density, velocity, pressure});
  for (State& s : cells) {
    convert(s);
  }
  for (int step = 0; step < 3; ++step) {
    const std::vector<State> old = cells;
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const Conservative in = flux(old[i - 1]);
      const Conservative out = flux(old[i]);
      cells[i].conservative.density += 0.1 * (in.density - out.density);
      cells[i].conservative.momentum += 0.1 * (in.momentum - out.momentum);
      cells[i].conservative.energy += 0.1 * (in.energy - out.energy);
    }
  }
  convert(cells[2]);
  return cells[2].primitive.pressure + cells[3].conservative.momentum * cells[2].primitive.velocity;
}

DDX_CHECK_GRADIENT(tagged_union_flux, at(1.2, 0.5, 0.9), at(0.7, -0.3, 1.4), at(2.0, 0.2, 0.6))

}  // namespace
