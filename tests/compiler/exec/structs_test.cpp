#include "gradient_check.h"

#include <cmath>
#include <utility>
#include <vector>

namespace {

struct Point {
  double x = 0;
  double y = 0;
  DDX_DIFFERENTIABLE(Point, x, y)
};

struct Segment {
  Point from;
  Point to;
  int label = 0;
  DDX_DIFFERENTIABLE(Segment, from, to)
  DDX_NO_DERIVATIVE(label)
};

struct Body {
  double position[2] = {0, 0};
  std::vector<double> history;
  double mass = 1;
  DDX_DIFFERENTIABLE(Body, mass)
  DDX_NO_DERIVATIVE(position, history)
};

double squared_length(const Point& p) {
  return p.x * p.x + p.y * p.y;
}

double fields(const Point& p) {
  return p.x * std::sin(p.y) + p.y;
}

double nested_fields(const Segment& s) {
  return (s.to.x - s.from.x) * (s.to.y - s.from.y) * (s.label + 1) + s.from.x;
}

double aggregate_built(double a, double b) {
  const Point p{a * b, b};
  Point q{.x = p.y, .y = p.x};
  q.x += p.x;
  return squared_length(q) - p.x;
}

double struct_by_value(Point p) {
  p.x *= p.y;
  p.y += p.x;
  return squared_length(p);
}

Point scaled(const Point& p, double by) {
  return {p.x * by, p.y * by};
}

double returned_struct(const Point& p, double by) {
  const Point q = scaled(scaled(p, by), p.x);
  return squared_length(q) + scaled(q, 2).y;
}

void move_by(Point& p, const Point& step) {
  p.x += step.x;
  p.y += step.y * p.x;
}

double struct_changed_in_place(const Segment& s) {
  Point p = s.from;
  move_by(p, s.to);
  move_by(p, p);
  return squared_length(p);
}

double state_through_loop(double x, int n) {
  Point state{x, 1};
  for (int i = 0; i < n; ++i) {
    const Point before = state;
    state.x = before.x * 0.5 + before.y;
    state.y = before.y - x * before.x;
  }
  return state.x * state.y;
}

double copied_and_changed(const Segment& s) {
  Segment t = s;
  t.to = s.from;
  t.from.x *= t.to.y;
  t = Segment{t.to, t.from, 3};
  return squared_length(t.from) * t.to.x + t.label;
}

double default_members(double a) {
  Point p;
  p.y = a;
  const Point origin{};
  return squared_length(p) * a + p.x + origin.y;
}

double array_of_structs(double a, double b) {
  Point path[3] = {{a, b}, {b, 1}, {}};
  for (int i = 1; i < 3; ++i) {
    move_by(path[i], path[i - 1]);
  }
  return squared_length(path[2]);
}

double pair_of_values(const std::pair<double, double>& p) {
  std::pair<double, double> q{p.second, p.first * p.second};
  q.first += q.second;
  return q.first * p.first;
}

std::pair<double, int> halved(double x) {
  int count = 0;
  while (x > 1) {
    x /= 2;
    ++count;
  }
  return {x, count};
}

double pair_returned(double x) {
  const auto result = halved(x);
  return result.first * result.first * result.second;
}

double pair_unpacked(double x) {
  const auto [rest, count] = halved(x * x);
  return rest * count + x;
}

double struct_unpacked(const Point& p) {
  const auto [x, y] = scaled(p, 3);
  return x * y * y;
}

double left_out_fields(const Body& b) {
  double s = b.mass * b.position[0];
  for (const double h : b.history) {
    s += h * b.mass * b.mass;
  }
  return s;
}

const Segment s1{{0.5, 1.0}, {2.0, -1.0}, 2};
const Segment s2{{-0.3, 0.4}, {0.7, 1.9}, 0};
const Segment s3{{1.3, -0.4}, {0.2, 0.6}, -3};

DDX_CHECK_GRADIENT(fields, at(s1.from), at(s2.from), at(s3.to))
DDX_CHECK_GRADIENT(nested_fields, at(s1), at(s2), at(s3))
DDX_CHECK_GRADIENT(aggregate_built, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(struct_by_value, at(s1.from), at(s2.from), at(s3.to))
DDX_CHECK_GRADIENT(returned_struct, at(s1.from, 0.5), at(s2.from, -1.0), at(s3.to, 1.5))
DDX_CHECK_GRADIENT(struct_changed_in_place, at(s1), at(s2), at(s3))
DDX_CHECK_GRADIENT(state_through_loop, at(0.5, 4), at(-1.0, 0), at(1.5, 3))
DDX_CHECK_GRADIENT(copied_and_changed, at(s1), at(s2), at(s3))
DDX_CHECK_GRADIENT(default_members, at(0.5), at(-1.0), at(1.5))
DDX_CHECK_GRADIENT(array_of_structs, at(0.5, 1.0), at(-1.2, 0.4), at(2.0, -0.7))
DDX_CHECK_GRADIENT(pair_of_values, at(std::pair{0.5, 1.0}), at(std::pair{-1.2, 0.4}),
                   at(std::pair{2.0, -0.7}))
DDX_CHECK_GRADIENT(pair_returned, at(0.5), at(3.1), at(9.7))
DDX_CHECK_GRADIENT(pair_unpacked, at(0.5), at(3.1), at(-1.7))
DDX_CHECK_GRADIENT(struct_unpacked, at(s1.from), at(s2.from), at(s3.to))
DDX_CHECK_GRADIENT(left_out_fields, at(Body{{1, 2}, {3, 4}, 0.5}), at(Body{{1, 2}, {}, -0.7}),
                   at(Body{{-3, 2}, {1}, 2.0}))

}  // namespace
