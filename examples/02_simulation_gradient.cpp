// The gradient of a whole simulation. How fast must a ball be thrown, with air drag, to land at a
// given distance? Each step of Newton's method differentiates the flight.

#include <cmath>
#include <cstdio>
#include <ddx/ad.h>

struct Throw {
  double speed = 0;  // m/s
  double angle = 0;  // rad
  DDX_DIFFERENTIABLE(Throw, speed, angle)
};

struct Ball {
  double x = 0;
  double y = 0;
  double vx = 0;
  double vy = 0;

  void step(double drag, double dt) {
    const double speed = std::sqrt(vx * vx + vy * vy);
    vx -= drag * speed * vx * dt;
    vy -= (9.81 + drag * speed * vy) * dt;
    x += vx * dt;
    y += vy * dt;
  }
};

/// The distance at which the ball lands, in metres.
double distance(const Throw& thrown, double drag) {
  const double dt = 0.001;
  Ball ball{0, 0, thrown.speed * std::cos(thrown.angle), thrown.speed * std::sin(thrown.angle)};
  Ball before = ball;
  while (ball.y >= 0) {
    before = ball;
    ball.step(drag, dt);
  }
  // The ground is crossed between the last two steps.
  const double part = before.y / (before.y - ball.y);
  return before.x + part * (ball.x - before.x);
}

int main() {
  const double mark = 30;
  Throw thrown{15, 0.8};
  double missed = 0;
  for (int i = 0; i < 20; ++i) {
    const auto [landed, slope] = ddx::value_with_gradient(distance, ddx::wrt<0>, thrown, 0.01);
    missed = landed - mark;
    std::printf("%8.4f m/s: %8.4f m, missed by %9.2e m; a steeper throw: %+.4f m per rad\n",
                thrown.speed, landed, missed, slope.angle);
    if (std::abs(missed) < 1e-9) {
      break;
    }
    thrown.speed -= missed / slope.speed;
  }
  return std::abs(missed) < 1e-6 ? 0 : 1;
}
