#include "programs/kmeans.h"

#include "problem.h"
#include "program_problem.h"

#include <limits>
#include <tuple>
#include <vector>

namespace ddx::bench {
namespace {

using Vector = std::vector<double>;

/// The adjoint by hand: only the nearest centre of a point moves its part of the cost.
double cost_by_hand(const ClusteringCost& of, const Vector& centres, double* g) {
  const int dimension = of.dimension;
  const int count = static_cast<int>(of.points.size()) / dimension;
  const int clusters = static_cast<int>(centres.size()) / dimension;
  double cost = 0;
  for (int p = 0; p < count; ++p) {
    const double* const point = &of.points[p * dimension];
    double nearest = std::numeric_limits<double>::infinity();
    int chosen = 0;
    for (int c = 0; c < clusters; ++c) {
      double squared = 0;
      for (int i = 0; i < dimension; ++i) {
        const double difference = point[i] - centres[c * dimension + i];
        squared += difference * difference;
      }
      if (squared < nearest) {
        nearest = squared;
        chosen = c;
      }
    }
    cost += nearest;
    for (int i = 0; i < dimension; ++i) {
      g[chosen * dimension + i] -= 2 * (point[i] - centres[chosen * dimension + i]);
    }
  }
  return cost;
}

}  // namespace

Problem kmeans_problem(int points, int dimension, int clusters) {
  const auto c = kmeans_case(points, dimension, clusters);
  Problem problem = problem_of(c);
  problem.hand = [c](Vector& g) {
    return cost_by_hand(c.program, std::get<0>(c.inputs), g.data());
  };
  return problem;
}

}  // namespace ddx::bench
