// Copies, written by hand, of objects within others.
#include "ddx/ad.h"

#include <vector>

struct Scaled {
  double value;
  explicit Scaled(double v) : value(v) {}
#ifndef ACCEPTED
  Scaled(const Scaled& other) : value(other.value * 2) {}
  Scaled& operator=(const Scaled&) = default;
#endif
};
struct Holder {
  Scaled part;
};

/// Keeps its scale when it is assigned to.
struct Gain {
  double value, scale;
#ifndef ACCEPTED
  Gain(double v, double s) : value(v), scale(s) {}
  Gain(const Gain&) = default;
  Gain& operator=(const Gain& other) {
    value = other.value;
    return *this;
  }
#endif
};
struct Stage {
  Gain gain;
};

double member(double x) {
  Holder a{Scaled(x)};
  // expected-error@+1 {{cannot differentiate: a copy of an object of type 'Holder', whose copies are written by hand}}
  Holder b = a;
  return b.part.value;
}

double assigned(double x) {
  Stage a{Gain(2, 3)};
  Stage b{Gain(1, x)};
  // expected-error@+1 {{cannot differentiate: a copy of an object of type 'Stage', whose copies are written by hand}}
  b = a;
  return b.gain.value * b.gain.scale;
}

double appended(double x) {
  std::vector<Scaled> v;
  Scaled a(x);
  // expected-error@+1 {{cannot differentiate: a copy of an object of type 'value_type', whose copies are written by hand}}
  v.push_back(a);
  return v[0].value;
}

// By itself, such an object is copied as its class says.
double itself(double x) {
  Scaled a(x);
  Scaled b = a;
  return b.value;
}

const auto a = ddx::gradient(member, 2.0);    // expected-note {{derivative requested here}}
const auto b = ddx::gradient(assigned, 2.0);  // expected-note {{derivative requested here}}
const auto c = ddx::gradient(appended, 2.0);  // expected-note {{derivative requested here}}
const auto d = ddx::gradient(itself, 2.0);
