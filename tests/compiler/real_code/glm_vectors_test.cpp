// Vectors of GLM.

#include "gradient_check.h"

#include <glm/glm.hpp>
#include <glm/gtc/matrix_transform.hpp>

namespace {

double glm_vectors(double a, double b, double c) {
  const glm::dvec3 u(a, b, 1.0);
  const glm::dvec3 v(c, a * b, 0.5);
  const glm::dvec3 w = glm::cross(u, v) + 0.3 * glm::normalize(u);
  return glm::dot(w, v) + glm::length(w);
}

DDX_CHECK_GRADIENT(glm_vectors, at(0.5, 0.7, 0.2), at(1.1, -0.4, 0.8), at(-0.3, 0.9, 1.3))

}  // namespace
