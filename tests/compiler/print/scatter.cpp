// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// Increments of one adjoint at several places that move with the counter: terms, and one loop that
// gathers them.

#include <cstddef>
#include <ddx/ad.h>
#include <vector>

using Vector = std::vector<double>;

// Those at one place of at least three are left to the iterations; two places with one source, such
// as of a difference, share its terms. In a second derivative a difference is still one.
// CHECK-LABEL: void ddx_of_one_array_reverse({{.*}}) {
// CHECK: [&](double* __restrict it_terms_1, double* __restrict it_terms_2) DDX_INLINE_CLOSURE {
// CHECK: d_y[i] += d_t
// CHECK: it_adjoints[it_j] += it_terms_1[it_j - 1] + it_terms_2[it_j - 3] - it_terms_2[it_j];
void of_one_array(const Vector& y, Vector& next) {
  for (std::size_t i = 2; i + 1 < y.size(); ++i) {
    next[i] = y[i - 1] * (y[i + 1] - y[i - 2]) - y[i];
  }
}

// With several arrays, all have terms.
// CHECK-LABEL: void ddx_of_two_arrays_reverse({{.*}}) {
// CHECK: double* __restrict it_terms_6
// CHECK-NOT: d_y[i] +=
// CHECK-LABEL: double ddx_use_forward(
void of_two_arrays(const Vector& x, const Vector& y, Vector& next) {
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    next[i] = x[i - 1] * y[i + 1] - x[i + 1] * y[i - 1] + x[i] * y[i];
  }
}

double use(const Vector& x) {
  Vector y = x;
  Vector z = x;
  of_one_array(x, y);
  of_two_arrays(x, y, z);
  return z[1] * z[2];
}

// CHECK-LABEL: void ddx_of_one_array_2_tangent({{.*}}) {
// CHECK: double d_t[[D:[0-9]+]] = d_y[{{.*}}] - d_y[{{.*}}];
int main() {
  (void)ddx::gradient(use, Vector{1, 2, 3, 4});
  (void)ddx::jvp(use, ddx::along(Vector{1, 2, 3, 4}), Vector{1, 2, 3, 4});
}
