// RUN-FLAGS: -fplugin-arg-ddx-print-derivatives
// An object made member by member: its shape is read when its scope ends, and not before all
// members are there.

#include "ddx/ad.h"

#include <vector>

struct Pair {
  std::vector<double> first;
  std::vector<double> second;
};

double program(double x) {
  Pair pair = {std::vector<double>(2, x), {x, 3.0}};
  pair.first.push_back(x * x);
  return pair.first[2] * pair.second[0];
}

double at_one() {
  return ddx::gradient(program, 1.0);
}

// CHECK: double ddx_program_forward({{.*}} {
// CHECK: Pair& pair = pair_storage.get();
// CHECK-NOT: saved_shape
// CHECK: pair_storage.complete();
// CHECK-NOT: saved_shape
// CHECK: push_back
// CHECK: {{.*}}saved_shape<{{.*}}>(arena, pair);
// CHECK-NEXT: return
