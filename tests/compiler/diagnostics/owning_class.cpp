// A class that owns a number behind a pointer.
#include "ddx/ad.h"

class Box {
 public:
  explicit Box(double v) : p_(new double(v)) {}
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;
  ~Box() { delete p_; }
  [[nodiscard]] double get() const { return *p_; }

 private:
  double* p_;
};

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: an object of type 'Box' that active values enter; its member 'p_' is a pointer}}
  const Box box(x);
  return box.get() * x;
#else
  const Box box(3);
  return x * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
