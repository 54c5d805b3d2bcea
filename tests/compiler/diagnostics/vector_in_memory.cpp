// Elements of a vector behind a pointer have cotangents where they lie: what moves some of them is not
// done.
#include "ddx/ad.h"

#include <memory>
#include <vector>

struct Series {
  std::vector<double> values;
};

double f(double x) {
  const auto series = std::make_unique<Series>();
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: this call of 'std::vector<double>::insert'}}
  series->values.insert(series->values.begin(), x);
#else
  series->values.push_back(x);
#endif
  return series->values[0] * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
