/// Objects in memory whose members are pairs, tuples, arrays and containers: what a member finds is
/// raw storage, in which it is constructed, whatever initialiser it has.

#include "gradient_check.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using Numbers = std::vector<double>;

// --- Members without an initialiser.

struct PairOfVectors {
  std::pair<Numbers, Numbers> p;
  int n;
  explicit PairOfVectors(int k) : n(k) { p.first.assign(2, 0.5); }
};

struct TupleOfParts {
  std::tuple<Numbers, double, std::string> t;
  TupleOfParts() {}
};

struct Arrays {
  std::array<Numbers, 2> a;
  Numbers c[2];
  double d[2];
  std::string s = "s";
  Arrays() : d{} {}
};

struct Defaulted {
  std::array<Numbers, 2> a[2];
  std::pair<Numbers, std::string> q[2];
};

double pair_of_vectors(double x) {
  auto p = std::make_unique<PairOfVectors>(2);
  p->p.first[0] = x;
  p->p.second.push_back(x * x);
  return p->p.first[0] * p->p.second[0] * p->p.first[1] * p->n;
}

double tuple_of_parts(double x) {
  auto p = std::make_shared<TupleOfParts>();
  std::get<0>(p->t) = {x};
  std::get<1>(p->t) = x;
  return std::get<0>(p->t)[0] * std::get<1>(p->t);
}

double arrays_of_vectors(double x) {
  auto p = std::make_unique<Arrays>();
  p->a[1] = {x, x};
  p->c[0] = {x * x};
  return p->a[1][0] * p->a[1][1] + p->c[0][0] + p->d[0];
}

