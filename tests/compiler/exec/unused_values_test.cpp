// Expressions whose value nothing uses. As statements of derivatives they must not read as
// declarations: `n && q;` is one where `n` is a type.

#include "gradient_check.h"

#include <bitset>
#include <string>
#include <vector>

#pragma clang diagnostic ignored "-Wunused-value"
#pragma clang diagnostic ignored "-Wunused-comparison"
#pragma clang diagnostic ignored "-Wfloat-conversion"
#pragma clang diagnostic ignored "-Wparentheses"

namespace {

double conjunctions(double p) {
  double n = p * 2;
  double q = p * p;
  n&& q;
  n || q;
  !n&& q;
  n == q&& q;
  (n && q) || (q && n);
  return n * q;
}

double integers(double p) {
  int i = 3;
  int j = 4;
  int k = 5;
  i&& j;
  i* j;
  i & j;
  i<j> k;
  (int(i));
  sizeof(i) * j;
  static_cast<void>(i * j);
  return p * p * (i + j * k);
}

double choices(double p) {
  int i = 3;
  int j = 4;
  bool big = p > 1;
  double q = p * p;
  big ? i : i&& j;
  i = big ? i : i && j;
  bool both = big ? big : i && j;
  big ? p&& q : q&& p;
  return both ? q * p : q * i;
}

double commas(double p) {
  double n = p * 2;
  double q = p * p;
  int i = 1;
  int j = 2;
  n &&q, i &&j, n *q;
  for (i = 0; n && q; ++i) {
    if (i > 3) {
      break;
    }
  }
  for (j = 0; j < 3; i && j) {
    ++j;
    n += q;
  }
  return n * i;
}

double objects(double p) {
  std::bitset<8> s(3);
  std::bitset<8> t(5);
  s & t;
  std::string a("a");
  std::string b("b");
  a < b;
  std::vector<int> v{1, 2};
  v[0] && v[1];
  return p * p * v[1];
}

double pointers(double p) {
  int i = 2;
  int* w = &i;
  i** w;
  w&& i;
  double n = p * p;
  double q = p;
  const double& r = q;
  n&& r;
  double* z = &n;
  z&& q;
  *z&& q;
  return n * r * i;
}

double changes(double p) {
  double n = p;
  n > 0 && (n *= 2, true);
  n < 0 || (n *= p, true);
  n > 1 ? (n += p) : (n -= p);
  const auto inside = [&] { n&& p; };
  inside();
  return n;
}

using Vector = std::vector<double>;

struct Both {
  Vector value;
  Vector scaled;
};

Vector fill(const Vector& x, Vector& scaled) {
  scaled = x;
  scaled[0] = x[0] * x[1];
  return scaled;
}

Both both(const Vector& x) {
  Vector scaled{};
  Vector value = fill(x, scaled);
  return {value, scaled};
}

/// Neither what a call returns nor what it fills is read.
double outputs(double p) {
  const Vector x{p, p * p};
  const Both unread = both(x);
  return x[0] * x[1];
}

DDX_CHECK_GRADIENT(outputs, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(conjunctions, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(integers, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(choices, at(1.5), at(2.5), at(0.5))
DDX_CHECK_GRADIENT(commas, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(objects, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(pointers, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(changes, at(1.5), at(2.5), at(0.5))

}  // namespace
