// A result that leaves through a global
//
// What a function writes elsewhere would not be part of its derivative.

#include <ddx/ddx.h>

double total = 0;

double add_to_total(double x) {
  total += x * x;
  return total;
}

double slope(double x) {
  return ddx::gradient(add_to_total, x);
}
