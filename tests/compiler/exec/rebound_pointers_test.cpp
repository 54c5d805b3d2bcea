// Pointers to constants and to objects of this function that are bound to something else: what they
// lead to is known when the program runs.

#include "gradient_check.h"

#include <utility>
#include <vector>

namespace {

const double first_table[2] = {1, 2};
const double second_table[2] = {3, 4};

double exchanged(double x) {
  const double* p = first_table;
  const double* q = second_table;
  std::swap(p, q);
  return x * x * p[0] + x * q[1];
}

struct Factor {
  double value;
  int count;
};

double selected(double x) {
  const Factor small{1, 1};
  const Factor large{2, 3};
  const Factor* used = &small;
  if (x > 0) {
    used = &large;
  }
  return x * x * used->value * used->count;
}

double of_another_vector(double x) {
  const std::vector<double> v{1, 7};
  const std::vector<double> w{5, 6};
  const double* p = v.data();
  const double before = *p;
  p = w.data() + 1;
  return x * x * *p + before;
}

void advance(const double*& p, int n) {
  p += n;
}

double by_reference(double x) {
  const double* p = second_table;
  advance(p, 1);
  return x * x * *p;
}

}  // namespace

DDX_CHECK_GRADIENT(exchanged, at(0.3), at(-0.7), at(1.1))
DDX_CHECK_GRADIENT(selected, at(0.3), at(-0.7), at(1.1))
DDX_CHECK_GRADIENT(of_another_vector, at(0.3), at(-0.7), at(1.1))
DDX_CHECK_GRADIENT(by_reference, at(0.3), at(-0.7), at(1.1))
