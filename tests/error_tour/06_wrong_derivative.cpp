// A registered derivative that does not fit
//
// A derivative written by hand is checked at its declaration; the message shows the expected
// signature.

#include <ddx/ddx.h>

double area(double width, double height) {
  return width * height;
}

DDX_DERIVATIVE_OF(area)
auto area_vjp(double width) {
  return ddx::vjp(width, [](double d) { return d; });
}
