// A checkpointed call is made twice, so the function must find everything as it was: through calls,
// virtual calls, pointers made of lambdas, defaults, tables, destructors and what captures name.
#include "ddx/ad.h"

#include <cmath>
#include <cstdlib>

#ifdef ACCEPTED
const double factor = 2.0;
const double* const pointed = &factor;
#else
double factor = 2.0;      // May be changed by any code.
double* const pointed = &factor;  // expected-note {{'factor' is used here}}
#endif

double scaled(double x) { return x * factor; }  // expected-note {{'factor' is used here}}
const auto by_call = [](double x) {
  return ddx::checkpointed([](double a) { return scaled(a) * a; }, x);  // expected-error {{calling this function again on the way back, since it uses 'factor', a variable that may change in between}}
};

struct Shape {
  virtual ~Shape() = default;
  virtual double area(double r) const = 0;
};
struct Circle final : Shape {
  double area(double r) const override { return r * scaled(r); }
};
const auto by_virtual_call = [](double x) {
  const auto f = [](double a) {
    const Circle circle;
#ifdef ACCEPTED
    const Circle& shape = circle;
#else
    const Shape& shape = circle;
#endif
    return shape.area(a);  // expected-note {{'area' is used here}}
  };
  return ddx::checkpointed(f, x);  // expected-error {{since it calls 'area'}}
};

double with_default(double x, double by = factor) { return x * by; }  // expected-note {{'factor' is used here}}
const auto by_default = [](double x) {
  return ddx::checkpointed([](double a) { return a * with_default(a); }, x);  // expected-error {{uses 'factor'}}
};

const auto by_pointer = [](double x) {
  return ddx::checkpointed([](double a) { return a * *pointed; }, x);  // expected-error {{uses 'factor'}}
};

const auto by_static = [](double x) {
  const auto f = [](double a) {
#ifndef ACCEPTED
    static int calls = 0;
    if (++calls > 1) {  // expected-note {{'calls' is used here}}
      return a;
    }
#endif
    return a * a;
  };
  return ddx::checkpointed(f, x);  // expected-error {{uses 'calls'}}
};

struct Guard {
  ~Guard() {
#ifndef ACCEPTED
    ++scopes;  // expected-note {{'scopes' is used here}}
#endif
  }
  static int scopes;
};
int Guard::scopes = 0;
const auto by_destructor = [](double x) {
  const auto f = [](double a) {
    const Guard guard;
    return a * a;
  };
  return ddx::checkpointed(f, x);  // expected-error {{uses 'scopes'}}
};

const auto by_chance = [](double x) {
  const auto f = [](double a) {
#ifndef ACCEPTED
    if (std::rand() > 17) {  // expected-note {{'rand' is used here}}
      return a;
    }
#endif
    return a * a + std::sin(a);
  };
  return ddx::checkpointed(f, x);  // expected-error {{since it calls 'rand', which may do something else then}}
};

struct Holder {
  double (*f)(double);
};
double apply(double (*f)(double), double x) { return f(x); }
double apply_held(const Holder& holder, double x) { return holder.f(x); }
const auto by_lambda_pointer = [](double x) {
  double (*f)(double) = +[](double a) { return a * factor; };  // expected-note {{'factor' is used here}}
  return ddx::checkpointed(f, x);  // expected-error {{uses 'factor'}}
};
const auto by_captured_pointer = [](double x) {
  double (*f)(double) = +[](double a) { return a * factor; };  // expected-note {{'factor' is used here}}
  return ddx::checkpointed([f](double a) { return f(a); }, x);  // expected-error {{uses 'factor'}}
};
const auto by_handed_pointer = [](double x) {
  double (*f)(double) = +[](double a) { return a * factor; };  // expected-note {{'factor' is used here}}
  return ddx::checkpointed(apply, f, x);  // expected-error {{uses 'factor'}}
};
const auto by_held_pointer = [](double x) {
  const Holder holder{+[](double a) { return a * factor; }};  // expected-note {{'factor' is used here}}
  return ddx::checkpointed(apply_held, holder, x);  // expected-error {{uses 'factor'}}
};

// A pointer that a lambda names is not followed: any function of its type may be meant.
int scaled_whole(int x) { return static_cast<int>(factor) * x; }  // expected-note {{'factor' is used here}}
int (*const whole_pointers[])(int) = {scaled_whole};
const auto by_named_pointer = [](double x) {
  int (*f)(int) = +[](int a) { return a; };
  const auto named = [&](auto a) { return f(a); };
  return ddx::checkpointed([](int (*g)(int), double a) { return g(2) * a; }, f, x);  // expected-error {{uses 'factor'}}
};

const double slopes[] = {
    ddx::gradient(by_call, 2.0),          // expected-note {{derivative requested here}}
    ddx::gradient(by_virtual_call, 2.0),  // expected-note {{derivative requested here}}
    ddx::gradient(by_default, 2.0),       // expected-note {{derivative requested here}}
    ddx::gradient(by_pointer, 2.0),       // expected-note {{derivative requested here}}
    ddx::gradient(by_static, 2.0),        // expected-note {{derivative requested here}}
    ddx::gradient(by_destructor, 2.0),    // expected-note {{derivative requested here}}
    ddx::gradient(by_chance, 2.0),        // expected-note {{derivative requested here}}
    ddx::gradient(by_lambda_pointer, 2.0),    // expected-note {{derivative requested here}}
    ddx::gradient(by_captured_pointer, 2.0),  // expected-note {{derivative requested here}}
    ddx::gradient(by_handed_pointer, 2.0),    // expected-note {{derivative requested here}}
    ddx::gradient(by_held_pointer, 2.0),      // expected-note {{derivative requested here}}
    ddx::gradient(by_named_pointer, 2.0),     // expected-note {{derivative requested here}}
};
