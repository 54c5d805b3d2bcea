// Planets: a vector of structs, operators on points, leapfrog steps, the energy at the end.

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

struct Point {
  double x = 0;
  double y = 0;
  double z = 0;
  DDX_DIFFERENTIABLE(Point, x, y, z)

  Point& operator+=(const Point& o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
};
Point operator-(const Point& a, const Point& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Point operator*(double s, const Point& p) {
  return {s * p.x, s * p.y, s * p.z};
}
double dot(const Point& a, const Point& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

struct Body {
  double mass;
  Point position;
  Point velocity;
  DDX_DIFFERENTIABLE(Body, mass, position, velocity)
};

std::vector<Point> accelerations(const std::vector<Body>& bodies) {
  std::vector<Point> result(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    for (std::size_t j = 0; j < bodies.size(); ++j) {
      if (i == j) {
        continue;
      }
      const Point d = bodies[j].position - bodies[i].position;
      const double r2 = dot(d, d) + 0.01;
      result[i] += bodies[j].mass / (r2 * std::sqrt(r2)) * d;
    }
  }
  return result;
}

double energy(const std::vector<Body>& bodies) {
  double e = 0;
  for (auto a = bodies.begin(); a != bodies.end(); ++a) {
    e += 0.5 * a->mass * dot(a->velocity, a->velocity);
    for (auto b = bodies.begin(); b != a; ++b) {
      const Point d = a->position - b->position;
      e -= a->mass * b->mass / std::sqrt(dot(d, d) + 0.01);
    }
  }
  return e;
}

double nbody(std::vector<Body> bodies, double dt, int steps) {
  for (int n = 0; n < steps; ++n) {
    std::vector<Point> a = accelerations(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].velocity += 0.5 * dt * a[i];
      bodies[i].position += dt * bodies[i].velocity;
    }
    a = accelerations(bodies);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies[i].velocity += 0.5 * dt * a[i];
    }
  }
  return energy(bodies) + bodies[0].position.x * bodies.back().velocity.y;
}

const std::vector<Body> three{{1.0, {0.1, 0, 0}, {0, 0.1, 0}},
                              {0.3, {1, 0.2, 0}, {0.1, 0.9, 0.1}},
                              {0.1, {-1.5, 0.1, 0.4}, {0.2, -0.7, 0}}};
const std::vector<Body> two{{1.0, {0.3, 0, 0.5}, {0, 0.2, 0}},
                            {0.6, {1.2, 0, 0.1}, {-0.1, 0.8, 0}}};
DDX_CHECK_GRADIENT(nbody, at(three, 0.1, 4), at(two, 0.05, 3), at(two, 0.2, 0))

}  // namespace
