// RUN-FLAGS: -fplugin-arg-ddx-print-activity
// Which values and variables carry derivatives: those that vary with the inputs and reach the
// result. "varied" alone does not reach it, "useful" alone does not vary.

#include <cmath>
#include <ddx/ad.h>
#include <vector>

// CHECK-LABEL: partly(x [active], n, constant [useful])
// CHECK-NEXT:   %1 [varied] = load x
// CHECK-NEXT:   %2 [varied] = load x
// CHECK-NEXT:   %3 [varied] = operator mul %1 %2
// CHECK-NEXT:   declare unused [varied] = %3
// CHECK-NEXT:   %4 [none] = load constant
// CHECK-NEXT:   store unused += %4
// CHECK-NEXT:   %5 [useful] = 0.0
// CHECK-NEXT:   declare count [useful] = %5
// CHECK-NEXT:   %6 [useful] = static_cast<double>(n)
// CHECK-NEXT:   store count += %6
// CHECK-NEXT:   %7 [useful] = load constant
// CHECK-NEXT:   %8 [useful] = 2.0
// CHECK-NEXT:   %9 [useful] = operator mul %7 %8
// CHECK-NEXT:   declare scale [useful] = %9
// CHECK-NEXT:   %10 [varied] = load x
// CHECK-NEXT:   %11 [useful] = floor %10
// CHECK-NEXT:   declare steps [useful] = %11
// CHECK-NEXT:   %12 [active] = load x
// CHECK-NEXT:   %13 [active] = sin %12
// CHECK-NEXT:   %14 [useful] = load scale
// CHECK-NEXT:   %15 [active] = operator mul %13 %14
// CHECK-NEXT:   %16 [useful] = load count
// CHECK-NEXT:   %17 [active] = operator add %15 %16
// CHECK-NEXT:   %18 [useful] = load steps
// CHECK-NEXT:   %19 [active] = operator add %17 %18
// CHECK-NEXT:   return %19
double partly(double x, int n, double constant) {
  double unused = x * x;
  unused += constant;
  double count = 0;
  count += n;
  const double scale = constant * 2;
  const double steps = std::floor(x);
  return std::sin(x) * scale + count + steps;
}

// Activity spreads backwards through a loop.
// CHECK-LABEL: carried(x [active], n)
// CHECK-NEXT:   %1 [useful] = 1.0
// CHECK-NEXT:   declare a [active] = %1
// CHECK-NEXT:   %2 [useful] = 1.0
// CHECK-NEXT:   declare b [active] = %2
// CHECK-NEXT:   block
// CHECK-NEXT:     %3 = 0
// CHECK-NEXT:     %4 = n
// CHECK-NEXT:     loop it i from %3 to %4 step 1
// CHECK-NEXT:       %5 [active] = load a
// CHECK-NEXT:       %6 [useful] = 2.0
// CHECK-NEXT:       %7 [active] = operator mul %5 %6
// CHECK-NEXT:       store b = %7
// CHECK-NEXT:       %8 [active] = load x
// CHECK-NEXT:       store a = %8
// CHECK-NEXT:   %9 [active] = load b
// CHECK-NEXT:   return %9
double carried(double x, int n) {
  double a = 1;
  double b = 1;
  for (int i = 0; i < n; ++i) {
    b = a * 2;
    a = x;
  }
  return b;
}

void fill(std::vector<double>& into, double with) {
  into[0] = with;
}

// What a callee may write by reference.
// CHECK-LABEL: by_reference(x [active])
// CHECK-NEXT:   declare active [active]  = __ddx_names::vector_double(1)
// CHECK-NEXT:   declare inactive [useful]  = __ddx_names::vector_double(1)
// CHECK-NEXT:   %1 [active] = load x
// CHECK-NEXT:   call fill(&active, %1)
// CHECK-NEXT:   %2 [useful] = 2.0
// CHECK-NEXT:   call fill(&inactive, %2)
// CHECK-NEXT:   %3 = 0
// CHECK-NEXT:   %4 [active] = load active[%3]
// CHECK-NEXT:   %5 = 0
// CHECK-NEXT:   %6 [useful] = load inactive[%5]
// CHECK-NEXT:   %7 [active] = operator mul %4 %6
// CHECK-NEXT:   return %7
double by_reference(double x) {
  std::vector<double> active(1);
  std::vector<double> inactive(1);
  fill(active, x);
  fill(inactive, 2);
  return active[0] * inactive[0];
}

struct Body {
  double mass = 1;
  double place = 0;
  DDX_DIFFERENTIABLE(Body, place)
  DDX_NO_DERIVATIVE(mass)
};

// A field without derivative carries nothing.
// CHECK-LABEL: excluded(body [active])
// CHECK-NEXT:   %1 [useful] = load body.mass
// CHECK-NEXT:   %2 [active] = load body.place
// CHECK-NEXT:   %3 [active] = operator mul %1 %2
// CHECK-NEXT:   return %3
double excluded(const Body& body) {
  return body.mass * body.place;
}

double squared(const double& x) {
  return x * x;
}

// Nor does what is computed of it alone, wherever that is done.
// CHECK-LABEL: excluded_by_reference(body [active])
// CHECK-NEXT:   %1 [useful] = call squared(&body.mass)
// CHECK-NEXT:   %2 [active] = call squared(&body.place)
// CHECK-NEXT:   %3 [active] = operator mul %1 %2
// CHECK-NEXT:   return %3
double excluded_by_reference(const Body& body) {
  return squared(body.mass) * squared(body.place);
}

double use(double x, int n) {
  return ddx::gradient(
             [n](double y) { return partly(y, n, 2.5) + carried(y, n) + by_reference(y); }, x) +
         ddx::gradient(
             [](const Body& body) { return excluded(body) + excluded_by_reference(body); }, Body{})
             .place;
}
