// Classes whose objects hold others of their kind, in vectors, deques and maps.

#include "gradient_check.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace {

struct TN {
  double v;
  std::vector<TN> kids;
};
struct TD {
  double v;
  std::deque<TD> kids;
};
struct T3 {
  double v;
  std::vector<std::vector<T3>> kids;
};
struct TA;
struct TB {
  double w;
  std::vector<TA> as;
};
struct TA {
  double v;
  std::vector<TB> bs;
};
struct T1 {
  double v = 0;
  std::vector<T1> kids;
};
struct TF {
  std::vector<TF> kids;
  double v = 0;
};
struct TM {
  double v = 0;
  std::map<int, TM> kids;
};
double s(const TN& n) {
  double r = n.v;
  for (const TN& k : n.kids) r += n.v * s(k);
  return r;
}
double s2(const TN& n) {
  double r = n.v;
  for (std::size_t i = 0; i < n.kids.size(); ++i) r = r * 0.5 + n.v * s2(n.kids[i]);
  return r;
}
struct TT {
  double v;
  std::vector<TT> kids;
  double total() const {
    double r = v;
    for (const auto& k : kids) r += v * k.total();
    return r;
  }
  void scale(double by) {
    v *= by;
    for (auto& k : kids) k.scale(by * v);
  }
};
struct PI {
  int id = 0;
  std::vector<PI> kids;
};
int depth(const PI& p) {
  int d = 0;
  for (const PI& k : p.kids) d = std::max(d, depth(k));
  return d + 1;
}
struct Ex {
  char op = '+';
  double c = 0;
  std::vector<Ex> args;
  double eval(double x) const {
    if (op == 'x')
      return x;
    if (op == 'c')
      return c;
    double r = args[0].eval(x);
    for (std::size_t i = 1; i < args.size(); ++i)
      r = op == '+' ? r + args[i].eval(x) : r * args[i].eval(x);
    return r;
  }
};
Ex num(double c) {
  return {'c', c, {}};
}
Ex var() {
  return {'x', 0, {}};
}
Ex mul(Ex a, Ex b) {
  Ex r{'*', 0, {}};
  r.args.push_back(std::move(a));
  r.args.push_back(std::move(b));
  return r;
}
TN grow(double x, int n) {
  TN t{x * n, {}};
  for (int i = 0; i < n; ++i) t.kids.push_back(grow(x * x + i, n - 1));
  return t;
}
template <class T>
struct Node {
  T v;
  std::vector<Node<T>> kids;
  T sum() const {
    T s = v;
    for (auto& k : kids) s = s * v + k.sum();
    return s;
  }
};

double appended(double x) {
  TN t{x, {}};
  t.kids.push_back({2 * x, {}});
  return t.v * t.kids[0].v;
}

double resized(double x) {
  TN t{1, {}};
  t.kids.resize(2);
  t.kids[1].v = x * x;
  return t.kids[1].v;
}

double last_one(double x) {
  TN t{1, {}};
  t.kids.push_back({2 * x, {}});
  return t.kids.back().v;
}

double in_a_deque(double x) {
  TD t{x, {}};
  t.kids.push_back({2 * x, {}});
  return t.v * t.kids[0].v;
}

double two_levels(double x) {
  T3 t{x, {}};
  t.kids.resize(1);
  t.kids[0].push_back({x * x, {}});
  return t.v * t.kids[0][0].v;
}

double by_turns(double x) {
  TA a{x, {}};
  TB b{2 * x, {}};
  b.as.push_back({x * x, {}});
  a.bs.push_back(b);
  return a.v * a.bs[0].w * a.bs[0].as[0].v;
}

double run_through(double x) {
  T1 t;
  t.v = x;
  T1 k;
  k.v = x * x;
  t.kids.push_back(k);
  double s = 0;
  for (const auto& c : t.kids) s += c.v * t.v;
  return s;
}

double vector_first(double x) {
  TF t{{}, x};
  return t.v * x;
}

double vector_first_emplaced(double x) {
  TF t;
  t.kids.emplace_back();
  t.kids[0].v = x * x;
  return t.kids[0].v;
}

double recursion(double x) {
  TN t{x, {}};
  t.kids.push_back({2 * x, {}});
  return s(t);
}

double recursion_by_index(double x) {
  TN t{x, {{2 * x, {}}, {x * x, {}}}};
  return s2(t);
}

double members(double x) {
  TT t{x, {}};
  t.kids.push_back({2 * x, {}});
  t.kids[0].kids.push_back({x * x, {}});
  t.scale(x);
  return t.total();
}

double in_a_map(double x) {
  TM t;
  t.v = x;
  t.kids[2].v = x * x;
  t.kids[2].kids[1].v = 3 * x;
  return t.kids[2].v * t.kids[2].kids[1].v * t.v;
}

double in_an_optional(double x) {
  std::optional<T1> o;
  o = T1{x, {}};
  o->kids.push_back({x * x, {}});
  return o->v * o->kids[0].v;
}

double copied_and_swapped(double x) {
  TN t{x, {}};
  t.kids.push_back({2 * x, {}});
  TN u = t;
  u.kids[0].v *= x;
  t = u;
  std::swap(t, u);
  return s(t) * u.kids[0].v;
}

double without_numbers(double x) {
  PI p;
  p.kids.resize(2);
  p.kids[1].kids.resize(1);
  return x * x * depth(p);
}

double expression_tree(double x) {
  Ex e = mul(mul(num(x), var()), var());
  return e.eval(x * x);
}

double grown(double x) {
  return s2(grow(x, 3));
}

double class_template(double x) {
  Node<double> n{x, {{2 * x, {}}, {x * x, {{x, {}}}}}};
  return n.sum();
}

double changed(double x) {
  TN t = grow(x, 2);
  t.kids.erase(t.kids.begin());
  t.kids.insert(t.kids.begin(), TN{x, {}});
  std::swap(t.kids[0], t.kids[1]);
  return s(t);
}

double stack_of_trees(double x) {
  std::vector<TN> st;
  st.push_back(grow(x, 2));
  double r = 0;
  while (!st.empty()) {
    TN n = st.back();
    st.pop_back();
    r = r * 0.9 + n.v * x;
    for (const TN& k : n.kids) st.push_back(k);
  }
  return r;
}

DDX_CHECK_GRADIENT(appended, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(resized, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(last_one, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(in_a_deque, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(two_levels, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(by_turns, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(run_through, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(vector_first, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(vector_first_emplaced, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(recursion, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(recursion_by_index, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(members, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(in_a_map, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(in_an_optional, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(copied_and_swapped, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(without_numbers, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(expression_tree, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(grown, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(class_template, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(changed, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(stack_of_trees, at(0.7), at(1.3), at(-0.4))

}  // namespace
