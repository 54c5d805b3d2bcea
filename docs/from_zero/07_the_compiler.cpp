// Step 7: what the compiler writes.
//
// The compiler applies all earlier steps to the program of step 6, without a template or a special
// number type. `ddx++ -fddx-print-derivatives docs/from_zero/07_the_compiler.cpp` prints the
// generated code. Below are the lines that implement the ideas; the test looks for each of them.
//
// The residuals, with a chain of iterations and the exit taken:
// CHECK: struct ddx_program_record
// CHECK: unsigned exit
// The forward sweep is the program. It saves what the reverse sweep needs: the y before the
// iteration, and the slope of the sine, which is computed together with the sine at little cost:
// CHECK: double ddx_program_forward(
// CHECK: while (y < 100
// CHECK: it.t[[OLD:.*]] = t2;
// CHECK: double const [[SINE:t[0-9]+]] = ddx::detail::sine_and_slope(x, it.[[SLOPE:.*]]);
// CHECK: y = ((t2 * x) + [[SINE]]);
// The reverse sweep takes the residuals, the input, the seed, and the cotangent to add to:
// CHECK: void ddx_program_reverse(
// CHECK: double seed
// Each iteration takes the cotangent of y, resets it, then adds to the operands of the new y:
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
