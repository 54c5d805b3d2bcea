// RUN-FLAGS: -fplugin-arg-ddx-print-lower
// What changes which elements a container has.

#include <ddx/ad.h>
#include <deque>
#include <vector>

// CHECK-LABEL: sequences(x)
// CHECK:         append v %
// CHECK:         prepend d %
// CHECK:         remove_last v
// CHECK:         remove_first d
double sequences(double x) {
  std::vector<double> v;
  v.push_back(x);
  std::deque<double> d;
  d.push_front(x * v.back());
  v.pop_back();
  d.push_front(x);
  d.pop_front();
  return d.front();
}

double all(double x) {
  return ddx::gradient(sequences, x);
}
