// What a registration can get wrong. Each message stands at the attribute.

#include <ddx/ad.h>

#include <cmath>

namespace {

auto identity(double x) {
  return ddx::vjp(x, [](double dy) { return dy; });
}

}  // namespace

// The parameters must be those of the function.
double cube(double x);
// expected-error@+1 {{registered derivative 'cube_vjp': its parameters match no function named cube; expected 'auto cube_vjp(double)'}}
DDX_DERIVATIVE_OF(cube) auto cube_vjp(float x) { return identity(x); }

// Of an overload set, each function could be meant.
double over(double x, int n);  // expected-note {{this function would need the derivative 'auto over_vjp(double, int)'}}
double over(const double* x, int n);
// expected-error@+1 {{registered derivative 'over_vjp': its parameters match no function named over; expected 'auto over_vjp(const double *, int)'}}
DDX_DERIVATIVE_OF(over) auto over_vjp(double x) { return identity(x); }

// Members take the object first, as const&.
struct M {
  double scaled(double x) const;
  double changed(double x);
  M(double x);
  operator double() const;
};
// expected-error@+1 {{registered derivative 'scaled_vjp': its parameters match no function named scaled; expected 'auto scaled_vjp(const M &, double)'}}
DDX_DERIVATIVE_OF(M::scaled) auto scaled_vjp(double x) { return identity(x); }
// expected-error@+1 {{its parameters match no function named scaled; expected 'auto scaled_by_value_vjp(const M &, double)'}}
DDX_DERIVATIVE_OF(M::scaled) auto scaled_by_value_vjp(M, double x) { return identity(x); }
// expected-error@+1 {{registered derivative 'changed_vjp': 'M::changed' may change its object; only a const member can have a derivative}}
DDX_DERIVATIVE_OF(M::changed) auto changed_vjp(const M&, double x) { return identity(x); }

// The same for templates, parameter by parameter.
template <class T>
T quad(const T& x);
// expected-error@+2 {{its parameters match no function named quad; expected 'template <class T> auto quad_vjp(const T &)'}}
template <class T>
DDX_DERIVATIVE_OF(quad) auto quad_vjp(T x) { return identity(x); }

template <class T>
struct Box {
  T get() const;
};
// expected-error@+2 {{its parameters match no function named get; expected 'auto get_vjp(const Box<T> &)'}}
template <class T>
DDX_DERIVATIVE_OF(Box<T>::get) auto get_vjp(const Box<T>&, int) { return identity(1); }
// expected-error@+2 {{registered derivative 'gone_vjp': the attribute names no function that can have a derivative}}
template <class T>
DDX_DERIVATIVE_OF(Box<T>::gone) auto gone_vjp(const Box<T>&) { return identity(1); }

// What is named must be a function.
double variable;
// expected-error@+1 {{registered derivative 'variable_vjp': the attribute names no function that can have a derivative}}
DDX_DERIVATIVE_OF(variable) auto variable_vjp(double x) { return identity(x); }

// One derivative for one function. Saying it twice of the same derivative is saying it once.
double once(double x);
DDX_DERIVATIVE_OF(once) auto once_vjp(double x) { return identity(x); }
// expected-error@+1 {{registered derivative 'once_more_vjp': 'once' already has the derivative 'once_vjp'}}
DDX_DERIVATIVE_OF(once) auto once_more_vjp(double x) { return identity(x); }

template <class T>
T often(T x);
template <class T>
DDX_DERIVATIVE_OF(often) auto often_vjp(T x) { return identity(x); }
// expected-error@+2 {{registered derivative 'often_more_vjp': 'often' already has the derivative 'often_vjp'}}
template <class T>
DDX_DERIVATIVE_OF(often) auto often_more_vjp(T x) { return identity(x); }

ddx::Vjp<double, double (*)(double)> declared_vjp(double x);
double declared(double x);
DDX_DERIVATIVE_OF(declared) ddx::Vjp<double, double (*)(double)> declared_vjp(double x);
DDX_DERIVATIVE_OF(declared) ddx::Vjp<double, double (*)(double)> declared_vjp(double x);

// Two members that differ in constness, one of them static, both take (const S&, double) as derivative.
struct S {
  double f(double x) const;
  static double f(const S& s, double x);
};
// expected-error@+1 {{registered derivative 'ambiguous_vjp': its parameters match several functions named f}}
DDX_DERIVATIVE_OF(S::f) auto ambiguous_vjp(const S&, double x) { return identity(x); }

// The result is a pair of value and pullback.
double plain(double x);
// expected-error@+1 {{registered derivative 'plain_vjp': it must return 'ddx::Vjp<...>', as ddx::vjp(value, pullback) does, or 'ddx::ValueWithTangent<...>', and returns 'double'}}
DDX_DERIVATIVE_OF(plain) double plain_vjp(double x) { return x; }
// expected-error@+1 {{registered derivative 'bodiless_vjp': it must return 'ddx::Vjp<...>'}}
DDX_DERIVATIVE_OF(plain) auto bodiless_vjp(double x);
