// A scene of shapes behind a base class; the nearest hit is optional.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

namespace {

struct Vec {
  double x = 0;
  double y = 0;
  double z = 0;
};
Vec operator+(const Vec& a, const Vec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator-(const Vec& a, const Vec& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vec operator*(const Vec& a, double s) {
  return {a.x * s, a.y * s, a.z * s};
}
double dot(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
Vec normalised(const Vec& a) {
  return a * (1 / std::sqrt(dot(a, a)));
}

struct Ray {
  Vec origin;
  Vec direction;
};

class Shape {
 public:
  virtual ~Shape() = default;
  [[nodiscard]] virtual std::optional<double> hit(const Ray& ray) const = 0;
  [[nodiscard]] virtual Vec normal(const Vec& at) const = 0;
};

class Sphere final : public Shape {
 public:
  Sphere(const Vec& centre, double radius) : centre_(centre), radius_(radius) {}
  [[nodiscard]] std::optional<double> hit(const Ray& ray) const override {
    const Vec to = centre_ - ray.origin;
    const double along = dot(to, ray.direction);
    const double discriminant = along * along - dot(to, to) + radius_ * radius_;
    if (discriminant < 0) {
      return std::nullopt;
    }
    return along - std::sqrt(discriminant);
  }
  [[nodiscard]] Vec normal(const Vec& at) const override { return (at - centre_) * (1 / radius_); }

 private:
  Vec centre_;
  double radius_;
};

class Floor final : public Shape {
 public:
  explicit Floor(double height) : height_(height) {}
  [[nodiscard]] std::optional<double> hit(const Ray& ray) const override {
    if (ray.direction.y >= 0) {
      return std::nullopt;
    }
    return (height_ - ray.origin.y) / ray.direction.y;
  }
  [[nodiscard]] Vec normal(const Vec&) const override { return {0, 1, 0}; }

 private:
  double height_;
};

double ray_tracer(double radius, double height, double light) {
  std::vector<std::unique_ptr<Shape>> scene;
  scene.push_back(std::make_unique<Sphere>(Vec{0.2, 0.1, 3}, radius));
  scene.push_back(std::make_unique<Floor>(height));
  const Vec lamp = normalised({light, 1, -0.5});
  double brightness = 0;
  for (int pixel = 0; pixel < 6; ++pixel) {
    const Ray ray{{0, 0, 0}, normalised({0.05 * pixel, 0.2 - 0.13 * pixel, 1})};
    double nearest = 1e9;
    const Shape* seen = nullptr;
    for (const auto& shape : scene) {
      if (const auto t = shape->hit(ray); t && *t < nearest) {
        nearest = *t;
        seen = shape.get();
      }
    }
    if (seen != nullptr) {
      const Vec at = ray.origin + ray.direction * nearest;
      brightness = 0.9 * brightness + std::max(dot(seen->normal(at), lamp), 0.0) / (1 + nearest);
    }
  }
  return brightness;
}

DDX_CHECK_GRADIENT(ray_tracer, at(0.6, -0.8, 0.3), at(0.9, -1.5, -0.2), at(0.4, -0.5, 0.8))

}  // namespace
