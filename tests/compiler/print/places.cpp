// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// What debuggers, and default arguments (std::source_location), get as the place of a call of
// a registered derivative: the user's line in either sweep, and from the next statement on the line
// of the text itself: 23 lines lie between the two.

#include <ddx/ad.h>
#include <utility>

double cube(double x) {
  return x * x * x;
}
DDX_DERIVATIVE_OF(cube) auto cube_vjp(double x) {
  return ddx::vjp(cube(x), [x](double dy) { return 3 * x * x * dy; });
}

double product(double x) {
  const double y = cube(x);
  return x * y;
}

// CHECK-LABEL: double ddx_product_forward({{.*}}{
// CHECK: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: auto t{{[0-9]+}}_vjp = {{.*}}cube_vjp(x);
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: r.pullback_
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: double t{{[0-9]+}} = std::move({{.*}}_vjp.value);
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: r.t
// CHECK-NEXT: # [[#LINE:]] "<derivatives>" 3
// CHECK-NEXT: double y =
// CHECK-NEXT: return
// CHECK-LABEL: void ddx_product_reverse({{.*}}{
// CHECK: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: {
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: auto parts = {{.*}}call_pullback
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: += std::get<0>(parts);
// CHECK-NEXT: # 17 "{{.*}}places.cpp" 3
// CHECK-NEXT: }
// CHECK-NEXT: # [[#LINE + 23]] "<derivatives>" 3
// CHECK-NEXT: d_x +=
double slope(double x) {
  return ddx::gradient(product, x);
}
