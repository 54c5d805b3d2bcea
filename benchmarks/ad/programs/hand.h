/// \file
/// ADBench's hand tracking: a skinned hand model fitted to measured points.

#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace ddx::bench {

/// Three rows of a rigid or affine map; the fourth is 0 0 0 1.
template <class T>
struct Affine {
  std::array<std::array<T, 4>, 3> rows{};
};

template <class A, class B>
auto operator*(const Affine<A>& a, const Affine<B>& b) {
  using T = decltype(a.rows[0][0] * b.rows[0][0]);
  Affine<T> product;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      T sum = 0;
      for (int k = 0; k < 3; ++k) {
        sum += a.rows[i][k] * b.rows[k][j];
      }
      product.rows[i][j] = j == 3 ? sum + a.rows[i][3] : sum;
    }
  }
  return product;
}

struct Bone {
  int parent = -1;
  Affine<double> relative;          ///< To its parent, at rest.
  Affine<double> inverse_absolute;  ///< From the hand to the bone, at rest.
};

struct SkinVertex {
  std::array<double, 3> position{};
  std::vector<std::pair<int, double>> influences;  ///< Bone and weight.
};

struct MeasuredPoint {
  int vertex = 0;
  std::array<double, 3> position{};
};

/// Rotation by three angles about the axes, x first, then y, then z.
template <class T>
Affine<T> rotation_by_angles(const T& x, const T& z, const T& y) {
  using std::cos;
  using std::sin;
  const T cx = cos(x), sx = sin(x);
  const T cy = cos(y), sy = sin(y);
  const T cz = cos(z), sz = sin(z);
  const T zero = 0;
  Affine<T> r;
  r.rows[0] = {cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx, zero};
  r.rows[1] = {sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx, zero};
  r.rows[2] = {-sy, cy * sx, cy * cx, zero};
  return r;
}

/// Rotation about the axis `v` by its length.
template <class T>
Affine<T> rotation_about(const std::array<T, 3>& v) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  const T angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  Affine<T> r;
  if (angle < 1e-4) {
    for (int i = 0; i < 3; ++i) {
      r.rows[i][i] = 1;
    }
    return r;
  }
  const T x = v[0] / angle;
  const T y = v[1] / angle;
  const T z = v[2] / angle;
  const T s = sin(angle);
  const T c = cos(angle);
  const T zero = 0;
  r.rows[0] = {x * x + (1 - x * x) * c, x * y * (1 - c) - z * s, x * z * (1 - c) + y * s, zero};
  r.rows[1] = {x * y * (1 - c) + z * s, y * y + (1 - y * y) * c, y * z * (1 - c) - x * s, zero};
  r.rows[2] = {x * z * (1 - c) - y * s, z * y * (1 - c) + x * s, z * z + (1 - z * z) * c, zero};
  return r;
}

/// Half the sum of the squared distances between the measured points and their vertices.
///
/// The parameters: rotation and translation of the hand, then of each finger the two angles of its
/// first joint and the one angle of each of the other two.
struct HandFit {
  std::vector<Bone> bones;
  std::vector<SkinVertex> skin;
  std::vector<MeasuredPoint> points;

  template <class T>
  T operator()(const std::vector<T>& parameters) const {
    std::vector<std::array<T, 3>> angles(bones.size());
    int next = 6;
    for (int finger = 0; finger < 5; ++finger) {
      for (int joint = 0; joint < 3; ++joint) {
        // The wrist is bone 0; each finger has four bones, of which the first does not bend.
        std::array<T, 3>& bend = angles[4 * finger + joint + 2];
        bend[0] = parameters[next++];
        if (joint == 0) {
          bend[1] = parameters[next++];
        }
      }
    }
    std::vector<Affine<T>> absolute(bones.size());
    std::vector<Affine<T>> transform(bones.size());
    for (std::size_t b = 0; b < bones.size(); ++b) {
      const Affine<T> relative =
          bones[b].relative * rotation_by_angles(angles[b][0], angles[b][1], angles[b][2]);
      if (bones[b].parent < 0) {
        absolute[b] = relative;
      } else {
        absolute[b] = absolute[bones[b].parent] * relative;
      }
      transform[b] = absolute[b] * bones[b].inverse_absolute;
    }

    const Affine<T> global =
        rotation_about(std::array<T, 3>{parameters[0], parameters[1], parameters[2]});
    std::vector<std::array<T, 3>> positions(skin.size());
    for (std::size_t v = 0; v < skin.size(); ++v) {
      const std::array<double, 3>& rest = skin[v].position;
      std::array<T, 3> bent{};
      for (const auto& [bone, weight] : skin[v].influences) {
        for (int i = 0; i < 3; ++i) {
          const std::array<T, 4>& row = transform[bone].rows[i];
          bent[i] += weight * (row[0] * rest[0] + row[1] * rest[1] + row[2] * rest[2] + row[3]);
        }
      }
      for (int i = 0; i < 3; ++i) {
        const std::array<T, 4>& row = global.rows[i];
        positions[v][i] =
            row[0] * bent[0] + row[1] * bent[1] + row[2] * bent[2] + parameters[3 + i];
      }
    }

    T sum = 0;
    for (const MeasuredPoint& point : points) {
      for (int i = 0; i < 3; ++i) {
        const T distance = point.position[i] - positions[point.vertex][i];
        sum += distance * distance;
      }
    }
    return 0.5 * sum;
  }
};

}  // namespace ddx::bench
