// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// Forward mode: the primal, statement for statement, each active one with its tangent; no record.

#include "ddx/ad.h"

#include <cmath>
#include <cstddef>
#include <vector>

double weigh(double x, double constant) {
  return x * constant;
}

double program(double x, int n) {
  std::vector<double> v(3);
  for (int i = 0; i < n; ++i) {
    v.push_back(x * i);
  }
  v[0] = std::sin(x);
  double sum = weigh(v[0], 2.0);
  sum += x;
  return sum;
}

// The tangent of the constant argument is no parameter.
// CHECK: double ddx_weigh_tangent([[UNUSED:.*]] double x, [[UNUSED]] double constant, [[UNUSED]] double d_x, [[UNUSED]] double& tangent_out);
// CHECK-NOT: record
// CHECK-NOT: arena
// CHECK: double ddx_program_tangent({{.*}} {
// CHECK: std::vector<double> d_v(v.size());
// CHECK: for (int i = {{.*}}; ++i) {
// CHECK: d_v.push_back(d_t[[PRODUCT:[0-9]+]]);
// CHECK-NEXT: v.push_back(t[[PRODUCT]]);
// CHECK: double d_t[[SIN:[0-9]+]] = ddx::detail::scaled(d_x, std::cos(x));
// CHECK-NEXT: d_v[0] = d_t[[SIN]];
// CHECK-NEXT: v[0] = t[[SIN]];
// CHECK: double d_t[[WEIGH:[0-9]+]]{};
// CHECK-NEXT: t[[WEIGH]] = ddx_weigh_tangent(v[0], 2., d_v[0], d_t[[WEIGH]]);
// CHECK: d_sum += d_x;
// CHECK-NEXT: sum += x;
// CHECK-NEXT: tangent_out = d_sum;
// CHECK-NEXT: return sum;
// CHECK: value_with_differential_entry<
double differentiate(double x) {
  return ddx::jvp(program, ddx::wrt<0>, ddx::along(0.5), x, 3).tangent;
}
