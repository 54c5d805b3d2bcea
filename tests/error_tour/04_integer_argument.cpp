// An argument without a derivative
//
// Integers have no derivative. `ddx::wrt` selects the arguments to differentiate with respect to.

#include <ddx/ddx.h>

double power(double x, int exponent) {
  double y = 1;
  for (int i = 0; i < exponent; ++i) {
    y *= x;
  }
  return y;
}

int main() {
  const auto slope = ddx::gradient(power, 3.0, 2);  // ddx::gradient(power, ddx::wrt<0>, 3.0, 2)
}
