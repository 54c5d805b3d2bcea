#include "gradient_check.h"

#include <array>
#include <iterator>
#include <vector>

namespace {

using Vector = std::vector<double>;

double iterator_loop(const Vector& v) {
  double s = 0;
  for (auto i = v.begin(); i != v.end(); ++i) {
    s = s * *i + *i;
  }
  return s;
}

double iterator_loop_writes(const Vector& given) {
  Vector v = given;
  double s = 1;
  for (Vector::iterator i = v.begin(), e = v.end(); i < e; i++) {
    *i *= s;
    s += *i * *i;
  }
  return s * v.front();
}

double reverse_loop(const Vector& v) {
  double s = 0;
  for (auto i = v.rbegin(); i != v.rend(); ++i) {
    s = s * *i + 1;
  }
  return s;
}

double reverse_loop_writes(const Vector& given) {
  Vector v = given;
  double s = 1;
  for (auto i = std::rbegin(v); i != std::rend(v); i += 1) {
    s *= *i;
    *i = s + i[0];
  }
  return v[0] * s;
}

double while_walk(const Vector& v) {
  auto first = v.cbegin();
  const auto last = v.cend();
  double s = 1;
  while (first != last) {
    s = s * *first++ + 1;
  }
  return s;
}

double every_second(const Vector& v) {
  double s = 0;
  for (auto i = v.begin(); v.end() - i > 1; i += 2) {
    s += s * i[0] * i[1] + *std::next(i);
  }
  return s;
}

double from_both_ends(const Vector& v) {
  auto left = v.begin();
  auto right = std::prev(v.end());
  double s = 1;
  while (left < right) {
    s += *left * *right * s;
    ++left;
    --right;
  }
  return s * *left;
}

double goes_back(const Vector& v) {
  auto i = v.begin();
  std::advance(i, 2);
  double s = *i;
  i -= 1;
  s *= *i;
  i = v.begin();
  return s - *i * s;
}

template <class Iterator>
double dot(Iterator first, Iterator last, Iterator other) {
  double s = 0;
  for (; first != last; ++first, ++other) {
    s += *first * *other * (1 + s);
  }
  return s;
}

double passes_iterators(const Vector& v) {
  return dot(v.begin(), v.end(), v.begin()) + dot(v.rbegin(), v.rend(), v.rbegin());
}

template <class Iterator>
void scale(Iterator first, Iterator last, double by) {
  while (first != last) {
    *first = *first * by;
    ++first;
  }
}

double callee_writes(const Vector& given, double by) {
  Vector v = given;
  scale(v.begin() + 1, v.end(), by);
  scale(v.rbegin(), v.rend() - 1, by);
  double s = 0;
  for (const double e : v) {
    s = s * by + e;
  }
  return s;
}

Vector::const_iterator middle(const Vector& v) {
  return v.begin() + static_cast<long>(v.size() / 2);
}

double returned_iterator(const Vector& v) {
  const auto m = middle(v);
  return *m * m[-1] + static_cast<double>(m - v.begin()) * *v.begin();
}

struct Point {
  double x = 0;
  double y = 0;
};

double members_through_iterator(double a, double b) {
  std::vector<Point> points(3);
  double t = a;
  for (auto p = points.begin(); p != points.end(); ++p) {
    p->x = t;
    p->y = t * b;
    t *= (*p).y + p->x;
  }
  return t;
}

double rows(double x) {
  double m[2][3] = {{x, x * x, 1}, {2, x, 3}};
  double s = 0;
  for (int r = 0; r < 2; ++r) {
    for (auto e = std::begin(m[r]); e != std::end(m[r]); ++e) {
      s = s * *e + 1;
      *e += s;
    }
  }
  return s * m[1][2];
}

double nested_rows(double x) {
  std::vector<Vector> m = {{x, 2}, {x * x, 3, x}};
  double s = 1;
  for (auto row = m.begin(); row != m.end(); ++row) {
    for (auto e = row->begin(); e != row->end(); ++e) {
      s += s * *e;
      *e = s;
    }
  }
  return s * m[0][1];
}

double array_iterators(double x) {
  std::array<double, 4> a{x, 2, x * x, 1};
  double s = 0;
  for (auto i = a.begin(); i != a.end(); ++i) {
    s += *i * s + *i;
  }
  for (auto i = a.crbegin(); i != a.crend(); ++i) {
    s *= *i;
  }
  return s;
}

double captured(const Vector& v) {
  auto i = v.begin();
  const auto before = [i](double by) { return *i * by; };
  ++i;
  const auto now = [&i](double by) { return *i * by; };
  ++i;
  return before(2) * now(*i);
}

double left_early(const Vector& v, double limit) {
  double s = 0;
  for (auto i = v.begin(); i != v.end(); ++i) {
    if (*i < 0) {
      continue;
    }
    s += *i * *i * limit;
    if (s > limit) {
      break;
    }
  }
  return s;
}

double pointer_walk(const Vector& v) {
  const double* p = v.data();
  const double* const end = p + v.size();
  double s = 1;
  while (p < end) {
    s += s * *p++;
  }
  return s;
}

double pointer_loop(double x) {
  double a[4] = {x, 2, x * x, 1};
  double s = 0;
  for (double* p = a; p != a + 4; ++p) {
    *p *= x;
    s = s * x + *p;
  }
  for (double* p = a + 3; p > a; --p) {
    s += p[-1] * *p * s;
  }
  return s;
}

double sum(const double* p, std::size_t n) {
  double s = 0;
  for (const double* end = p + n; p != end; ++p) {
    s = s * 0.5 + *p * *p;
  }
  return s;
}

void accumulate_into(double* out, const double* in, int n) {
  while (n--) {
    *out++ += *in * *in;
    ++in;
  }
}

double pointer_parameters(const Vector& v) {
  Vector w(v.size());
  accumulate_into(w.data(), v.data(), static_cast<int>(v.size()));
  accumulate_into(&w[1], &v[0], static_cast<int>(v.size()) - 1);
  return sum(w.data(), w.size());
}

double pointer_bound_anew(const Vector& v) {
  const double* p = v.data();
  double s = *p;
  p = &v[2];
  s *= *p;
  p -= 1;
  return s * *p + static_cast<double>(p - v.data()) * s;
}

const Vector three{0.7, -1.2, 1.9};
const Vector five{1.1, 0.4, -0.8, 1.3, 0.6};
const Vector one{1.4};

DDX_CHECK_GRADIENT(iterator_loop, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(iterator_loop_writes, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(reverse_loop, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(reverse_loop_writes, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(while_walk, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(every_second, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(from_both_ends, at(three), at(five), at(one))
DDX_CHECK_GRADIENT(goes_back, at(three), at(five), at(Vector{1.5, 2.5, 0.5}))
DDX_CHECK_GRADIENT(passes_iterators, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(callee_writes, at(three, 1.2), at(five, -0.7), at(one, 2.0))
DDX_CHECK_GRADIENT(returned_iterator, at(three), at(five), at(Vector{2.5, 0.5}))
DDX_CHECK_GRADIENT(members_through_iterator, at(0.7, 1.1), at(-0.4, 0.3), at(1.2, 0.5))
DDX_CHECK_GRADIENT(rows, at(1.3), at(0.4), at(-0.7))
DDX_CHECK_GRADIENT(nested_rows, at(1.3), at(0.4), at(-0.7))
DDX_CHECK_GRADIENT(array_iterators, at(1.3), at(0.4), at(-0.7))
DDX_CHECK_GRADIENT(captured, at(three), at(five), at(Vector{1.5, 2.5, 0.5}))
DDX_CHECK_GRADIENT(left_early, at(three, 3.0), at(five, 2.0), at(five, 0.1))
DDX_CHECK_GRADIENT(pointer_walk, at(three), at(five), at(one), at(Vector{}))
DDX_CHECK_GRADIENT(pointer_loop, at(1.3), at(0.4), at(-0.7))
DDX_CHECK_GRADIENT(pointer_parameters, at(three), at(five), at(Vector{1.5, 2.5, 0.5}))
DDX_CHECK_GRADIENT(pointer_bound_anew, at(three), at(five), at(Vector{1.5, 2.5, 0.5}))

}  // namespace