double defaulted_constructor(double x) {
  auto p = std::make_unique<Defaulted>();
  p->a[1][0] = {x};
  p->q[1].first = {x};
  return p->a[1][0][0] * p->q[1].first[0];
}
DDX_CHECK_GRADIENT(pair_of_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(tuple_of_parts, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(arrays_of_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(defaulted_constructor, at(0.83), at(1.1), at(0.37))

// --- Initialisers of members and of constructors.

struct Braced {
  std::pair<Numbers, Numbers> p = {};
  std::array<Numbers, 2> a = {};
  std::pair<double, double> q{};
};

struct Given {
  std::pair<Numbers, Numbers> p;
  std::array<Numbers, 2> a;
  explicit Given(double x) : p(Numbers{x}, Numbers{x, x}), a{Numbers{x}, Numbers{x, x, x}} {}
};

struct InheritsConstructors : Given {
  using Given::Given;
  std::pair<Numbers, int> k{Numbers{2.0}, 1};
};

struct Delegates {
  std::pair<Numbers, Numbers> p;
  double c;
  Delegates(double x, double y) : p(), c(y) { p.first = {x}; }
  explicit Delegates(double x) : Delegates(x, x * x) {}
};

struct Base {
  std::pair<Numbers, Numbers> p;
  std::array<Numbers, 2> a;
  Base() { p.first.resize(1); }
};

struct Derived : Base {
  std::tuple<Numbers, Numbers> t;
  explicit Derived(double x) {
    p.first[0] = x;
    std::get<1>(t) = {x};
  }
};

double empty_braces(double x) {
  auto p = std::make_unique<Braced>();
  p->p.second = {x};
  p->a[0] = {x};
  return p->p.second[0] * p->a[0][0] + p->q.first;
}

double constructor_initialisers(double x) {
  auto p = std::make_unique<Given>(x);
  auto q = std::make_unique<InheritsConstructors>(x * x);
  return p->p.second[1] * p->a[1][2] + q->k.first[0] * q->a[1][2];
}

double delegating_constructor(double x) {
  auto p = std::make_unique<Delegates>(x);
  return p->p.first[0] * p->c;
}

double base_constructor(double x) {
  auto p = std::make_unique<Derived>(x);
  return p->p.first[0] * std::get<1>(p->t)[0];
}
DDX_CHECK_GRADIENT(empty_braces, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(constructor_initialisers, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(delegating_constructor, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(base_constructor, at(0.83), at(1.1), at(0.37))

// --- Classes, strings and functions in members.

struct Number {
  double v;
  Number() : v(1) {}
};

struct OfClasses {
  Braced b;
  std::pair<Braced, double> d;
  std::array<Number, 2> n;
  Number c[2];
  std::pair<Number, Number> p;
  OfClasses() {}
};

struct OfStrings {
  std::string s;
  std::pair<std::string, Numbers> p;
  std::array<std::string, 2> n;
  explicit OfStrings(double x) : s("a string that has its characters elsewhere"), p(s, Numbers{x}) {
    n[1] = s;
  }
};

struct OfFunctions {
  std::function<double(double)> f;
  std::pair<Numbers, Numbers> p;
  explicit OfFunctions(double x) : f([x](double y) { return x * y; }) { p.first = {x}; }
};

double nested_classes(double x) {
  std::unique_ptr<OfClasses> p(new OfClasses);
  p->b.a[1] = {x};
  p->d.first.p.first = {x};
  p->n[0].v = x;
  p->c[1].v = x;
  p->p.first.v = x;
  return p->b.a[1][0] * p->d.first.p.first[0] + p->n[0].v * p->n[1].v * p->c[1].v * p->c[0].v +
         p->p.first.v * p->p.second.v;
}

double strings(double x) {
  auto p = std::make_unique<OfStrings>(x);
  return p->p.second[0] * p->p.second[0] + static_cast<double>(p->n[1].size()) * x;
}

double functions(double x) {
  auto p = std::make_unique<OfFunctions>(x);
  return p->f(p->p.first[0]);
}
DDX_CHECK_GRADIENT(nested_classes, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(strings, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(functions, at(0.83), at(1.1), at(0.37))

// --- Aggregates, and objects of the library.

struct Plain {
  std::pair<Numbers, Numbers> p;
  std::array<Numbers, 2> a;
  double n;
};

struct Aggregate : Base {
  std::array<Numbers, 2> extra;
  Numbers c[3];
  std::array<double, 3> d;
};

struct ZeroBase {
  double z;
  Numbers y;
};

struct ZeroDerived : ZeroBase {
  double w;
  std::pair<Numbers, Numbers> p;
};

double aggregates(double x) {
  std::unique_ptr<Plain> p(new Plain{});
  std::unique_ptr<Plain> q(new Plain{{Numbers{x}, Numbers{x}}, {Numbers{x}}, x});
  p->p.first = {x};
  return p->p.first[0] * x + p->n + q->p.second[0] * q->n * q->a[0][0];
}

double value_initialised(double x) {
  std::unique_ptr<Plain> p(new Plain());
  std::unique_ptr<ZeroDerived> q(new ZeroDerived());
  p->a[0] = {x};
  q->y = {x};
  q->p.first = {x};
  return p->a[0][0] * x + p->n + q->y[0] * q->p.first[0] + q->z + q->w;
}

double aggregate_with_base(double x) {
  std::unique_ptr<Aggregate> p(new Aggregate{{}, {Numbers{x}}, {{x}, {x}}, {x}});
  p->a[1] = {x};
  return p->extra[0][0] * p->c[1][0] * p->d[0] * p->a[1][0] + p->d[2];
}

double of_the_library(double x) {
  auto p = std::make_unique<std::pair<Numbers, Numbers>>();
  auto q = std::make_unique<std::array<Numbers, 2>>();
  auto t = std::make_shared<std::tuple<Numbers, double>>(Numbers{x}, x);
  p->first = {x};
  (*q)[0] = {x};
  return p->first[0] * (*q)[0][0] + std::get<0>(*t)[0] * std::get<1>(*t);
}
DDX_CHECK_GRADIENT(aggregates, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(value_initialised, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(aggregate_with_base, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(of_the_library, at(0.83), at(1.1), at(0.37))

// --- Copies.

struct Deep {
  std::unique_ptr<double> d;
  explicit Deep(double x) : d(std::make_unique<double>(x)) {}
  Deep(const Deep& other) : d(std::make_unique<double>(*other.d)) {}
};

struct HoldsDeep {
  Deep d;
  Numbers c[2];
  std::array<Numbers, 2> a;
  std::pair<Numbers, Numbers> p;
  explicit HoldsDeep(double x) : d(x), c{{x}, {x}}, a{Numbers{x}}, p(Numbers{x}, Numbers{}) {}
  HoldsDeep(const HoldsDeep&) = default;
};

struct Copied {
  std::array<Numbers, 2> a;
  Numbers c[2];
  explicit Copied(double x) : a{Numbers{x}}, c{Numbers{x}, {}} {}
  Copied(const Copied& other) : a(other.a), c{other.c[0], other.c[1]} {}
};

struct Linked {
  std::pair<Numbers, Numbers> p;
  Linked* next = nullptr;
  explicit Linked(double x) { p.second = {x}; }
};

struct Item {
  std::pair<double, double> p;
  std::array<double, 2> a;
};

struct Items {
  std::vector<Item> some;
  std::array<std::vector<Item>, 2> more;
  Items() { more[1].resize(1); }
};

double copied_member_by_member(double x) {
  auto p = std::make_unique<HoldsDeep>(x);
  auto q = std::make_unique<HoldsDeep>(*p);
  *p->d.d = 1;
  return *q->d.d * q->c[1][0] * q->a[0][0] * q->p.first[0];
}

double copied_by_hand(double x) {
  auto p = std::make_unique<Copied>(x);
  auto q = std::make_unique<Copied>(*p);
  p->c[0][0] = 1;
  return q->a[0][0] * q->c[0][0];
}

double captured_by_copy(double x) {
  std::pair<Numbers, Numbers> p{Numbers{x}, Numbers{}};
  std::array<Numbers, 2> a{Numbers{x}, Numbers{x}};
  std::function<double(double)> f = [p, a](double y) { return p.first[0] * a[1][0] * y; };
  auto g = f;
  return g(x);
}

double variables_with_links(double x) {
  Linked a(x), b(x * x);
  a.next = &b;
  double sum = 0;
  for (Linked* n = &a; n; n = n->next) {
    sum += n->p.second[0];
  }
  return sum;
}

double elements_of_vectors(double x) {
  auto p = std::make_unique<Items>();
  p->some.push_back(Item{{x, x}, {x, 1}});
  p->more[1][0] = p->some[0];
  p->some.clear();
  return p->more[1][0].p.second * p->more[1][0].a[0];
}
DDX_CHECK_GRADIENT(copied_member_by_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(copied_by_hand, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(captured_by_copy, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(variables_with_links, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(elements_of_vectors, at(0.83), at(1.1), at(0.37))

}  // namespace
