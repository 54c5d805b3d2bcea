// RUN-FLAGS: -fplugin-arg-ddx-promote=auto
// What is not promoted goes through memory: its errors are found in IR, and have places in the source without -g. The
// innermost line of the program comes first.
#include "ddx/ad.h"

#include <csetjmp>
#include <coroutine>
#include <list>
#include <numeric>

#ifndef ACCEPTED
double elsewhere(double x);

double assembled(double x) {
  double y = x;
  asm volatile("mulsd %0, %0" : "+x"(y));  // expected-error@+0:3 {{cannot differentiate: inline assembly}}
  return y;
}
double of_assembled(double x) {
  double sum = 0;
  for (const double y : std::list<double>{x, 2 * x}) {
    sum += assembled(y);  // expected-note@+0:12 {{when differentiating this call of 'assembled'}}
  }
  return sum;
}
const auto a = ddx::gradient(of_assembled, 2.0);    // expected-note@+0:21 {{derivative requested here}}
const auto b = ddx::derivative(of_assembled, 2.0);  // The same error once more is not printed.

struct Functor {
  double factor;
  double operator()(double x) const {
    const std::list<double> values{x, factor};
    return std::accumulate(  // expected-note {{when differentiating this call of 'accumulate}}
        values.begin(), values.end(), 0.0,
        // expected-error@+1:53 {{cannot differentiate: a call of 'elsewhere', whose body is not visible here}}
        [](double sum, double value) { return sum + elsewhere(value); });
  }
};
const auto c = ddx::gradient(Functor{2}, 2.0);  // expected-note@+0:21 {{derivative requested here}}

double in_a_library(double x) {
  const std::list<__float128> values{x, x};  // expected-error {{a number of type '__float128'}}
  // expected-error@+1 1+ {{cannot differentiate: a number of type '__float128'}}
  return static_cast<double>(std::accumulate(values.begin(), values.end(), values.front()));
}
// expected-note@*:* {{the place in the library is here, within the call of 'list'}}
// expected-note@*:* {{the place in the library is here, within the call of 'accumulate'}}
const auto d = ddx::gradient(in_a_library, 2.0);  // expected-note 1+ {{derivative requested here}}

std::jmp_buf place;
double jumps(double x) {
  std::list<double> values{x};
  if (setjmp(place) == 0) {  // expected-error@+0:7 {{cannot differentiate: a call of 'setjmp'}}
    values.push_back(x * x);
  }
  return values.back();
}
const auto e = ddx::gradient(jumps, 2.0);  // expected-note {{derivative requested here}}

struct Task {
  struct promise_type {
    double value = 0;
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_value(double v) { value = v; }
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};
Task square(double x) {
  co_return x* x;
}
double runs(double x) {
  const Task task = square(x);  // expected-error@+0:21 {{cannot differentiate: the coroutine 'square'}}
  return task.handle.promise().value;
}
const auto f = ddx::gradient(runs, 2.0);  // expected-note {{derivative requested here}}
#else
double summed(double x) {
  const std::list<double> values{x, 2 * x};
  return std::accumulate(values.begin(), values.end(), 0.0);
}
const auto a = ddx::gradient(summed, 2.0);
#endif
