// A class whose objects copy what they own: a copy made by the library hides the numbers.
#include "ddx/ad.h"

#include <memory>
#include <vector>

class Box {
 public:
  explicit Box(double v) : p_(std::make_unique<double>(v)) {}
  Box(const Box& other) : p_(std::make_unique<double>(*other.p_)) {}
#ifdef ACCEPTED
  Box(Box&& other) noexcept = default;
#endif
  double& operator*() const { return *p_; }

 private:
  std::unique_ptr<double> p_;
};

double f(double x) {
  std::vector<Box> boxes;
  // expected-error@+1 {{cannot differentiate: an object of type 'Box' that active values enter}}
  boxes.push_back(Box(x));
  return *boxes[0] * x;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
