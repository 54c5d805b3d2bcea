// A loop over numbers whose iterators are a class of the user's has no known places.
#include "ddx/ad.h"

struct Samples {
  struct Iterator {
    const double* at;
    double operator*() const { return *at * 2; }
    Iterator& operator++() {
      ++at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  double numbers[3];
#ifndef ACCEPTED
  Iterator begin() const { return {numbers}; }
  Iterator end() const { return {numbers + 3}; }
#else
  const double* begin() const { return numbers; }
  const double* end() const { return numbers + 3; }
#endif
};

double f(double x) {
  const Samples samples{{x, x * x, 2}};
  double s = 0;
  for (const double v : samples) {  // expected-error {{cannot differentiate: a range-for over 'Samples'}}
    s = s * v + x;
  }
  return s;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
