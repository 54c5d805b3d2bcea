// Step 6: loops with several exits.
//
// A loop whose length is not known in advance, now with an exit in the middle. The residuals store
// the number of iterations and the exit taken. The reverse sweep starts there, reverses the partial
// iteration, and then the complete ones. The residuals of the iterations form a chain.

#include "check.h"

#include <cmath>
#include <deque>

double program(double x) {
  double y = 1;
  while (y < 100) {
    y = y * x + std::sin(x);
    if (y > 50) {
      return y * y;
    }
  }
  return y;
}

struct Turn {
  double y;  // Before the iteration.
};

struct Record {
  std::deque<Turn> turns;  // The compiler allocates them in an arena, by moving a pointer.
  bool returned = false;   // Whether the exit inside the loop was taken.
  double y = 0;            // At that return.
};

double forward(double x, Record& record) {
  double y = 1;
  while (y < 100) {
    record.turns.push_back({y});
    y = y * x + std::sin(x);
    if (y > 50) {
      record.returned = true;
      record.y = y;
      return y * y;
    }
  }
  return y;
}

double reverse(const Record& record, double x, double seed) {
  double d_x = 0;
  double d_y = 0;
  if (record.returned) {
    d_y += 2 * record.y * seed;  // return y * y
  } else {
    d_y += seed;  // return y
  }
  for (auto turn = record.turns.rbegin(); turn != record.turns.rend(); ++turn) {
    const double t = d_y;  // y = y * x + sin(x)
    d_y = t * x;
    d_x += t * turn->y + t * std::cos(x);
  }
  return d_x;
}

int main() {
  for (const double x : {3.0, 7.5, 20.0}) {
    Record record;
    forward(x, record);
    const double h = 1e-6 * x;
    check("slope", reverse(record, x, 1), (program(x + h) - program(x - h)) / (2 * h), 1e-8);
  }
}
