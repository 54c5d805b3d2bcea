// A loop whose range is a class of the user's has no known places.
#include "ddx/ad.h"

struct Countdown {
  struct Iterator {
    int at;
    int operator*() const { return at; }
    Iterator& operator++() {
      --at;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at != other.at; }
  };
  int from;
  Iterator begin() const { return {from}; }
  Iterator end() const { return {0}; }
};

double f(double x) {
  double s = 0;
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: a range-for over 'Countdown'}}
  for (const int i : Countdown{3}) {
#else
  for (const int i : {3, 2, 1}) {
#endif
    s = s * i + x;
  }
  return s;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
