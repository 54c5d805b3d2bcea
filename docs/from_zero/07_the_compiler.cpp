// Step 7: what the compiler writes.
//
// All of the steps before, done by ddx to the program of step 6: a function by name, no template,
// no special type of number. `ddx++ -fddx-print-derivatives docs/from_zero/07_the_compiler.cpp`
// prints what it made of it. These are the lines that carry the ideas; the test looks for each of
// them.
//
// The record, with a chain of turns and the site where the loop was left:
// CHECK: struct ddx_program_record
// CHECK: unsigned exit
// Forward is the program, and saves what the way back needs, the y before the turn; the sine comes
// with its slope, for the two cost little more than one of them:
// CHECK: double ddx_program_forward(
// CHECK: while (y < 100
// CHECK: it.t[[OLD:.*]] = t2;
// CHECK: double const [[SINE:t[0-9]+]] = ddx::detail::sine_and_slope(x, it.[[SLOPE:.*]]);
// CHECK: y = ((t2 * x) + [[SINE]]);
// Reverse takes the record, the input, the seed, and the cotangent to add to:
// CHECK: void ddx_program_reverse(
// CHECK: double seed
// Each turn: take the cotangent of y, kill it, then hand it on to what the new y was made of:
// CHECK: double [[TAKEN:d_t[0-9]+]] = d_y;
// CHECK-NEXT: d_y = -0.0;
// CHECK: scaled({{.*}}, it.[[SLOPE]]);

#include "check.h"

#include <cmath>
#include <ddx/ad.h>

double program(double x) {
  double y = 1;
  while (y < 100) {
    y = y * x + std::sin(x);
    if (y > 50) {
      return y * y;
    }
  }
  return y;
}

int main() {
  for (const double x : {3.0, 7.5, 20.0}) {
    const double h = 1e-6 * x;
    check("slope", ddx::gradient(&program, x), (program(x + h) - program(x - h)) / (2 * h), 1e-8);
  }
}
