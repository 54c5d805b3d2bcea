// Transformations, inverses and quaternions of GLM.

#include "gradient_check.h"

#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/quaternion.hpp>

namespace {

double rotated(double a, double b) {
  const glm::dmat4 m = glm::rotate(glm::dmat4(1.0), a, glm::normalize(glm::dvec3(1.0, b, 0.3)));
  const glm::dvec4 v = m * glm::dvec4(b, a, 1.0, 1.0);
  return v.x * v.y + v.z + v[0];
}

double reflected(double a, double b) {
  const glm::dvec3 u(a, b, a * b);
  const glm::dvec3 n = glm::normalize(glm::dvec3(b, 1.0, 0.5));
  const glm::dvec3 r = glm::reflect(u, n) + glm::mix(u, n, 0.3) - glm::exp(u);
  return glm::distance(r, u) * r[1] + glm::max(u, n).x + glm::clamp(u.y, 0.0, 5.0);
}

double inverted(double a, double b) {
  glm::dmat3 m(a, b, 1, 0.5, a * b, 2, b, 1, 3);
  m[1] += glm::dvec3(a);
  m = glm::transpose(m) * 2.0;
  return glm::determinant(m) + glm::inverse(m)[0][1] + (glm::inverse(m) * glm::dvec3(a, 1, b)).z;
}

double turned(double a, double b) {
  const glm::dquat q = glm::angleAxis(a, glm::normalize(glm::dvec3(0.2, b, 1)));
  const glm::dvec3 v = q * glm::dvec3(b, 1, a);
  return v.x + v.y * v.z + q.w;
}

DDX_CHECK_GRADIENT(rotated, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(reflected, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(inverted, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))
DDX_CHECK_GRADIENT(turned, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
