// RUN-FLAGS: -fplugin-arg-ddx-print-lower
// What is read and written: elements, members, aliases, vectors, calls that take references.

#include <cmath>
#include <ddx/ad.h>
#include <utility>
#include <vector>

struct Point {
  double x = 0;
  double y = 0;
  DDX_DIFFERENTIABLE(Point, x, y)

  void move(double by) { x += by; }
};

// An index is computed once, before the place is used.
// CHECK-LABEL: elements(v, p, a, i)
// CHECK-NEXT:   %1 = 2
// CHECK-NEXT:   bind last = &a[%1]
// CHECK-NEXT:   %2 = load p.x
// CHECK-NEXT:   store a[%1] = %2
// CHECK-NEXT:   %3 = i + 1
// CHECK-NEXT:   %4 = load v[%3]
// CHECK-NEXT:   call Point::move(&p, %4)
// CHECK-NEXT:   %5 = i++
// CHECK-NEXT:   %6 = load a[%5]
// CHECK-NEXT:   store p.y -= %6
// CHECK-NEXT:   %7 = i
// CHECK-NEXT:   %8 = load a[%7]
// CHECK-NEXT:   %9 = load p.y
// CHECK-NEXT:   %10 = operator mul %8 %9
// CHECK-NEXT:   return %10
double elements(const std::vector<double>& v, Point p, double (&a)[3], int i) {
  auto& last = a[2];
  last = p.x;
  p.move(v[i + 1]);
  p.y -= a[i++];
  return a[i] * p.y;
}

// CHECK-LABEL: vectors(v)
// CHECK-NEXT:   declare w {}
// CHECK-NEXT:   %1 = (v).size()
// CHECK-NEXT:   resize w %1
// CHECK-NEXT:   %2 = 1
// CHECK-NEXT:   %3 = load v[%2]
// CHECK-NEXT:   %4 = 0
// CHECK-NEXT:   store w[%4] = %3
// CHECK-NEXT:   %5 = load v[0]
// CHECK-NEXT:   append w %5
// CHECK-NEXT:   %6 = 0
// CHECK-NEXT:   declare sum = %6
// CHECK-NEXT:   block
// CHECK-NEXT:     %7 = 0
// CHECK-NEXT:     bind range = &w
// CHECK-NEXT:     %8 = range.size()
// CHECK-NEXT:     loop it k from %7 to %8 step 1
// CHECK-NEXT:       %9 = k
// CHECK-NEXT:       %10 = load w[%9]
// CHECK-NEXT:       declare each = %10
// CHECK-NEXT:       %11 = load each
// CHECK-NEXT:       %12 = load each
// CHECK-NEXT:       %13 = operator mul %11 %12
// CHECK-NEXT:       store sum += %13
// CHECK-NEXT:   remove_last w
// CHECK-NEXT:   %14 = 1
// CHECK-NEXT:   resize w %14
// CHECK-NEXT:   %15 = load sum
// CHECK-NEXT:   bind sequence = &w
// CHECK-NEXT:   %16 = sequence.size() - 1
// CHECK-NEXT:   %17 = load w[%16]
// CHECK-NEXT:   %18 = operator add %15 %17
// CHECK-NEXT:   return %18
double vectors(const std::vector<double>& v) {
  std::vector<double> w(v.size());
  w[0] = v[1];
  w.push_back(v.front());
  double sum = 0;
  for (const double each : w) {
    sum += each * each;
  }
  w.pop_back();
  w.resize(1);
  return sum + w.back();
}

// Evaluation keeps its order: what stands left of a comma runs first.
// CHECK-LABEL: order(x)
// CHECK-NEXT:   %1 = load x
// CHECK-NEXT:   declare y = %1
// CHECK-NEXT:   %2 = load x
// CHECK-NEXT:   %3 = load y
// CHECK-NEXT:   %4 = operator mul %3 %2
// CHECK-NEXT:   store y = %4
// CHECK-NEXT:   %5 = load y
// CHECK-NEXT:   %6 = load x
// CHECK-NEXT:   %7 = operator add %5 %6
// CHECK-NEXT:   declare z = %7
// CHECK-NEXT:   %8 = load z
// CHECK-NEXT:   %9 = load y
// CHECK-NEXT:   %10 = load x
// CHECK-NEXT:   %11 = fma %8 %9 %10
// CHECK-NEXT:   return %11
double order(double x) {
  double y = x;
  const double z = (y *= x, y + x);
  return std::fma(z, y, x);
}

double use(const std::vector<double>& v, int n) {
  return ddx::gradient(
      [n](const std::vector<double>& u) {
        double a[3] = {1, 2, 3};
        return elements(u, {u[0], u[1]}, a, n) + vectors(u) + order(u[0]);
      },
      v)[0];
}
