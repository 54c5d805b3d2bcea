// Matrices of GLM.

#include "gradient_check.h"

#include <glm/glm.hpp>

namespace {

double glm_matrices(double a, double b, double c) {
  glm::dmat3 m(1.0);
  m[0][1] = a;
  m[2] = glm::dvec3(b, c, 2.0);
  const glm::dmat3 p = m * glm::transpose(m);
  const glm::dvec3 v = p * glm::dvec3(a, 1, c);
  return glm::determinant(p) * v.x + v.y * v.z;
}

DDX_CHECK_GRADIENT(glm_matrices, at(0.5, 0.7, 0.2), at(1.1, -0.4, 0.8), at(-0.3, 0.9, 1.3))

}  // namespace
