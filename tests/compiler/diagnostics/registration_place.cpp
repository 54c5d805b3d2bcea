// Which declarations can be a registered derivative at all. These errors come while the unit is read; then no further
// check of registrations runs.

#include <ddx/ad.h>

#include <cmath>

namespace {

auto identity(double x) {
  return ddx::vjp(x, [](double dy) { return dy; });
}

}  // namespace

double plain(double x);

// expected-error@+1 {{use of undeclared identifier 'nowhere'}}
DDX_DERIVATIVE_OF(nowhere) auto nowhere_vjp(double x) { return identity(x); }

// A derivative is called on its own.
struct Holder {
  // expected-error@+1 {{a registered derivative must be a function of namespace scope or a static member of a class that is not a template}}
  DDX_DERIVATIVE_OF(plain) auto member_vjp(double x) { return identity(x); }
  DDX_DERIVATIVE_OF(std::sin) static auto sin_vjp(double x) { return identity(x); }
};
template <class T>
struct TemplateHolder {
  // expected-error@+1 {{a registered derivative must be a function of namespace scope}}
  DDX_DERIVATIVE_OF(plain) static auto static_vjp(double x) { return identity(x); }
};
// expected-error@+1 {{a registered derivative must be a function of namespace scope}}
DDX_DERIVATIVE_OF(plain) double not_a_function;
