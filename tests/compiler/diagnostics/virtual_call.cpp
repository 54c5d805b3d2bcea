// Which class an object has is known at run time only.
#include "ddx/ad.h"

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double r) const = 0;
};
struct Disc final : Shape {
  double area(double r) const override { return 3 * r * r; }
};

double called(double x) {
  const Disc disc;
#ifndef ACCEPTED
  const Shape& shape = disc;
#else
  const Disc& shape = disc;
#endif
  return shape.area(x);  // expected-error {{cannot differentiate: a virtual call of 'Shape::area', whose target is not known here}}
}

struct Counted {
  double value;
  explicit Counted(double v) : value(v) {}
#ifndef ACCEPTED
  virtual
#endif
      ~Counted() = default;
};

double made(double x) {
  const Counted counted(x);  // expected-error {{cannot differentiate: the initialisation of an object of type 'Counted', which has virtual functions or bases, by 'counted(x)'}}
  return counted.value * x;
}

template <class Derived>
struct Base {
  double held;
  double twice() const {
    double factor = 2 * held;
#ifndef ACCEPTED
    if (factor > 30) {
      return 0;
    }
    factor *= static_cast<const Derived&>(*this).value;  // expected-error {{cannot differentiate: a cast to the derived class 'Number'}}
#endif
    return factor;
  }
};
struct Number : Base<Number> {
  double value;
};

double cast(double x) {
  Number number;
  number.held = x;
  number.value = x;
  return number.twice() * number.value;  // expected-note {{when differentiating this call of 'twice'}}
}

const double slopes[] = {
    ddx::gradient(called, 2.0),  // expected-note {{derivative requested here}}
    ddx::gradient(made, 2.0),    // expected-note {{derivative requested here}}
    ddx::gradient(cast, 2.0),    // expected-note {{derivative requested here}}
};
