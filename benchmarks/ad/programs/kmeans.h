/// \file
/// The objective of k-means clustering.

#pragma once

#include "programs/case.h"

#include <cstddef>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

namespace ddx::bench {

/// The sum over the points of the squared distance to the nearest centre.
struct ClusteringCost {
  int dimension = 0;
  std::vector<double> points;

  template <class T>
  T operator()(const std::vector<T>& centres) const {
    const int count = static_cast<int>(points.size()) / dimension;
    const int clusters = static_cast<int>(centres.size()) / dimension;
    T cost = 0;
    for (int p = 0; p < count; ++p) {
      T nearest = std::numeric_limits<double>::infinity();
      for (int c = 0; c < clusters; ++c) {
        T squared = 0;
        for (int i = 0; i < dimension; ++i) {
          const T difference = points[p * dimension + i] - centres[c * dimension + i];
          squared += difference * difference;
        }
        if (squared < nearest) {
          nearest = squared;
        }
      }
      cost += nearest;
    }
    return cost;
  }
};

inline auto kmeans_case(int points, int dimension, int clusters) {
  std::mt19937 generator(19);
  std::normal_distribution<double> normal;
  const auto random = [&](int count) {
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (double& v : numbers) {
      v = normal(generator);
    }
    return numbers;
  };
  ClusteringCost cost{dimension, random(points * dimension)};
  return Case{std::move(cost), std::tuple{random(clusters * dimension)}};
}

}  // namespace ddx::bench
