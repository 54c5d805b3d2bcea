// A class that owns an array, and may be set to refer to another one.
#include "ddx/ad.h"

class Samples {
 public:
  explicit Samples(int n) : data_(new double[n]()) {}
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  ~Samples() { delete[] data_; }
  void set(double v) { data_[0] = v; }
#ifndef ACCEPTED
  void look_at(double* other) {
    // expected-error@+1 {{cannot differentiate: a pointer whose target is not known here}}
    data_ = other;
  }
#endif
  [[nodiscard]] double get() const { return data_[0]; }

 private:
  double* data_;
};

double f(double x) {
  double mine[1] = {x};
  Samples samples(3);
  samples.set(x);
#ifndef ACCEPTED
  samples.look_at(mine);  // expected-note {{when differentiating this call of 'look_at'}}
#endif
  return samples.get() * mine[0];
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
