// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// A root in a second derivative: its singular point costs no residual and no product.

#include <array>
#include <cmath>
#include <ddx/ad.h>

// Saved are the root and its slope, the tangent of the root, the quotient and its slope, of two
// factors; not the root by its other name, nor what its slope is the ratio of.
// CHECK: struct ddx_ddx_inverse_root_tangent_record {
// CHECK-NEXT: double t[[ROOT:[0-9]+]]_1;
// CHECK-NEXT: double t{{[0-9]+}}_2;
// CHECK-NEXT: double t{{[0-9]+}}_3;
// CHECK-NEXT: double t{{[0-9]+}}_4;
// CHECK-NEXT: double t{{[0-9]+}}_5;
// CHECK-NEXT: double t{{[0-9]+}}_6;
// CHECK-NEXT: };

// CHECK-LABEL: double ddx_ddx_inverse_root_tangent_forward({{.*}}) {
// CHECK: ddx::detail::singular_ratio(1.0, (2.0 *
// CHECK-LABEL: void ddx_ddx_inverse_root_tangent_reverse({{.*}}) {
// CHECK: ddx::detail::singular_cotangent({{.*}}, r.t[[ROOT]]_1);
double inverse_root(const std::array<double, 1>& x) {
  const double r = std::sqrt(x[0]);
  return 1.0 / r;
}

int main() {
  const std::array<double, 1> x{4};
  (void)ddx::hvp(inverse_root, x, x);
}
