// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// The reverse sweep of a Jacobian carries several rows at once where numbers, arrays and vectors of
// them carry the derivatives; its statements are those of the sweep for one.

#include <array>
#include <ddx/ad.h>
#include <vector>

// A short one is compiled into its callers in front of all optimisations.
// CHECK: template <std::size_t ddx_lanes>
// CHECK-NEXT: DDX_INLINE static void ddx_product_reverse_rows({{.*}}ddx::detail::LanesOf<double, ddx_lanes> seed,
// CHECK-SAME: ddx::detail::LanesOf<double, ddx_lanes>& d_a_out,
double product(double a, double b) {
  return a * b;
}
std::array<double, 2> pair(const std::vector<double>& x) {
  double sum = 0;
  for (const double number : x) {
    sum += product(number, number);
  }
  return {sum, product(sum, x[0])};
}

// An object between: row by row.
// CHECK-NOT: ddx_through_an_object_reverse_rows
struct Pair {
  double first = 0;
  double second = 0;
};
std::array<double, 2> through_an_object(const std::array<double, 2>& x) {
  const Pair pair{x[0] * x[1], x[0]};
  return {pair.first, pair.second};
}

// CHECK-LABEL: void ddx_pair_reverse_rows({{.*}}) {
// CHECK: ddx::detail::LanesOf<double, ddx_lanes> d_sum = -0.0;
// CHECK: ddx_product_reverse_rows<ddx_lanes>(r.call_

// CHECK: ddx_primal_reverse_rows<lanes>(r,
// CHECK: ddx::detail::run_rows(rows, arena, one_row, several_rows);
// CHECK: ddx::detail::run_rows(rows, arena, one_row);

int main() {
  (void)ddx::jacobian_rows(pair, std::vector<double>{1, 2});
  (void)ddx::jacobian_rows(through_an_object, std::array<double, 2>{1, 2});
}
