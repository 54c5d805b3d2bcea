#include "programs/kmeans.h"

#include "problem.h"
#include "program_problem.h"

namespace ddx::bench {

Problem kmeans_problem(int points, int dimension, int clusters) {
  return problem_of(kmeans_case(points, dimension, clusters));
}

}  // namespace ddx::bench
