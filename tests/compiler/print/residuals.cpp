// RUN-FLAGS: -fplugin-arg-ddx-print-residuals
// What the forward sweep keeps for the reverse sweep, and where: per call, or per iteration. A
// value that nothing in the reverse sweep needs has no mark.

#include <cmath>
#include <ddx/ad.h>
#include <vector>

// A function whose slope its own result gives keeps that; a sine keeps its slope, and needs its
// argument no more; a sum keeps nothing; a product of what is still there is computed again.
// CHECK-LABEL: results(x [active], y [active])
// CHECK-NEXT:   %1 [active] = load x
// CHECK-NEXT:   %2 [active] {saved in r} = exp %1
// CHECK-NEXT:   declare e [active] = %2
// CHECK-NEXT:   %3 [active] = load y
// CHECK-NEXT:   %4 [active] = load x
// CHECK-NEXT:   %5 [active] = operator add %3 %4
// CHECK-NEXT:   %6 [active] {slope saved in r} = sin %5
// CHECK-NEXT:   declare s [active] = %6
// CHECK-NEXT:   %7 [active] = load e
// CHECK-NEXT:   %8 [active] = load s
// CHECK-NEXT:   %9 [active] = operator add %7 %8
// CHECK-NEXT:   %10 [active] {recomputed} = load x
// CHECK-NEXT:   %11 [active] {recomputed} = load y
// CHECK-NEXT:   %12 [active] = operator mul %10 %11
// CHECK-NEXT:   %13 [active] = operator add %9 %12
// CHECK-NEXT:   return %13
double results(double x, double y) {
  const double e = std::exp(x);
  const double s = std::sin(y + x);
  return e + s + x * y;
}

// A sine and a cosine of one angle are evaluated once, and keep one slope between them.
// CHECK-LABEL: turned(x [active], angle [active])
// CHECK-NEXT:   %1 [active] = load angle
// CHECK-NEXT:   %2 [active] {saved in r} {slope saved in r} = cos %1
// CHECK:        [active]{{.*}} {with %2} = sin
double turned(double x, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return x * c + s * s;
}

// A value that an assignment destroys is kept where it is used, once for each iteration.
// CHECK-LABEL: recurrence(x [active], n)
// CHECK-NEXT:   %1 [active] = load x
// CHECK-NEXT:   declare p [active] = %1
// CHECK-NEXT:   block
// CHECK-NEXT:     %2 {recomputed} = 0
// CHECK-NEXT:     %3 {recomputed} = n
// CHECK-NEXT:     loop it i from %2 to %3 step 1
// CHECK-NEXT:       %4 [active] {saved in it} = load p
// CHECK-NEXT:       %6 [active] = operator mul %4 %4
// CHECK-NEXT:       store p = %6
// CHECK-NEXT:   %7 [active] = load p
// CHECK-NEXT:   return %7
double recurrence(double x, int n) {
  double p = x;
  for (int i = 0; i < n; ++i) {
    p = p * p;
  }
  return p;
}

// A value that no iteration changes is kept once, outside of the loop.
// CHECK-LABEL: invariant(x [active], y [active], n)
// CHECK-NEXT:   %1 [active] = load x
// CHECK-NEXT:   declare factor [active] = %1
// CHECK-NEXT:   %2 [active] {recomputed} = load y
// CHECK-NEXT:   %3 [active] {saved in r} = load factor
// CHECK-NEXT:   %4 [active] = operator mul %3 %2
// CHECK-NEXT:   store factor = %4
// CHECK-NEXT:   %5 [useful] = 0.0
// CHECK-NEXT:   declare sum [active] = %5
// CHECK-NEXT:   block
// CHECK-NEXT:     %6 {recomputed} = 0
// CHECK-NEXT:     %7 {recomputed} = n
// CHECK-NEXT:     loop it i from %6 to %7 step 1
// CHECK-NEXT:       block
// CHECK-NEXT:         %8 {recomputed} = 0
// CHECK-NEXT:         %9 {recomputed} = i
// CHECK-NEXT:         loop it_2 j from %8 to %9 step 1
// CHECK-NEXT:           %10 [active] {saved in r} = load factor
// CHECK-NEXT:           %11 [active] {saved in it_2} = load sum
// CHECK-NEXT:           %12 [active] = operator mul %10 %11
// CHECK-NEXT:           store sum += %12
// CHECK-NEXT:   %13 [active] = load sum
// CHECK-NEXT:   store factor = %13
// CHECK-NEXT:   %14 [active] {saved in r} = load factor
// CHECK-NEXT:   %16 [active] = operator mul %14 %14
// CHECK-NEXT:   return %16
double invariant(double x, double y, int n) {
  double factor = x;
  factor *= y;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      sum += factor * sum;
    }
  }
  factor = sum;
  return factor * factor;
}

