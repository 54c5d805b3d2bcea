// A loop unrolled by hand: switch enters the body of do-while at the remainder (Duff's device).

#include "gradient_check.h"

#include <cmath>
#include <vector>

namespace {

/// The recurrence s = 0.8 s + w[i] * sin(x[i]), from the end of both arrays.
double recur(const double* w, const double* x, int n) {
  double s = 0;
  int rounds = (n + 3) / 4;
  switch (n % 4) {
    case 0:
      do {
        --n;
        s = 0.8 * s + w[n] * std::sin(x[n]);
        [[fallthrough]];
        case 3:
          --n;
          s = 0.8 * s + w[n] * std::sin(x[n]);
          [[fallthrough]];
        case 2:
          --n;
          s = 0.8 * s + w[n] * std::sin(x[n]);
          [[fallthrough]];
        case 1:
          --n;
          s = 0.8 * s + w[n] * std::sin(x[n]);
      } while (--rounds > 0);
  }
  return s;
}

double unrolled_device(const std::vector<double>& w, const std::vector<double>& x) {
  const int n = static_cast<int>(w.size());
  double total = 0;
  for (int count = n; count > 0; --count) {
    total = 0.5 * total + recur(w.data() + n - count, x.data(), count) * w[count - 1];
  }
  return total;
}

DDX_CHECK_GRADIENT(unrolled_device,
                   at(std::vector{0.2, 0.9, 0.8, -0.4, 1.2, 1.4, 0.6},
                      std::vector{1.1, 0.4, 0.3, 0.7, -0.5, 0.2, 0.8}),
                   at(std::vector{1.2}, std::vector{0.7}),
                   at(std::vector{0.3, 0.1, 0.9, -0.2}, std::vector{0.5, 1.3, 0.6, 0.2}))

}  // namespace
