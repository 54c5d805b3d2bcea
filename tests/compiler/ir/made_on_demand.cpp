// RUN-FLAGS: -fplugin-arg-ddx-promote=none
// A derivative is made only where an operator can ask for it: by calls, or by pointers that lead to
// its function.
#include "ddx/ad.h"

namespace {

struct Shape {
  double size = 1;
  int steps = 2;
  virtual ~Shape() = default;
  virtual void grow() = 0;
  virtual void shrink() = 0;
  // Calls itself, so it is not inlined.
  void turn() {
    size *= size;
    if (--steps > 0) {
      turn();
    }
  }
};

struct Disc : Shape {
  void grow() override { size *= 3 * size; }
  void shrink() override { size /= 3; }
};

double grown(double x) {
  Disc disc;
  disc.size = x;
  Shape* shape = ddx::without_derivative(x) < 100 ? &disc : nullptr;
  shape->grow();
  return disc.size;
}

double turned(double x) {
  Disc disc;
  disc.size = x;
  disc.turn();
  return disc.size;
}

double slope_of_grown(double x) {
  return ddx::gradient(grown, x);
}

}  // namespace

// Virtual functions in other places of the table are not meant. The gradient of `grown` is
// differentiated, and calls its sweeps through pointers: so these have derivatives. The reverse
// sweep of `turn` has the same type, but is called by name.
// CHECK-NOT: define {{.*}}shrink{{[^(]*}}.{{forward|reverse}}(
// CHECK-NOT: define {{.*}}turn{{[^(]*}}.reverse.{{forward|reverse}}(
// CHECK: define {{.*}}turn{{[^(]*}}.reverse(
// CHECK-NOT: define {{.*}}shrink{{[^(]*}}.{{forward|reverse}}(
// CHECK-NOT: define {{.*}}turn{{[^(]*}}.reverse.{{forward|reverse}}(
// CHECK: define {{.*}}grow{{[^(]*}}.reverse.reverse(
// CHECK-NOT: define {{.*}}shrink{{[^(]*}}.{{forward|reverse}}(
// CHECK-NOT: define {{.*}}turn{{[^(]*}}.reverse.{{forward|reverse}}(
double sum(double x) {
  return ddx::gradient(slope_of_grown, x) + ddx::gradient(turned, x);
}