// What is read of an argument that nothing writes stays where it is; so do linear uses.
// CHECK-LABEL: borrowed(v [active], order)
// CHECK-NEXT:   %1 [useful] = 0.0
// CHECK-NEXT:   declare sum [active] = %1
// CHECK-NEXT:   block
// CHECK-NEXT:     %2 {recomputed} = 0
// CHECK-NEXT:     %3 {recomputed} = (v).size()
// CHECK-NEXT:     loop it i from %2 to %3 step 1
// CHECK-NEXT:       %4 {recomputed} = i
// CHECK-NEXT:       %5 [active] {recomputed} = load v[%4]
// CHECK-NEXT:       %6 = i
// CHECK-NEXT:       %8 [active] = operator mul %5 %5
// CHECK-NEXT:       %9 [useful] {recomputed} = 3.0
// CHECK-NEXT:       %10 {recomputed} = order[i]
// CHECK-NEXT:       %11 [active] = load v[%10]
// CHECK-NEXT:       %12 [active] = operator mul %9 %11
// CHECK-NEXT:       %13 [active] = operator add %8 %12
// CHECK-NEXT:       store sum += %13
// CHECK-NEXT:   %14 [active] = load sum
// CHECK-NEXT:   return %14
double borrowed(const std::vector<double>& v, const std::vector<int>& order) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += v[i] * v[i] + 3 * v[order[i]];
  }
  return sum;
}

// An index that the body only steps is computed from the number of the iteration.
// CHECK-LABEL: stepped(v [active])
// CHECK-NEXT:   %1 [useful] = 0.0
// CHECK-NEXT:   declare sum [active] = %1
// CHECK-NEXT:   %2 = 0
// CHECK-NEXT:   declare at = %2
// CHECK-NEXT:   loop it while at < 4 chained
// CHECK-NEXT:     %3 {recomputed} = at
// CHECK-NEXT:     %4 [active] {recomputed} = load v[%3]
// CHECK-NEXT:     %5 = at
// CHECK-NEXT:     %7 [active] = operator mul %4 %4
// CHECK-NEXT:     store sum += %7
// CHECK-NEXT:     text at += 2
// CHECK-NEXT:   %8 [active] = load sum
// CHECK-NEXT:   return %8
double stepped(const std::vector<double>& v) {
  double sum = 0;
  int at = 0;
  while (at < 4) {
    sum += v[at] * v[at];
    at += 2;
  }
  return sum;
}

// A loop that may be left keeps its iterations in a chain; the condition is one bool.
// CHECK-LABEL: left_early(x [active], n)
// CHECK-NEXT:   %1 [active] = load x
// CHECK-NEXT:   declare y [active] = %1
// CHECK-NEXT:   block
// CHECK-NEXT:     %2 {recomputed} = 0
// CHECK-NEXT:     %3 = n
// CHECK-NEXT:     loop it i from %2 to %3 step 1 chained
// CHECK-NEXT:       %4 = y > 10
// CHECK-NEXT:       if %4
// CHECK-NEXT:         %5 [active] {saved in it} = load y
// CHECK-NEXT:         %6 [active] {recomputed} = load x
// CHECK-NEXT:         %7 [active] = operator mul %5 %6
// CHECK-NEXT:         return %7
// CHECK-NEXT:       %8 [active] {saved in it} = load y
// CHECK-NEXT:       %10 [active] = operator mul %8 %8
// CHECK-NEXT:       store y = %10
// CHECK-NEXT:   %11 [active] = load y
// CHECK-NEXT:   return %11
double left_early(double x, int n) {
  double y = x;
  for (int i = 0; i < n; ++i) {
    if (y > 10) {
      return y * x;
    }
    y = y * y;
  }
  return y;
}

// What neighbouring iterations load is copied once, in front of the loop around theirs; what the
// loop around writes, in front of the inner one.
// CHECK-LABEL: rows(v [active], n)
// CHECK:               %9 [active] {copied in front of it} = load u[%8]
// CHECK-NEXT:          %10 {recomputed} = c - n
// CHECK-NEXT:          %11 [active] {copied in front of it} = load u[%10]
// CHECK:               %18 [active] {copied in front of it_4} = load u[%17]
double rows(const std::vector<double>& v, int n) {
  std::vector<double> u = v;
  double sum = 0;
  for (int i = 1; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int c = i * n + j;
      sum += u[c] * u[c - n];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sum += u[i * n + j] * sum;
    }
    u[i] = sum;
  }
  return sum;
}

double use(const std::vector<double>& v, const std::vector<int>& order) {
  return ddx::gradient(
      [&](const std::vector<double>& w) {
        return results(w[0], w[1]) + turned(w[0], w[1]) + recurrence(w[0], 3) +
               invariant(w[0], w[1], 3) + borrowed(w, order) + stepped(w) + left_early(w[0], 3) +
               rows(w, 2);
      },
      v)[0];
}
