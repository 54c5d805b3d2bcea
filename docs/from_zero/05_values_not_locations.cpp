// Step 5: values, not locations.
//
// Programs overwrite variables. After `y = y * x` the old y is gone, but the reverse sweep needs
// it. One can save the content of a location before each store and restore it in the reverse sweep.
// That breaks if two names are aliases of one location. It is better to save the *value* when it is
// computed, and never to restore anything.
//
// The cotangent of a location needs care too. A store overwrites the old value. So the reverse
// sweep takes the location's cotangent, sets it to zero, and only then adds to those of the
// operands:
//
//     y = y * x          t = d_y;  d_y = 0;  d_y += t * x;  d_x += t * y_old
//
// In this order it is right even if x and y are the same variable.

#include "check.h"

#include <utility>

void scale(double& y, const double& x) {
  y = y * x;
}

struct Record {
  double y;  // Both before the store.
  double x;
};

void scale_forward(double& y, const double& x, Record& record) {
  record = {y, x};
  y = y * x;
}

void scale_reverse(const Record& record, double& d_y, double& d_x) {
  const double t = std::exchange(d_y, 0);
  d_y += t * record.x;
  d_x += t * record.y;
}

int main() {
  Record record{};
  double y = 5;
  const double x = 3;
  scale_forward(y, x, record);
  double d_y = 1;
  double d_x = 0;
  scale_reverse(record, d_y, d_x);
  check("by y", d_y, 3);
  check("by x", d_x, 5);

  double z = 5;  // scale(z, z) squares.
  scale_forward(z, z, record);
  double d_z = 1;
  scale_reverse(record, d_z, d_z);
  check("by z, which is both", d_z, 2 * 5);
}
