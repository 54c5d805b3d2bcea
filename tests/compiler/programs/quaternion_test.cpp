// The attitude of a spinning body by quaternions, and the direction of an antenna on it.

#include "gradient_check.h"

#include <array>
#include <cmath>

namespace {

using Vector = std::array<double, 3>;

class Quaternion {
 public:
  constexpr Quaternion() = default;
  Quaternion(double w, const Vector& v) : w_(w), v_(v) {}

  static Quaternion rotation(const Vector& axis, double angle) {
    const double s = std::sin(angle / 2);
    return {std::cos(angle / 2), {s * axis[0], s * axis[1], s * axis[2]}};
  }
  Quaternion operator*(const Quaternion& o) const {
    return {w_ * o.w_ - v_[0] * o.v_[0] - v_[1] * o.v_[1] - v_[2] * o.v_[2],
            {w_ * o.v_[0] + v_[0] * o.w_ + v_[1] * o.v_[2] - v_[2] * o.v_[1],
             w_ * o.v_[1] - v_[0] * o.v_[2] + v_[1] * o.w_ + v_[2] * o.v_[0],
             w_ * o.v_[2] + v_[0] * o.v_[1] - v_[1] * o.v_[0] + v_[2] * o.w_}};
  }
  Quaternion& operator*=(const Quaternion& o) { return *this = *this * o; }
  [[nodiscard]] Quaternion conjugate() const { return {w_, {-v_[0], -v_[1], -v_[2]}}; }
  void normalise() {
    const double n = std::sqrt(w_ * w_ + v_[0] * v_[0] + v_[1] * v_[1] + v_[2] * v_[2]);
    w_ /= n;
    for (double& c : v_) {
      c /= n;
    }
  }
  [[nodiscard]] Vector rotate(const Vector& p) const {
    return (*this * Quaternion(0, p) * conjugate()).v_;
  }

 private:
  double w_ = 1;
  Vector v_{};
};

double quaternion(const Vector& spin, double dt, double tilt) {
  Quaternion q;
  Vector omega = spin;
  for (int n = 0; n < 5; ++n) {
    const double rate = std::sqrt(omega[0] * omega[0] + omega[1] * omega[1] + omega[2] * omega[2]);
    q *= Quaternion::rotation({omega[0] / rate, omega[1] / rate, omega[2] / rate}, rate * dt);
    q.normalise();
    omega[2] += 0.1 * dt * omega[0] * omega[1];
    omega[0] -= 0.2 * dt * omega[1] * omega[2];
  }
  const auto [x, y, z] = q.rotate({std::cos(tilt), 0, std::sin(tilt)});
  return x * y + 2 * z - y;
}

DDX_CHECK_GRADIENT(quaternion, at(Vector{0.5, 0.3, 1.0}, 0.1, 0.4),
                   at(Vector{-0.2, 0.9, 0.4}, 0.3, -0.7), at(Vector{0.7, -0.1, -0.6}, 0.2, 1.2))

}  // namespace
