// An interpreter of a small stack machine whose instructions jump to each other by the addresses of
// labels, as fast interpreters in C do.

#include "gradient_check.h"

#include <cmath>
#include <vector>

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

namespace {

enum Code : unsigned char { Load, Multiply, Add, Sine, Exchange, Repeat, Stop };

double run(const unsigned char* code, const std::vector<double>& inputs) {
  static void* const labels[] = {&&load, &&multiply, &&add, &&sine, &&exchange, &&repeat, &&stop};
  double stack[16];
  int top = 0;
  int repetitions = 0;
  const unsigned char* const begin = code;
  goto* labels[*code++];
load:
  stack[top++] = inputs[*code++];
  goto* labels[*code++];
multiply:
  --top;
  stack[top - 1] *= stack[top];
  goto* labels[*code++];
add:
  --top;
  stack[top - 1] += stack[top];
  goto* labels[*code++];
sine:
  stack[top - 1] = std::sin(stack[top - 1]);
  goto* labels[*code++];
exchange: {
  const double last = stack[top - 1];
  stack[top - 1] = stack[top - 2];
  stack[top - 2] = last;
}
  goto* labels[*code++];
repeat:
  code = ++repetitions < 3 ? begin + 2 : code;
  goto* labels[*code++];
stop:
  return stack[top - 1];
}

/// A choice between two labels whose addresses are in a variable.
double rectified(double x) {
  void* const label = x > 0 ? &&positive : &&negative;
  goto* label;
positive:
  return x * x;
negative:
  return std::exp(x);
}

double threaded_code(const std::vector<double>& x) {
  const unsigned char code[] = {Load, 0,        Load, 1,    Multiply, Sine,     Load, 2,      Load,
                                3,    Multiply, Add,  Load, 1,        Exchange, Add,  Repeat, Stop};
  const double result = run(code, x);
  return result * rectified(x[0]) + rectified(x[2] - 3) * x[1];
}

}  // namespace

DDX_CHECK_GRADIENT(threaded_code, at(std::vector{0.7, 1.2, -0.5, 0.9}),
                   at(std::vector{1.3, 0.4, 0.8, -0.6}), at(std::vector{-0.2, 1.1, 4.5, 0.3}))
