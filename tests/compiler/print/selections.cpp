// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// A branch that depends on data and appends to a vector is reversed without a branch.

#include <cstddef>
#include <ddx/ad.h>
#include <vector>

using Vector = std::vector<double>;

// The factors are zero where it was not taken, and so is the cotangent.
// CHECK-LABEL: void ddx_filtered_reverse({{.*}}) {
// CHECK: const ddx::detail::Selection arm(
// CHECK-NEXT: double [[D:d_t[0-9]+]] = -0.0;
// CHECK-NEXT: d_out_end -= arm.count();
// CHECK-NEXT: [[D]] += arm.element(d_out + d_out_end);
// CHECK-NEXT: {{.*}} = arm.factor<double>(r.limit
// CHECK-NOT: if ((x
Vector filtered(const Vector& x, double limit) {
  Vector out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = x[i];
    if (here > limit) {
      out.push_back(here * limit);
    }
  }
  return out;
}

// Where an element may not exist, or a factor is found in the branch alone, it is a branch.
// CHECK-LABEL: void ddx_neighbours_reverse({{.*}}) {
// CHECK-NOT: Selection
// CHECK: if ({{.*}}) {
// CHECK: --d_out_end;
Vector neighbours(const Vector& x) {
  Vector out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = x[i];
    if (i + 1 < x.size()) {
      out.push_back(here * x[i + 1]);
    }
  }
  return out;
}

// So it is where there is more in it than products and sums.
// CHECK-LABEL: void ddx_quotients_reverse({{.*}}) {
// CHECK-NOT: Selection
// CHECK: if ({{.*}}) {
// CHECK: --d_out_end;
Vector quotients(const Vector& x) {
  Vector out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double here = x[i];
    if (here != 0) {
      out.push_back(1 / here);
    }
  }
  return out;
}

double sum(const Vector& x) {
  double s = 0;
  for (const double v : x) {
    s += v * v;
  }
  return s;
}

double use(const Vector& x) {
  const Vector a = filtered(x, 0.5);
  const Vector b = neighbours(a);
  const Vector c = quotients(b);
  return sum(a) + sum(b) + sum(c);
}

int main() {
  (void)ddx::gradient(use, Vector{1, 2, 3});
}
