// Particles that are copied as a whole, changed in two members, and copied back: what lies between
// the members, from the padding on, is never read by name.

#include "gradient_check.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct Motion {
  double position[2];
  double velocity[2];
};

struct Particle {
  double mass = 1;
  int collisions = 0;
  Motion motion = {};
  double charge = 0;
};

double energy(const std::vector<Particle>& particles) {
  double sum = 0;
  for (const Particle& p : particles) {
    const double* const v = p.motion.velocity;
    sum += 0.5 * p.mass * (v[0] * v[0] + v[1] * v[1]) +
           p.charge * std::sin(p.motion.position[0] * p.motion.position[1]) * p.collisions;
  }
  return sum;
}

double particle_copies(const std::vector<double>& x) {
  std::vector<Particle> now(x.size() / 4);
  for (std::size_t i = 0; i < now.size(); ++i) {
    now[i].motion = {{x[4 * i], x[4 * i + 1]}, {x[4 * i + 2], x[4 * i + 3]}};
    now[i].charge = x[i] + x[3 * i];
  }
  auto* const next = static_cast<Particle*>(std::malloc(now.size() * sizeof(Particle)));
  for (int step = 0; step < 3; ++step) {
    for (std::size_t i = 0; i < now.size(); ++i) {
      Particle particle = now[i];
      particle.mass *= 1.5 + 0.1 * particle.charge;
      particle.collisions += 1 + static_cast<int>(i);
      particle.charge = std::tanh(particle.charge * particle.mass);
      next[now.size() - 1 - i] = particle;
    }
    std::memcpy(now.data(), next, now.size() * sizeof(Particle));
    now[0].motion.velocity[1] *= 0.75;
  }
  std::free(next);
  return energy(now);
}

}  // namespace

DDX_CHECK_GRADIENT(particle_copies, at(std::vector{0.7, 1.2, -0.5, 0.9}),
                   at(std::vector{1.3, 0.4, 0.8, -0.6, 0.2, 0.9, -1.1, 0.5}),
                   at(std::vector{-0.2, 1.1, 0.5, 0.3, 0.4, -0.3, 0.6, 0.8}))
