// Names of the user's own that the synthesised text might want for itself.
#include "gradient_check.h"

#include <cstddef>

namespace {

double temporaries(double t1, double t2) {
  const double t3 = t1 * t2;
  const bool t4 = t3 > 0;
  double t5 = t4 ? t3 * t1 : t3;
  t5 *= t2;
  return t5 + t3;
}

double adjoints(double d_x, double x) {
  const double d_t1 = d_x * x;
  double d_t2 = d_t1 * d_x;
  d_t2 += x;
  return d_t2 * d_t1;
}

double records(double r, double seed) {
  double arena = r * seed;
  double it = arena * r;
  for (std::size_t it_k = 0; it_k < 3; ++it_k) {
    const double it_nodes = it * r;
    it += it_nodes * static_cast<double>(it_k);
  }
  const double self = it;
  arena *= self;
  return arena * seed;
}

double result(double args, double call_1) {
  const double value = args * call_1;
  const double tangents = value * args;
  return value * tangents;
}

double namespaces(double ddx, double std) {
  const double detail = ddx * std;
  const double size_t = detail * detail;
  return size_t * ddx;
}

struct ddx_f_record {  // NOLINT: the name is the point
  double x = 0;
};

double ddx_helper_forward(double x) {
  return x * x;
}

double functions(double x) {
  const ddx_f_record record{ddx_helper_forward(x)};
  return record.x * x;
}

DDX_CHECK_GRADIENT(temporaries, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(adjoints, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(records, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(result, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(namespaces, at(1.7, 2.0), at(-0.5, 1.0), at(1.6, 0.3))
DDX_CHECK_GRADIENT(functions, at(1.7), at(-0.5), at(1.6))

}  // namespace
