// A result written to a global
//
// The derivative of a function covers its result and its arguments, not the globals it writes.

#include <ddx/ddx.h>

double total = 0;

double add_to_total(double x) {
  total += x * x;
  return total;
}

double slope(double x) {
  return ddx::gradient(add_to_total, x);
}
