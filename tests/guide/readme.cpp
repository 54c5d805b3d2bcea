// The example of README.md.

// [example]
#include <cmath>
#include <cstdio>
#include <ddx/ddx.h>

// How far a ball lands, thrown at `speed` and `angle`, with drag: an ordinary simulation loop.
double distance(double speed, double angle) {
  double x = 0, y = 0, vx = speed * std::cos(angle), vy = speed * std::sin(angle);
  const double dt = 0.001, drag = 0.05;
  while (y >= 0) {
    const double friction = drag * std::sqrt(vx * vx + vy * vy);
    vx -= dt * friction * vx;
    vy -= dt * (9.81 + friction * vy);
    x += dt * vx;
    y += dt * vy;
  }
  return x - y * vx / vy;  // where the last step crossed the ground
}

int main() {
  const auto [reached, slope] = ddx::value_with_gradient(distance, 20.0, 0.6);
  const auto [by_speed, by_angle] = slope;
  std::printf("reaches %.3f m; %.3f m per m/s, %.3f m per radian\n", reached, by_speed, by_angle);
}
// [/example]
