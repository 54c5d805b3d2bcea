/// Integers and flags that something changes which does not name them: pointers, references that
/// objects keep, iterators. What stands in a loop must not take them for constant.

#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace {

struct Constructed {
  int& n;
  explicit Constructed(int& k) : n(k) {}
  void add() { ++n; }
};
struct Braced {
  int& n;
  void add() { ++n; }
};
struct Owner {
  int n = 0;
  int* at() { return &n; }
};
struct Node {
  double v;
  int k;
};
struct Box {
  Node a;
  int c[2];
};
struct Random {
  unsigned& s;
  double operator()() {
    s = s * 5U + 3U;
    return (s % 8U) / 8.0;
  }
};

int* kept = nullptr;
void keep_pointer(int* p) {
  kept = p;
}
void keep_reference(int& p) {
  kept = &p;
}
void bump() {
  ++*kept;
}

double pointer_in_loop(double x) {
  int n = 0;
  int* p = &n;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++*p;
  }
  return s + x * n * x;
}

double constructed_name(double x) {
  int n = 0;
  Constructed w(n);
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++w.n;
  }
  return s + x * n * x;
}

double member_of_braces(double x) {
  int n = 0;
  Braced w{n};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++w.n;
  }
  return s + x * n * x;
}

double method_of_braces(double x) {
  int n = 0;
  Braced w{n};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    w.add();
  }
  return s + x * n * x;
}

double bound_by_pointer(double x) {
  int n = 3;
  int* p = &n;
  double s = x;
  for (int i = 0; i < n; ++i) {
    s *= x;
    if (i == 1)
      --*p;
  }
  return s * n;
}

double bound_by_member(double x) {
  int n = 3;
  Braced w{n};
  double s = x;
  for (int i = 0; i < n; ++i) {
    s *= x;
    if (i == 1)
      --w.n;
  }
  return s * n;
}

double destructor_writes(double x) {
  int n = 1;
  struct L {
    int& k;
    ~L() { ++k; }
  };
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    L l{n};
    s += x * n;
  }
  return s + x * n * x;
}

double counting_object(double x) {
  int i = 0;
  struct It {
    int& i;
    int next() { return i++; }
  } it{i};
  double s = 0;
  while (i < 3) s += it.next() * x;
  return s * i;
}

double flag_by_member(double x) {
  bool w = false;
  struct H {
    bool& w;
  } h{w};
  h.w = true;
  if (w)
    x *= x;
  return x;
}

double copied_name(double x) {
  int n = 0;
  struct V {
    int& a;
  };
  V u{n};
  V v = u;
  double s = 0;
  for (int k = 0; k < 3; ++k) {
    v.a += 2;
    s += x * n;
  }
  return s * n;
}

double index_by_member(double x) {
  std::size_t i = 0;
  std::vector<double> v{x, x * x, x * x * x};
  struct H {
    std::size_t& w;
  } h{i};
  double s = 0;
  for (int k = 0; k < 2; ++k) {
    ++h.w;
    s += v[i] * x;
  }
  return s;
}

double random_numbers(double x) {
  unsigned s = 7;
  Random r{s};
  double a = r() * x;
  return a + r() * x + (s % 8u) * x;
}

double random_numbers_in_loop(double x) {
  unsigned s = 7;
  Random r{s};
  double a = 0;
  for (int i = 0; i < 4; ++i) {
    a += r() * x * (s % 5u);
  }
  return a;
}

double array_by_pointer(double x) {
  int a[3] = {1, 2, 3};
  int* p = a;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1];
    ++p[1];
  }
  return s + x * a[1] * x;
}

double vector_by_data(double x) {
  std::vector<int> a{1, 2, 3};
  int* p = a.data();
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1];
    ++p[1];
  }
  return s + x * a[1] * x;
}

double vector_by_iterator(double x) {
  std::vector<int> a{1, 2, 3};
  auto p = a.begin();
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1];
    ++p[1];
  }
  return s + x * a[1] * x;
}

double vector_by_reference(double x) {
  std::vector<int> a{1, 2, 3};
  int& p = a[1];
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1];
    ++p;
  }
  return s + x * a[1] * x;
}

double array_by_span(double x) {
  std::array<int, 3> a{1, 2, 3};
  std::span<int> p(a);
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1];
    ++p[1];
  }
  return s + x * a[1] * x;
}

double reference_wrapper(double x) {
  int n = 1;
  auto p = std::ref(n);
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++p.get();
  }
  return s + x * n * x;
}

double kept_pointer(double x) {
  int n = 1;
  keep_pointer(&n);
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    bump();
  }
  return s + x * n * x;
}

double kept_reference(double x) {
  int n = 1;
  keep_reference(n);
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    bump();
  }
  return s + x * n * x;
}

