// Vectors as graphics libraries write them: members with several names, and subscripts that choose
// among members.

#include "gradient_check.h"

#include <cassert>
#include <cmath>

namespace {

struct Vec3 {
  union {
    double x, r;
  };
  union {
    double y, g;
  };
  union {
    double z, b;
  };
  Vec3() = default;
  Vec3(double x_, double y_, double z_) : x(x_), y(y_), z(z_) {}
  explicit Vec3(double all) : r(all), g(all), b(all) {}
  double& operator[](int i) {
    assert(i >= 0 && i < 3);
    switch (i) {
      default:
      case 0:
        return x;
      case 1:
        return y;
      case 2:
        return z;
    }
  }
  const double& operator[](int i) const {
    switch (i) {
      case 1:
        return y;
      case 2:
        return z;
      default:
        return x;
    }
  }
  Vec3& operator+=(const Vec3& other) {
    r += other.r;
    y += other.g;
    b += other.z;
    return *this;
  }
  DDX_DIFFERENTIABLE(Vec3, x, y, z)
};

Vec3 operator*(const Vec3& v, double by) {
  return Vec3(v.x * by, v.g * by, v.b * by);
}
double dot(const Vec3& u, const Vec3& v) {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}

double several_names(double p, double q) {
  Vec3 v(p, q, p * q);
  v.r *= q;        // Is v.x.
  v.g += v.x * p;  // Is v.y.
  const Vec3 copy = v;
  v.z = copy.b * v.r;
  return v.b * copy.g + dot(v, copy);
}

double subscripts(double p, double q) {
  Vec3 v(p);
  v[1] = q * v[0];
  v[2] *= v[1] + v[0];
  Vec3& again = v;
  again[0] += again[2] * q;
  return dot(v, v * q) + v[1];
}

double added(const Vec3& start, double p) {
  Vec3 sum = start;
  for (int i = 0; i < 3; ++i) {
    sum += start * (p + i);
    sum.g *= sum.x;
  }
  return std::sin(sum.r) * sum.y + sum[2];
}

template <int position>
double& part(Vec3& v) {
  return v[position];
}

enum class Axis { X, Y, Z };
double& along(Vec3& v, Axis axis) {
  switch (axis) {
    case Axis::X:
      return v.x;
    case Axis::Y:
      return v.y;
    case Axis::Z:
    default:
      return v.z;
  }
}

double other_choices(double p, double q) {
  Vec3 v(p, q, 1);
  part<1>(v) *= p;
  along(v, Axis::Z) = v[1] * q;
  along(v, Axis::X) -= part<2>(v);
  return v.x * v.y * v.z + v.x;
}

DDX_CHECK_GRADIENT(several_names, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(subscripts, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))
DDX_CHECK_GRADIENT(added, at(Vec3(0.5, 0.7, 0.2), 0.3), at(Vec3(1.1, -2.4, 0.1), -0.3),
                   at(Vec3(-0.2, 0.4, 0.9), 1.2))
DDX_CHECK_GRADIENT(other_choices, at(0.5, 0.7), at(1.1, -2.4), at(-0.3, 1.9))

}  // namespace
