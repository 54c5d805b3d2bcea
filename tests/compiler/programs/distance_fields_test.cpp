// Rays marched through shapes with two bases: distances by virtual calls, normals from differences.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace {

struct Vec {
  double x;
  double y;
  double z;
};

Vec operator+(const Vec& a, const Vec& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
Vec operator*(double s, const Vec& a) {
  return {s * a.x, s * a.y, s * a.z};
}

class Shape {
 public:
  Shape() = default;
  Shape(const Shape&) = delete;
  Shape& operator=(const Shape&) = delete;
  virtual ~Shape() = default;
  [[nodiscard]] virtual double distance(const Vec& p) const = 0;
  [[nodiscard]] double slope(const Vec& p) const {
    return (distance(p + Vec{0, 0, 0.01}) - distance(p + Vec{0, 0, -0.01})) / 0.02;
  }
};

class Material {
 public:
  explicit Material(double albedo) : albedo_(albedo) {}
  Material(const Material&) = delete;
  Material& operator=(const Material&) = delete;
  virtual ~Material() = default;
  [[nodiscard]] virtual double shade(double slope) const { return albedo_ * (1 + slope * slope); }

 protected:
  double albedo_;
};

class Ball : public Shape, public Material {
 public:
  Ball(const Vec& c, double r, double albedo) : Material(albedo), center_(c), radius_(r) {}
  [[nodiscard]] double distance(const Vec& p) const override {
    const Vec d = p + -1.0 * center_;
    return std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z) - radius_;
  }

 private:
  Vec center_;
  double radius_;
};

class Floor : public Material, public Shape {
 public:
  Floor(double height, double albedo) : Material(albedo), height_(height) {}
  [[nodiscard]] double distance(const Vec& p) const override { return p.y - height_; }
  [[nodiscard]] double shade(double slope) const override { return 0.5 * albedo_ - slope; }

 private:
  double height_;
};

double distance_fields(double radius, double height, double albedo) {
  const Ball ball({0.1, 0.2, 2}, radius, albedo);
  const Floor floor(height, 0.3 * albedo);
  const std::array<const Shape*, 2> shapes{&floor, &ball};
  double light = 0;
  for (int ray = 0; ray < 3; ++ray) {
    const Vec direction{0.1 * ray, 0.05 - 0.25 * ray, 0.9};
    double t = 0;
    const Shape* nearest = nullptr;
    for (int i = 0; i < 8; ++i) {
      nearest = shapes[0];
      for (const Shape* s : shapes) {
        if (s->distance(t * direction) < nearest->distance(t * direction)) {
          nearest = s;
        }
      }
      t += 0.8 * nearest->distance(t * direction);
    }
    const auto* material = dynamic_cast<const Material*>(nearest);
    light += material->shade(nearest->slope(t * direction)) / (1 + t);
  }
  return light;
}

DDX_CHECK_GRADIENT(distance_fields, at(0.7, -0.6, 0.8), at(0.4, -0.3, 0.5), at(1.1, -1.2, 0.9))

}  // namespace
