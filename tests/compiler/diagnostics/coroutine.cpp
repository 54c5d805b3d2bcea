// The frame of a coroutine outlives the call that is reversed.
#include "ddx/ad.h"

#include <coroutine>

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

#ifndef ACCEPTED
Task square(double x) {
  co_return x* x;
}
#endif

double f(double x) {
#ifndef ACCEPTED
  // expected-error@+1 {{cannot differentiate: the coroutine 'square'}}
  const Task task = square(x);
  return task.handle.promise().value;
#else
  return x * x;
#endif
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note {{derivative requested here}}
