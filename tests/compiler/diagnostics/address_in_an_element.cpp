// An element of a container that keeps an address is not a place that is known.
#include "ddx/ad.h"

#include <vector>

struct Cell {
  double v;
};

struct Watch {
  Cell* cell;
  Watch(Cell* watched) : cell(watched) {}
};

double f(double x) {
  Cell a{x};
  Cell b{x * x};
#ifndef ACCEPTED
  // expected-error@+2 {{this way to make an object of type 'Watch'}}
  // expected-error@+1 {{this way to make an object of type 'Watch'}}
  std::vector<Watch> watches{Watch(&a), Watch(&b)};
  watches[1].cell->v *= 2;  // expected-error {{the member 'cell' of 'Watch', which is a pointer}}
#else
  std::vector<Cell*> cells{&a, &b};
  cells[1]->v *= 2;
#endif
  return a.v * 3 + b.v;
}

const auto slope = ddx::gradient(f, 2.0);  // expected-note 1+ {{derivative requested here}}
