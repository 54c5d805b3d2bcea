// A metric of nanoflann.

#include "gradient_check.h"

#include <nanoflann.hpp>

namespace {

struct Two {
  std::array<double, 3> p[2];
  std::size_t kdtree_get_point_count() const { return 2; }
  double kdtree_get_pt(std::size_t i, std::size_t d) const { return p[i][d]; }
};
double nanoflann_metric(double a, double b) {
  Two two{{{a, b, 1}, {a * b, 2, b}}};
  const nanoflann::L2_Simple_Adaptor<double, Two> l2(two);
  const double q[3] = {1, a, b};
  return l2.evalMetric(q, 0, 3) * l2.evalMetric(q, 1, 3);
}

DDX_CHECK_GRADIENT(nanoflann_metric, at(0.5, 0.7), at(1.1, 2.4), at(0.3, 1.9))

}  // namespace
