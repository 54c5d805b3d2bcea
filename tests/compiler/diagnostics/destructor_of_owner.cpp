// What owns an array, and leaves a number behind when it ends.
#include "ddx/ad.h"

struct Sum {
  double value = 0;
};

class Samples {
 public:
  Samples(double v, Sum* sum) : data_(new double[1]), sum_(sum) { data_[0] = v; }
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
#ifndef ACCEPTED
  ~Samples() {
    sum_->value += data_[0];
    delete[] data_;
  }
#else
  ~Samples() { delete[] data_; }
  void finish() { sum_->value += data_[0]; }
#endif

 private:
  double* data_;
  Sum* sum_;
};

double f(double x) {
  Sum* sum = new Sum;
  {
    // expected-error@+1 {{the destructor}}
    Samples samples(x, sum);
#ifdef ACCEPTED
    samples.finish();
#endif
  }
  const double result = sum->value * x;
  delete sum;
  return result;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
