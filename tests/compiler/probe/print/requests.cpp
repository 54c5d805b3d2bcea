// RUN-FLAGS: -fplugin-arg-ddx-print-request
// Which requests are found, where the user made them, and which functions are passed by name.
// The order below is the order of the places in this file.

#include <ddx/ad.h>

double cube(double x) {
  return x * x * x;
}
double square(double x) {
  return x * x;
}
float half(float x) {
  return x / 2;
}
double overloaded(double x) {
  return x;
}
float overloaded(float x) {
  return x;
}
template <class T>
T quad(T x) {
  return x * x * x * x;
}
double quiet(double x) noexcept {
  return x;
}
double never_passed(double x) {
  return x;
}
constexpr auto named_constant = &quiet;

// A unit may ask in a template: the place is the call in it, once for each instantiation.
template <class T>
double in_template(T factor) {
  // CHECK: request {{.*}}requests.cpp:[[#@LINE+2]]:15: value_with_gradient of '(lambda)' at (double) wrt (0)
  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:15: value_with_gradient of '(lambda)' at (double) wrt (0)
  return ddx::gradient([factor](double x) { return x * factor; }, 2.0);
}

// A function of the user's that forwards its argument: the functions behind it are not named
// here.
template <class F>
auto hand_on(F f, double x) {
  return ddx::gradient(f, x);
}

#define SLOPE_AT_ONE(f) ddx::derivative(f, 1.0)

struct Functor {
  double operator()(double x, int n) const { return x * n; }
};

double uses(bool which) {
  double sum = in_template(1.0) + in_template(2.0f);

  // The first place of a type of function represents all: they share one entry.
  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:15: value_with_gradient of 'double (*)(double)' at (double) wrt (0) targets (cube, square, overloaded, quad)
  sum += ddx::gradient(cube, 1.0);
  sum += ddx::gradient(&square, 1.0) + ddx::gradient((which ? &cube : &square), 2.0);
  sum += ddx::gradient(static_cast<double (*)(double)>(overloaded), 1.0);
  sum += ddx::gradient(quad<double>, 1.0);

  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:15: value_with_gradient of 'float (*)(float)' at (float) wrt (0) targets (half)
  sum += ddx::gradient(half, 1.0f);
  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:15: value_with_gradient of 'double (*)(double) noexcept' at (double) wrt (0) targets (quiet)
  sum += ddx::gradient(named_constant, 1.0);

  // What a variable points to is not known, though its initialiser names a function.
  double (*variable)(double) = &never_passed;
  sum += ddx::gradient(variable, 1.0);

  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:15: value_with_gradient of 'Functor' at (double, int) wrt (0)
  sum += ddx::gradient(Functor(), ddx::wrt<0>, 1.0, 3);
  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:20: pullback of '(lambda)' at (double, double) wrt (1, 0)
  auto back = ddx::pullback([](double a, double b) { return a * b; }, ddx::wrt<1, 0>, 1.0, 2.0);
  sum += std::get<0>(back(1.0));

  // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:10: differential of '(lambda)' at (double) wrt (0)
  sum += SLOPE_AT_ONE([](double x) { return x; });

  // Generic lambdas and unevaluated operands.
  const auto generic = [](auto x) {
    // CHECK-NEXT: request {{.*}}requests.cpp:[[#@LINE+1]]:17: differential of '(lambda)' at (long double) wrt (0)
    return ddx::derivative([](auto y) { return y * y; }, x);
  };
  sum += static_cast<double>(generic(1.0L));
  sum += hand_on(cube, 1.0);
  return sum;
}

// CHECK-NOT: never_passed
// CHECK-NOT: request
