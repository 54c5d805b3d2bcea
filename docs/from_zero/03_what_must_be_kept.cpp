// Step 3: what the reverse sweep really needs.
//
// The tape of step 2 stored three operations of 32 bytes for each iteration. But the structure of
// the program is known: the loop is in the source. Unknown to the reverse sweep are only the
// *values* from which the partial derivatives are computed:
//
//     s = sin(x[i])      needs cos(x[i])      x is still there
//     p = s * x[i + 1]   needs s and x[i + 1] s is gone
//     sum = sum + p      needs nothing
//
// So a compiler that sees the source writes two functions. `forward` is the program; it also saves
// these values, the *residuals*, in a record. `reverse` is the program in reverse order.

#include "check.h"

#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

struct Record {
  std::unique_ptr<double[]> s;  // One for each iteration: 8 bytes instead of the tape's 96.
};

double forward(const std::vector<double>& x, Record& record) {
  record.s = std::make_unique_for_overwrite<double[]>(x.size());
  double sum = 0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    const double s = std::sin(x[i]);
    record.s[i] = s;
    sum = sum + s * x[i + 1];
  }
  return sum;
}

void reverse(const Record& record, const std::vector<double>& x, double seed,
             std::vector<double>& d_x) {
  const double d_sum = seed;
  for (std::size_t i = x.size() - 1; i-- > 0;) {
    const double d_p = d_sum;           // sum = sum + p
    const double d_s = d_p * x[i + 1];  // p = s * x[i + 1]
    d_x[i + 1] += d_p * record.s[i];
    d_x[i] += d_s * std::cos(x[i]);  // s = sin(x[i])
  }
}

// There is no tape and no map from variables to positions: just two plain loops, which an optimiser
// understands. This is why ddx is a compiler.

int main() {
  std::vector<double> x(1000);
  for (int i = 0; i < 1000; ++i) {
    x[i] = 0.001 * i;
  }
  Record record;
  forward(x, record);
  std::vector<double> d_x(1000);
  reverse(record, x, 1, d_x);
  check("slope by x_7", d_x[7], std::cos(0.007) * 0.008 + std::sin(0.006));
}
