/// \file
/// ADBench's bundle adjustment: the reprojection error of one observation.

#pragma once

#include <array>
#include <cmath>

namespace ddx::bench {

template <class T>
using Vector2 = std::array<T, 2>;
template <class T>
using Vector3 = std::array<T, 3>;

/// The positions of a camera's parameters: rotation (axis times angle), centre, focal length,
/// principal point, radial distortion.
namespace camera {
enum : int { rotation = 0, centre = 3, focal = 6, principal = 7, radial = 9, size = 11 };
}

template <class T>
using Camera = std::array<T, camera::size>;

template <class T>
Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <class T>
T dot(const Vector3<T>& a, const Vector3<T>& b) {
  T sum = 0;
  for (int i = 0; i < 3; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

/// Rodrigues' formula.
template <class T>
Vector3<T> rotated(const Vector3<T>& rotation, const Vector3<T>& point) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T squared_angle = dot(rotation, rotation);
  Vector3<T> result;
  if (squared_angle > 0) {
    const T angle = sqrt(squared_angle);
    const T c = cos(angle);
    const T s = sin(angle);
    const T inverse = 1.0 / angle;
    Vector3<T> axis;
    for (int i = 0; i < 3; ++i) {
      axis[i] = rotation[i] * inverse;
    }
    const Vector3<T> across = cross(axis, point);
    const T along = dot(axis, point) * (1.0 - c);
    for (int i = 0; i < 3; ++i) {
      result[i] = point[i] * c + across[i] * s + axis[i] * along;
    }
  } else {
    const Vector3<T> across = cross(rotation, point);
    for (int i = 0; i < 3; ++i) {
      result[i] = point[i] + across[i];
    }
  }
  return result;
}

template <class T>
void distort(const T& radial1, const T& radial2, Vector2<T>& p) {
  const T squared = p[0] * p[0] + p[1] * p[1];
  const T factor = 1.0 + radial1 * squared + radial2 * squared * squared;
  p[0] = p[0] * factor;
  p[1] = p[1] * factor;
}

template <class T>
Vector2<T> projected(const Camera<T>& c, const Vector3<T>& point) {
  Vector3<T> from_centre;
  for (int i = 0; i < 3; ++i) {
    from_centre[i] = point[i] - c[camera::centre + i];
  }
  const Vector3<T> rotation{c[camera::rotation], c[camera::rotation + 1], c[camera::rotation + 2]};
  const Vector3<T> seen = rotated(rotation, from_centre);
  Vector2<T> p{seen[0] / seen[2], seen[1] / seen[2]};
  distort(c[camera::radial], c[camera::radial + 1], p);
  return {p[0] * c[camera::focal] + c[camera::principal],
          p[1] * c[camera::focal] + c[camera::principal + 1]};
}

/// The weighted distance between the projection of `point` and its observation.
template <class T>
Vector2<T> reprojection_error(const Camera<T>& c, const Vector3<T>& point, const T& weight,
                              const Vector2<double>& feature) {
  const Vector2<T> p = projected(c, point);
  return {weight * (p[0] - feature[0]), weight * (p[1] - feature[1])};
}

}  // namespace ddx::bench