double pointer_from_method(double x) {
  Owner o;
  int* p = o.at();
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * o.n;
    ++*p;
  }
  return s + x * o.n * x;
}

double part_by_pointer(double x) {
  struct P {
    int k;
    double v;
  };
  P m{1, x};
  P* q = &m;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += m.v * m.k;
    ++q->k;
  }
  return s + x * m.k * x;
}

double array_of_pointers(double x) {
  int n = 1;
  int* a[2] = {&n, &n};
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++*a[i % 2];
  }
  return s + x * n * x;
}

double index_by_iterator(double x) {
  std::vector<std::size_t> v{2, 0, 1};
  std::vector<double> d{x, x * x, x * x * x};
  double s = 0;
  auto it = v.begin();
  for (int i = 0; i < 2; ++i) {
    s += d[v[0]] * x;
    --*it;
  }
  return s * d[v[0]];
}

double untyped_pointer(double x) {
  int n = 1;
  void* q = &n;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * n;
    ++*static_cast<int*>(q);
  }
  return s + x * n * x;
}

double flag_by_pointer(double x) {
  bool on = true;
  bool* q = &on;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    if (on)
      s += x * x;
    else
      s += x;
    *q = !*q;
  }
  return s;
}

double row_by_pointer(double x) {
  int a[2][2] = {{1, 2}, {3, 4}};
  int(*p)[2] = a;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += x * a[1][0];
    p[1][0] += 2;
  }
  return s + x * a[1][0] * x;
}

double walking_pointer(double x) {
  int a[3] = {1, 2, 3};
  for (int* p = a; p != a + 3; ++p) {
    x *= a[1];
    *p += 2;
  }
  return x * a[0];
}

double counter_by_pointer(double x) {
  double s = 0;
  for (int i = 0; i < 6; ++i) {
    int* p = &i;
    s += x * i;
    ++*p;
  }
  return s;
}

double counter_with_two_names(double x) {
  double s = 0;
  int i = 0;
  int* p = &i;
  while (i < 6) {
    s += x * i;
    ++i;
    if (i == 3)
      ++*p;
  }
  return s * i;
}

double part_by_iterator(double x) {
  std::vector<Node> v{{x, 1}, {x * x, 2}};
  auto it = v.begin();
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += v[0].v * v[0].k;
    ++it->k;
  }
  return s * v[0].k;
}

double node_by_pointer(double x) {
  Box b{{x, 1}, {2, 3}};
  Node* p = &b.a;
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s += b.a.v * b.a.k;
    p->k += 2;
    p->v *= x;
  }
  return s * b.a.k;
}

double part_of_array_by_pointer(double x) {
  Node q[2]{{x, 1}, {x, 2}};
  Node* p = q;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += q[0].v * q[1].k;
    ++p[1].k;
  }
  return s * q[1].k;
}

double node_of_vector_by_pointer(double x) {
  std::vector<Node> q{{x, 1}, {x, 2}};
  Node* r = &q[1];
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += q[1].v * q[1].k;
    ++r->k;
    r->v += x;
  }
  return s * q[1].k;
}

double swapped_pointers(double x) {
  int a = 1, b = 2;
  int* p = &a;
  int* q = &b;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += x * a * b;
    ++*p;
    std::swap(p, q);
  }
  return s * a * b;
}

double pointer_to_pointer(double x) {
  int n = 1;
  int* p = &n;
  int** pp = &p;
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += x * n;
    ++**pp;
  }
  return s * n;
}

double row_by_reference(double x) {
  int m[2][2] = {{1, 2}, {3, 4}};
  auto& row = m[1];
  double s = 0;
  for (int i = 0; i < 4; ++i) {
    s += x * m[1][0];
    ++row[0];
  }
  return s * m[1][0];
}

}  // namespace

DDX_CHECK_GRADIENT(pointer_in_loop, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(constructed_name, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(member_of_braces, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(method_of_braces, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(bound_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(bound_by_member, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(destructor_writes, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(counting_object, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(flag_by_member, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(copied_name, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(index_by_member, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(random_numbers, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(random_numbers_in_loop, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(array_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(vector_by_data, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(vector_by_iterator, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(vector_by_reference, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(array_by_span, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(reference_wrapper, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(kept_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(kept_reference, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(pointer_from_method, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(part_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(array_of_pointers, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(index_by_iterator, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(untyped_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(flag_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(row_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(walking_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(counter_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(counter_with_two_names, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(part_by_iterator, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(node_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(part_of_array_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(node_of_vector_by_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(swapped_pointers, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(pointer_to_pointer, at(0.83), at(1.1), at(-1.37))
DDX_CHECK_GRADIENT(row_by_reference, at(0.83), at(1.1), at(-1.37))
