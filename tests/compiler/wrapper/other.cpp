#include "registered.h"

double other(double x) {
  return value_in_header(x);
}
