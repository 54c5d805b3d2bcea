// Objects of the library keep pointers to numbers in memory, or to variables that have their place
// there, and hand them out as pointers to constants. Those to constants stay.
#include "ddx/ad.h"
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

struct Pair {
  double a = 0;
  double b = 0;
};

std::unique_ptr<Pair> pair_of(double a) {
  auto made = std::make_unique<Pair>();
  made->a = a;
  return made;
}

#ifndef ACCEPTED

double pair_to_variable(double x) {
  double y = x;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  std::pair<double*, int> p{&y, 1};
  *p.first += std::sin(*p.first);
  return y * x;
}
const auto a = ddx::gradient(pair_to_variable, 2.0);  // expected-note {{requested here}}

double pair_into_memory(double x) {
  const auto m = pair_of(x);
  double* q = &m->a;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  auto p = std::make_pair(q, 1);
  *p.first += std::sin(*p.first);
  return m->a * x;
}
const auto b = ddx::gradient(pair_into_memory, 2.0);  // expected-note {{requested here}}

double pair_that_reads(double x) {
  const auto m = pair_of(x);
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  std::pair<const double*, int> p{&m->a, 1};
  return std::sin(*p.first) * x;
}
const auto c = ddx::gradient(pair_that_reads, 2.0);  // expected-note {{requested here}}

double pair_of_owned_array(double x) {
  const auto v = std::make_unique<double[]>(2);
  v[0] = x;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  std::pair<double*, int> p{v.get(), 2};
  return std::sin(p.first[0]) * x;
}
const auto d = ddx::gradient(pair_of_owned_array, 2.0);  // expected-note {{requested here}}

double array_into_memory(double x) {
  const auto m = pair_of(x);
  double* q = &m->a;
  // expected-error@+1 {{an object of type 'std::array<double *, 1>' that active values enter}}
  std::array<double*, 1> p{q};
  *p[0] += std::sin(*p[0]);
  return m->a * x;
}
const auto e = ddx::gradient(array_into_memory, 2.0);  // expected-note {{requested here}}

double vector_to_variable(double x) {
  double y = x;
  std::vector<double*> v;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  v.push_back(&y);
  *v[0] += std::sin(*v[0]);
  return y * x;
}
const auto f = ddx::gradient(vector_to_variable, 2.0);  // expected-note {{requested here}}

double vector_into_memory(double x) {
  const auto m = pair_of(x);
  double* q = &m->a;
  std::vector<double*> v;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  v.push_back(q);
  for (double* p : v) {
    *p += std::sin(*p);
  }
  return m->a * x;
}
const auto g = ddx::gradient(vector_into_memory, 2.0);  // expected-note {{requested here}}

double pointer_to_pointer(double x) {
  const auto m = pair_of(x);
  double* q = &m->a;
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  double** r = &q;
  **r += std::sin(**r);
  return m->a * x;
}
const auto h = ddx::gradient(pointer_to_pointer, 2.0);  // expected-note {{requested here}}

double handed_to_a_function(std::pair<double*, int> p) {
  return *p.first;
}
double temporary(double x) {
  const auto m = pair_of(x);
  // expected-error@+1 {{cannot differentiate: a pointer to active values that an object keeps}}
  return handed_to_a_function(std::pair<double*, int>(&m->a, 1)) * x;
}
const auto i = ddx::gradient(temporary, 2.0);  // expected-note {{requested here}}

double behind(double** r) {
  return **r;
}
double by_address(double x) {
  const auto m = pair_of(x);
  double* q = &m->a;
  // expected-error@+1 {{cannot differentiate: an argument of type 'double **' that active values enter}}
  return behind(&q) * x;
}
const auto j = ddx::gradient(by_address, 2.0);  // expected-note {{requested here}}

#else

double constants(double x) {
  static const double table[3] = {1, 2, 3};
  const std::vector<double> more{1, 2, 3};
  const auto m = pair_of(x);
  const std::pair<const double*, int> p{table, 3};
  const std::pair<const double*, int> q{more.data(), 3};
  std::vector<const double*> v;
  v.push_back(table + 1);
  return p.first[1] * q.first[2] * *v[0] * m->a;
}
const auto a = ddx::gradient(constants, 2.0);

#endif
