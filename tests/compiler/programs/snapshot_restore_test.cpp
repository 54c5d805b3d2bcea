// Particles in plain structs: a snapshot by memcpy, trial steps, and rejection by copying it back.

#include "gradient_check.h"

#include <cmath>
#include <cstring>

namespace {

struct Particle {
  int charge;
  double position[2];
  double velocity[2];
};

constexpr int count = 3;

double energy(const Particle* p) {
  double e = 0;
  for (int i = 0; i < count; ++i) {
    e += 0.5 * (p[i].velocity[0] * p[i].velocity[0] + p[i].velocity[1] * p[i].velocity[1]);
    for (int j = 0; j < i; ++j) {
      const double dx = p[i].position[0] - p[j].position[0];
      const double dy = p[i].position[1] - p[j].position[1];
      e += p[i].charge * p[j].charge / std::sqrt(dx * dx + dy * dy + 0.3);
    }
  }
  return e;
}

void drift(Particle* p, double h) {
  for (Particle* q = p; q < p + count; ++q) {
    for (int k = 0; k < 2; ++k) {
      q->position[k] += h * q->velocity[k];
      q->velocity[k] -= h * q->charge * q->position[k];
    }
  }
}

double snapshot_restore(double spread, double speed, double h) {
  Particle now[count];
  for (int i = 0; i < count; ++i) {
    now[i] = {1 + i % 2, {spread * std::cos(i), spread * std::sin(2.0 * i)}, {speed, -0.3 * i}};
  }
  Particle saved[count];
  double accepted = 0;
  for (int trial = 0; trial < 6; ++trial) {
    std::memcpy(saved, now, sizeof(now));
    const double before = energy(now);
    drift(now, h * (1 + trial % 3));
    if (energy(now) > before + 0.02) {
      std::memcpy(now, saved, sizeof(saved));
      std::memcpy(&now[0], &saved[2], sizeof(Particle));
      now[0].position[0] += 0.1;
    } else {
      accepted += energy(now);
    }
  }
  return accepted + now[0].position[0] * now[2].velocity[1];
}

DDX_CHECK_GRADIENT(snapshot_restore, at(0.8, 0.5, 0.1), at(1.3, -0.7, 0.05), at(0.5, 0.2, 0.2))

}  // namespace
