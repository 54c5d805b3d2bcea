// RUN-FLAGS: -fplugin-arg-ddx-print-lower
// How control flow is lowered: counted loops know their bounds, the others keep their condition.

#include <cmath>
#include <ddx/ad.h>

// CHECK-LABEL: loops(x, n)
// CHECK-NEXT:   %1 = 0
// CHECK-NEXT:   declare s = %1
// CHECK-NEXT:   block
// CHECK-NEXT:     %2 = 0
// CHECK-NEXT:     %3 = n
// CHECK-NEXT:     loop it i from %2 to %3 step 1
// CHECK-NEXT:       %4 = load x
// CHECK-NEXT:       store s += %4
// CHECK-NEXT:   block
// CHECK-NEXT:     %5 = n
// CHECK-NEXT:     %6 = 1
// CHECK-NEXT:     loop it_2 i_2 from %5 through %6 step -2
// CHECK-NEXT:       %7 = load x
// CHECK-NEXT:       %8 = load s
// CHECK-NEXT:       %9 = operator mul %8 %7
// CHECK-NEXT:       store s = %9
// CHECK-NEXT:   loop it_3 while s > 9
// CHECK-NEXT:     %10 = load s
// CHECK-NEXT:     %11 = 2
// CHECK-NEXT:     %12 = operator div %10 %11
// CHECK-NEXT:     store s = %12
// CHECK-NEXT:   loop it_4 do while s > 1
// CHECK-NEXT:     %13 = load x
// CHECK-NEXT:     store s -= %13
// CHECK-NEXT:   %14 = load s
// CHECK-NEXT:   return %14
double loops(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x;
  }
  for (int i = n; i >= 1; i -= 2) {
    s *= x;
  }
  while (s > 9) {
    s = s / 2;
  }
  do {
    s -= x;
  } while (s > 1);
  return s;
}

// A loop whose counter the body moves is not counted; its increment runs after a continue.
// CHECK-LABEL: moved_counter(x, n)
// CHECK-NEXT:   %1 = 0
// CHECK-NEXT:   declare s = %1
// CHECK-NEXT:   block
// CHECK-NEXT:     %2 = 0
// CHECK-NEXT:     declare i = %2
// CHECK-NEXT:     loop it while i < n
// CHECK-NEXT:       %3 = s > 1
// CHECK-NEXT:       if %3
// CHECK-NEXT:         text ++i
// CHECK-NEXT:         continue
// CHECK-NEXT:       %4 = load x
// CHECK-NEXT:       %5 = load s
// CHECK-NEXT:       %6 = operator mul %4 %5
// CHECK-NEXT:       store s += %6
// CHECK-NEXT:     then
// CHECK-NEXT:       text ++i
// CHECK-NEXT:   %7 = load s
// CHECK-NEXT:   return %7
double moved_counter(double x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (s > 1) {
      ++i;
      continue;
    }
    s += x * s;
  }
  return s;
}

// CHECK-LABEL: branches(x, k)
// CHECK-NEXT:   %1 = x > 1 && k != 2
// CHECK-NEXT:   if %1
// CHECK-NEXT:     %2 = load x
// CHECK-NEXT:     return %2
// CHECK-NEXT:   %3 = k > 0
// CHECK-NEXT:   declare selected
// CHECK-NEXT:   if %3
// CHECK-NEXT:     %4 = load x
// CHECK-NEXT:     store selected = %4
// CHECK-NEXT:   else
// CHECK-NEXT:     %5 = load x
// CHECK-NEXT:     %6 = operator neg %5
// CHECK-NEXT:     store selected = %6
// CHECK-NEXT:   %7 = load selected
// CHECK-NEXT:   declare y = %7
// CHECK-NEXT:   %8 = k
// CHECK-NEXT:   switch %8
// CHECK-NEXT:   case 0:
// CHECK-NEXT:     %9 = load x
// CHECK-NEXT:     store y += %9
// CHECK-NEXT:   case 1:
// CHECK-NEXT:   case 4:
// CHECK-NEXT:     %10 = load x
// CHECK-NEXT:     %11 = load y
// CHECK-NEXT:     %12 = operator mul %11 %10
// CHECK-NEXT:     store y = %12
// CHECK-NEXT:     break
// CHECK-NEXT:   default:
// CHECK-NEXT:     %13 = 1
// CHECK-NEXT:     store y = %13
// CHECK-NEXT:   %14 = load y
// CHECK-NEXT:   return %14
double branches(double x, int k) {
  if (x > 1 && k != 2) {
    return x;
  }
  double y = k > 0 ? x : -x;
  switch (k) {
    case 0:
      y += x;
      [[fallthrough]];
    case 1:
    case 4:
      y *= x;
      break;
    default:
      y = 1;
  }
  return y;
}

// An operand with an effect on an active value becomes a branch: it may not run.
// CHECK-LABEL: short_circuit(x, k)
// CHECK-NEXT:   %1 = load x
// CHECK-NEXT:   declare y = %1
// CHECK-NEXT:   %2 = k > 0
// CHECK-NEXT:   declare outcome = %2
// CHECK-NEXT:   if %2
// CHECK-NEXT:     %3 = load x
// CHECK-NEXT:     %4 = load y
// CHECK-NEXT:     %5 = operator mul %4 %3
// CHECK-NEXT:     store y = %5
// CHECK-NEXT:     %6 = load y
// CHECK-NEXT:     %7 = 1
// CHECK-NEXT:     %8 = '$0 > $1' %6 %7
// CHECK-NEXT:     store outcome = %8
// CHECK-NEXT:   %9 = load outcome
// CHECK-NEXT:   if %9
// CHECK-NEXT:     %10 = load y
// CHECK-NEXT:     %11 = sin %10
// CHECK-NEXT:     store y = %11
// CHECK-NEXT:   %12 = load y
// CHECK-NEXT:   return %12
double short_circuit(double x, int k) {
  double y = x;
  if (k > 0 && (y *= x) > 1) {
    y = std::sin(y);
  }
  return y;
}

double use(double x, int n) {
  return ddx::gradient(
      [n](double y) {
        return loops(y, n) + moved_counter(y, n) + branches(y, n) + short_circuit(y, n);
      },
      x);
}
