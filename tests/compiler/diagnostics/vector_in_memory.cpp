// Elements of a vector behind a pointer have cotangents where they lie; growing moves them.
#include "ddx/ad.h"

#include <memory>
#include <vector>

struct Series {
  std::vector<double> values;
};

double f(double x) {
  const auto series = std::make_unique<Series>();
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'std::vector<double>' behind a pointer, used as a whole}}
  series->values.push_back(x);
#else
  series->values = {x};
#endif
  return series->values[0] * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
