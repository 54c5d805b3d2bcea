// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// What is exchanged as a whole takes no time that grows with it: of two vectors the cotangents are
// exchanged.

#include <ddx/ad.h>
#include <utility>
#include <vector>

double of_vectors(const std::vector<double>& given) {
  std::vector<double> now = given;
  std::vector<double> next(given.size());
  for (int t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i < next.size(); ++i) {
      next[i] = now[i] * now[i];
    }
    std::swap(now, next);
  }
  return now[0];
}

// CHECK-LABEL: void ddx_swap_forward({{.*}}& a, {{.*}}& b, {{.*}}) {
// CHECK-NEXT: std::swap(a, b);
// CHECK-NEXT: }
// CHECK-LABEL: void ddx_swap_reverse({{.*}}& __restrict d_a, {{.*}}& __restrict d_b, {{.*}}) {
// CHECK-NEXT: DDX_ADJOINT_SUM
// CHECK-NEXT: std::swap(d_a, d_b);
// CHECK-NEXT: }

void use() {
  (void)ddx::gradient(of_vectors, std::vector<double>{1, 2});
}
