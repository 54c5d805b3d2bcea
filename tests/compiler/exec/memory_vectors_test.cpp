#include "gradient_check.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Series {
  std::vector<double> values;
};

// Room that moves the elements: their cotangents are found where they lie then.
double reserved(double x, double y) {
  const auto first = std::make_unique<Series>();
  first->values = {x, y};
  first->values.reserve(100);
  const auto second = std::make_unique<Series>();
  second->values = {y, x * 3};
  second->values.reserve(50);
  second->values.push_back(first->values[1]);
  second->values.shrink_to_fit();
  return first->values[0] * x + first->values[1] * second->values[1] * second->values[2];
}
DDX_CHECK_GRADIENT(reserved, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

double exchanged(double x, double y) {
  const auto first = std::make_unique<Series>();
  first->values = {x, y};
  const auto second = std::make_unique<Series>();
  second->values = {y, x * 3, y * 2};
  std::swap(first->values, second->values);
  const auto taken = std::move(first->values);
  second->values.shrink_to_fit();
  return taken[0] * x + taken[2] * second->values[1];
}
DDX_CHECK_GRADIENT(exchanged, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

double copied_objects(double x, double y) {
  const auto first = std::make_shared<Series>();
  first->values = {x, y};
  const auto second = std::make_shared<Series>(*first);
  second->values[0] *= 2;
  *first = *second;
  first->values[1] += x;
  Series named = *first;
  named.values.push_back(named.values[0] * y);
  const auto third = std::make_shared<Series>(std::move(named));
  double sum = 0;
  for (const double v : third->values) {
    sum = sum * x + v;
  }
  for (double& v : second->values) {
    v *= v;
  }
  return sum + second->values[1] * second->values[0];
}
DDX_CHECK_GRADIENT(copied_objects, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

struct Particle {
  double x;
  double v;
};

class World {
 public:
  explicit World(double stiffness) : stiffness_(stiffness) {}
  void add(double x, double v) { particles_.push_back({x, v}); }
  void step(double dt) {
    for (Particle& p : particles_) {
      p.v -= stiffness_ * p.x * dt;
      p.x += p.v * dt;
    }
    energies_.push_back(energy());
  }
  [[nodiscard]] double energy() const {
    double sum = 0;
    for (const Particle& p : particles_) {
      sum += 0.5 * p.v * p.v + 0.5 * stiffness_ * p.x * p.x;
    }
    return sum;
  }
  [[nodiscard]] const std::vector<double>& history() const { return energies_; }

 private:
  double stiffness_;
  std::vector<Particle> particles_;
  std::vector<double> energies_;
};

// A simulation that owns what it grows.
double owned_simulation(double x, double y, int steps) {
  const auto world = std::make_unique<World>(x);
  world->add(y, 0.1);
  world->add(-y, x * y);
  for (int i = 0; i < steps; ++i) {
    world->step(0.1);
  }
  double sum = 0;
  for (const double e : world->history()) {
    sum = sum * 0.9 + e;
  }
  return sum;
}
DDX_CHECK_GRADIENT(owned_simulation, at(1.2, 0.7, 7), at(-0.4, 0.3, 1), at(0.5, 2.0, 0))

struct Item {
  double weight;
  std::vector<double> parts;
};

struct Store {
  std::vector<Item> items;
  std::vector<std::vector<double>> rows;
  std::vector<double> log;
};

double every_member(double x, double y) {
  const auto store = std::make_shared<Store>();
  for (int i = 0; i < 4; ++i) {
    store->items.push_back(Item{x * i, {y, x}});
    store->items.back().parts.push_back(y * i);
    store->rows.push_back(std::vector<double>(2, x + i));
  }
  store->rows.resize(6);
  store->rows[5].assign(3, y);
  store->rows[5].resize(5, x);
  store->rows[4].push_back(x);
  store->log.assign({x, y});
  store->log.pop_back();
  store->log.push_back(store->log[0] * store->log.back());
  store->log.emplace_back(y);
  store->log.resize(7);
  store->log[6] += x;
  store->log.resize(5);
  store->log.push_back(store->log[0]);  // An element that moves while it is copied.
  Store copy = *store;
  copy.log[0] *= 3;
  *store = copy;
  store->items.pop_back();
  double sum = 0;
  for (const Item& item : store->items) {
    sum = sum * 0.7 + item.weight;
    for (const double part : item.parts) {
      sum += part * part;
    }
  }
  for (auto& row : store->rows) {
    for (double& v : row) {
      v *= y;
      sum += v * v;
    }
  }
  for (const double v : store->log) {
    sum = sum * 1.1 + v;
  }
  store->log.clear();
  store->log.push_back(x);
  return sum * store->log[0];
}
DDX_CHECK_GRADIENT(every_member, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

struct Node {
  std::vector<double> data;
  std::unique_ptr<Node> next;
};

double nodes_with_vectors(double x, double y) {
  auto node = std::make_unique<Node>();
  node->data.push_back(x);
  node->next = std::make_unique<Node>();
  node->next->data = node->data;
  node->next->data.push_back(y);
  node->next->data.push_back(node->data[0] * 2);
  const auto taken = std::move(node->next);
  taken->data.resize(2);
  node.reset();
  return taken->data[0] * taken->data[1] * x;
}
DDX_CHECK_GRADIENT(nodes_with_vectors, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

struct Quadrant {
  double mass = 0;
  std::array<double, 2> centre{};
  std::unique_ptr<Quadrant> parts[4];
};

void insert(Quadrant& q, double x, double y, double mass, int depth) {
  q.centre[0] = (q.centre[0] * q.mass + x * mass) / (q.mass + mass);
  q.centre[1] = (q.centre[1] * q.mass + y * mass) / (q.mass + mass);
  q.mass += mass;
  if (depth == 0) {
    return;
  }
  const int place = (x > 0.21 * depth ? 1 : 0) + (y > 0.17 * depth ? 2 : 0);
  if (!q.parts[place]) {
    q.parts[place] = std::make_unique<Quadrant>();
  }
  insert(*q.parts[place], x, y, mass, depth - 1);
}

double pull(const Quadrant& q, double x, double y) {
  const double dx = q.centre[0] - x;
  const double dy = q.centre[1] - y;
  double sum = q.mass * dx / (dx * dx + dy * dy + 0.1);
  for (const auto& part : q.parts) {
    if (part) {
      sum += 0.5 * pull(*part, x, y);
    }
  }
  return sum;
}

// An array of links among the members.
double tree_of_quadrants(double x, double y) {
  const auto owned = std::make_unique<Quadrant>();
  insert(*owned, x, y, 1.0, 3);
  insert(*owned, -0.4, y * x, 1.5, 3);
  insert(*owned, 0.3, -0.6, x * x, 2);
  return pull(*owned, y, 0.2) * pull(*owned, -0.1, x);
}
DDX_CHECK_GRADIENT(tree_of_quadrants, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

struct Shape {
  Shape() = default;
  Shape(const Shape&) = default;
  Shape& operator=(const Shape&) = default;
  virtual ~Shape() = default;
  [[nodiscard]] virtual double area() const = 0;
};

struct Polygon : Shape {
  std::vector<std::array<double, 2>> points;
  int calls = 0;
  std::string name;
  Polygon(int n, double r) : name("polygon") {
    for (int i = 0; i < n; ++i) {
      points.push_back({r * std::cos(6.28 * i / n), r * r * std::sin(6.28 * i / n)});
      ++calls;
    }
  }
  [[nodiscard]] double area() const override {
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto& p = points[i];
      const auto& q = points[(i + 1) % points.size()];
      sum += p[0] * q[1] - q[0] * p[1];
    }
    return 0.5 * sum * calls;
  }
};

struct Scaled : Polygon {
  double factor;
  Scaled(int n, double r, double s) : Polygon(n, r), factor(s) {
    factor *= r;
    if (n > 3) {
      factor += s;
    }
  }
  [[nodiscard]] double area() const override {
    return factor * factor * Polygon::area() + static_cast<double>(name.size());
  }
};

// Constructors of objects with virtual functions that do more than initialise.
double constructor_bodies(double x, double y) {
  std::vector<std::unique_ptr<Shape>> shapes;
  shapes.push_back(std::make_unique<Polygon>(5, x));
  shapes.push_back(std::make_unique<Scaled>(3, y, x));
  shapes.emplace_back(new Scaled(4, y, x));
  const Scaled named(4, x, y);
  double sum = named.area();
  for (const auto& shape : shapes) {
    sum = sum * 0.5 + shape->area();
  }
  return sum;
}
DDX_CHECK_GRADIENT(constructor_bodies, at(1.2, 0.7), at(-0.4, 0.3), at(0.8, 1.6))

}  // namespace
