// The other metrics of nanoflann, by which it measures several dimensions at a time.

#include "gradient_check.h"

#include <nanoflann.hpp>

namespace {

struct Two {
  std::array<double, 5> p[2];
  std::size_t kdtree_get_point_count() const { return 2; }
  double kdtree_get_pt(std::size_t i, std::size_t d) const { return p[i][d]; }
};
double nanoflann_metrics(double a, double b) {
  Two two{{{a, b, 1, a - b, 3}, {a * b, 2, b, 0.3, a}}};
  const nanoflann::L2_Adaptor<double, Two> l2(two);
  const nanoflann::L1_Adaptor<double, Two> l1(two);
  const double q[5] = {1, a, b, -a, a * a};
  return l2.evalMetric(q, 0, 5) * l1.evalMetric(q, 1, 5) + l2.accum_dist(a, b, 1);
}

DDX_CHECK_GRADIENT(nanoflann_metrics, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
