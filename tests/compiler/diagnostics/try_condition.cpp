// A condition that throws has no place in front of it where the record could note that.
#include "ddx/ad.h"

#include <stdexcept>
#include <string>

bool goes_on(const std::string& names, std::size_t i) {
  return names.at(i) != '.';
}

double f(double x) {
  const std::string names = "ab";
  double y = x;
  try {
#ifndef ACCEPTED
    // expected-error@+1 {{cannot differentiate: a loop in a try block whose condition may throw}}
    for (std::size_t i = 0; goes_on(names, i); ++i) {
      y = y * x;
    }
#else
    for (std::size_t i = 0;; ++i) {
      if (!goes_on(names, i)) {
        break;
      }
      y = y * x;
    }
#endif
  } catch (const std::out_of_range&) {
    y = y + x;
  }
  return y;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
