/// Classes that no empty braces make and objects that cannot be copied, in all places where objects
/// come to be.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

struct Number {
  double v;
  explicit Number(double x) : v(x) {}
};

struct Unique {
  double v;
  explicit Unique(double x) : v(x) {}
  Unique(Unique&&) = default;
  Unique& operator=(Unique&&) = default;
  Unique(const Unique&) = delete;
  Unique& operator=(const Unique&) = delete;
};

struct Powers {
  std::vector<double> v;
  explicit Powers(double x) : v{x, x * x} {}
};

struct Squared {
  double a;
  explicit Squared(double x) : a(x * x) {}
};

struct Both {
  Squared p;
  double b;
  Both(const Squared& q, double c) : p(q), b(c) {}
};

struct UniqueVector {
  std::vector<double> d;
  explicit UniqueVector(double x) : d{x, x * x} {}
  UniqueVector(UniqueVector&&) = default;
  UniqueVector& operator=(UniqueVector&&) = default;
  UniqueVector(const UniqueVector&) = delete;
  UniqueVector& operator=(const UniqueVector&) = delete;
};

Unique made_unique(double x) {
  return Unique(x * 2);
}

UniqueVector made_vector(double x) {
  UniqueVector w(x);
  w.d[0] *= x;
  return w;
}

std::pair<Number, Number> made_pair(double x) {
  return {Number(x), Number(x * x)};
}

Number picked(const Number& a, const Number& b, bool first) {
  return first ? a : b;
}

double pair_of_arguments(double x) {
  std::pair<Number, int> m{Number(x), 1};
  return m.first.v * m.first.v * m.second;
}

double pair_made(double x) {
  auto m = std::make_pair(Number(x), Number(2 * x));
  return m.first.v * m.second.v;
}

double chosen_by_condition(double x) {
  Number a(x);
  Number b(x * x);
  Number t = x > 0 ? a : b;
  return t.v * t.v;
}

double equal_elements(double x) {
  std::vector<Number> v(2, Number(x));
  return v[0].v * v[1].v;
}

double resized_with(double x) {
  std::vector<Number> v;
  v.resize(3, Number(x));
  return v[0].v * v[1].v;
}

double emplaced_in_map(double x) {
  std::map<int, Number> m;
  m.emplace(1, Number(x));
  return m.at(1).v * m.at(1).v;
}

double inserted_in_map(double x) {
  std::map<int, Number> m;
  m.insert({1, Number(x)});
  return m.at(1).v * m.at(1).v;
}

double moved_only(double x) {
  Unique a(x);
  Unique b = std::move(a);
  return b.v * b.v;
}

double returned_and_moved_only(double x) {
  Unique b = made_unique(x);
  return b.v * b.v;
}

double optional_moved_only(double x) {
  std::optional<Unique> b = made_unique(x);
  return b->v * b->v;
}

double pair_moved_only(double x) {
  std::pair<Unique, int> m{Unique(x), 1};
  return m.first.v * m.first.v;
}

double tuple_of_arguments(double x) {
  std::tuple<Number, double> m{Number(x), x};
  return std::get<0>(m).v * std::get<1>(m);
}

double bound_tuple(double x) {
  auto p = std::make_tuple(Number(x), 2.0 * x);
  auto [n, d] = p;
  return n.v * d;
}

double pairs_emplaced(double x) {
  std::vector<std::pair<Number, double>> v;
  v.emplace_back(Number(x), x);
  return v[0].first.v * v[0].second;
}

double vector_moved_only(double x) {
  std::vector<Unique> v;
  v.push_back(Unique(x));
  v.emplace_back(x * x);
  return v[0].v * v[1].v;
}

double returned_by_choice(double x) {
  const Number n = picked(Number(x), Number(x * x), x > 0);
  return n.v * n.v;
}

double assigned_equal(double x) {
  std::vector<Number> v(3, Number(x));
  v.assign(2, Number(x * x));
  return v[0].v * v[1].v;
}

double inserted_in_front(double x) {
  std::vector<Number> v(1, Number(x));
  v.insert(v.begin(), Number(x * x));
  return v[0].v * v[1].v * v[0].v;
}

double nested_equal(double x) {
  std::vector<std::vector<Number>> v(2, std::vector<Number>(2, Number(x)));
  return v[0][1].v * v[1][1].v;
}

double inserted_with_vectors(double x) {
  std::vector<Powers> v(2, Powers(x));
  v.insert(v.begin() + 1, Powers(x * x));
  return v[0].v[0] * v[1].v[1] * v[2].v[1];
}

double sorted(double x) {
  std::vector<Number> v{Number(x), Number(x * x), Number(0.3)};
  std::sort(v.begin(), v.end(), [](const Number& a, const Number& b) { return a.v < b.v; });
  return v[0].v * 1 + v[1].v * 2 + v[2].v * 3 * x;
}

double pairs_in_loop(double x) {
  std::vector<std::pair<Number, int>> v;
  for (int i = 0; i < 4; ++i) v.push_back({Number(x * i), i});
  double s = 0;
  for (auto& [n, k] : v) s += n.v * n.v * k;
  return s;
}

double pair_with_vectors(double x) {
  std::pair<Powers, Powers> m{Powers(x), Powers(x * x)};
  return m.first.v[1] * m.second.v[0];
}

double arms_make(double x) {
  Powers t = x > 0 ? Powers(x) : Powers(2 * x);
  return t.v[0] * t.v[1];
}

double member_without_default(double x) {
  Squared p(x);
  Both q(p, x);
  return q.p.a * q.b;
}

double taken_from_vector(double x) {
  std::vector<Unique> v;
  v.push_back(Unique(x));
  v.push_back(Unique(x * x));
  Unique m = std::move(v[1]);
  return m.v * v[0].v;
}

double move_assigned(double x) {
  Unique a(x), b(x * x);
  a = std::move(b);
  return a.v * a.v;
}

double swapped_moved_only(double x) {
  Unique a(x), b(x * x);
  std::swap(a, b);
  return a.v * a.v * b.v;
}

double appended_moved_only(double x) {
  std::vector<Unique> v;
  for (int i = 0; i < 3; ++i) v.push_back(Unique(x * i));
  double s = 0;
  for (auto& m : v) s += m.v * m.v;
  return s;
}

double moved_with_vector(double x) {
  UniqueVector w(x);
  UniqueVector z = std::move(w);
  return z.d[0] * z.d[1];
}

double made_and_moved(double x) {
  auto w = made_vector(x);
  auto z = std::move(w);
  return z.d[0] * z.d[1];
}

double vector_of_moved_vectors(double x) {
  std::vector<UniqueVector> ws;
  ws.push_back(made_vector(x));
  ws.emplace_back(x * x);
  return ws[0].d[0] * ws[1].d[1];
}

double optional_assigned(double x) {
  std::optional<UniqueVector> w;
  if (x > 0)
    w = made_vector(x);
  return w->d[0] * w->d[1];
}

double hash_map_by_name(double x) {
  std::unordered_map<std::string, Number> m;
  m.insert({"a", Number(x)});
  m.insert_or_assign("a", Number(x * x));
  m.try_emplace("b", x);
  double s = 0;
  for (auto& [k, n] : m) s += n.v * n.v;
  return s;
}

double tuple_made(double x) {
  auto t = std::make_tuple(Number(x), Powers(x), 3);
  return std::get<0>(t).v * std::get<1>(t).v[1] * std::get<2>(t);
}

double bound_by_reference(double x) {
  auto t = made_pair(x);
  auto& [a, b] = t;
  return a.v * b.v;
}

double bound_and_chosen(double x) {
  auto [a, b] = made_pair(x);
  Number c = a.v > b.v ? a : b;
  return a.v * b.v * c.v;
}

double array_of_pairs(double x) {
  std::array<std::pair<Number, double>, 2> m{{{Number(x), x}, {Number(2 * x), x * x}}};
  return m[0].first.v * m[1].second * m[1].first.v;
}

double arms_make_moved_only(double x) {
  Unique m = x > 0 ? Unique(x) : Unique(2 * x);
  return m.v * m.v;
}

double erased_and_resized(double x) {
  std::vector<Number> v(3, Number(x));
  v.erase(v.begin());
  v.resize(1, Number(2.));
  v.push_back(Number(x * x));
  return v[0].v * v[1].v;
}

double copied_range(double x) {
  std::vector<Number> a{Number(x), Number(x * x)};
  std::vector<Number> b(a.begin(), a.end());
  b.insert(b.end(), a.begin(), a.end());
  b[0].v *= x;
  return b[0].v * b[2].v * b[3].v;
}

double pair_member(double x) {
  struct K {
    std::pair<Number, Number> p;
    K(double a) : p(Number(a), Number(a * a)) {}
  };
  K k(x);
  K j = k;
  return k.p.first.v * j.p.second.v;
}

double pair_and_vector_members(double x) {
  struct K {
    std::pair<Number, Number> p;
    std::vector<Number> q;
    K(double a) : p{Number(a), Number(a * a)}, q(2, Number(a)) {}
  };
  K k(x);
  return k.p.first.v * k.q[1].v;
}

double pair_assigned(double x) {
  std::pair<Number, int> p{Number(x), 1};
  p = {Number(x * x), 2};
  return p.first.v * p.second;
}

double pairs_chosen(double x) {
  std::pair<Number, int> p =
      x > 5 ? std::make_pair(Number(x), 1) : std::make_pair(Number(x * x), 3);
  return p.first.v * p.second;
}

double assigned_braces_and_turned(double x) {
  std::vector<Number> v;
  v.assign({Number(x), Number(x * x)});
  std::rotate(v.begin(), v.begin() + 1, v.end());
  std::reverse(v.begin(), v.end());
  return v[0].v * v[0].v * v[1].v;
}

double deque(double x) {
  std::deque<Number> v(2, Number(x));
  v.push_front(Number(x * x));
  double s = 1;
  while (!v.empty()) {
    s = s * v.back().v + v.front().v;
    v.pop_back();
  }
  return s;
}

}  // namespace

DDX_CHECK_GRADIENT(pair_of_arguments, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_made, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(chosen_by_condition, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(equal_elements, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(resized_with, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(emplaced_in_map, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inserted_in_map, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(returned_and_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(optional_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(tuple_of_arguments, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(bound_tuple, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pairs_emplaced, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(vector_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(returned_by_choice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(assigned_equal, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inserted_in_front, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(nested_equal, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(inserted_with_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(sorted, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pairs_in_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_with_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(arms_make, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(member_without_default, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(taken_from_vector, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(move_assigned, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(swapped_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(appended_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(moved_with_vector, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(made_and_moved, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(vector_of_moved_vectors, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(optional_assigned, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(hash_map_by_name, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(tuple_made, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(bound_by_reference, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(bound_and_chosen, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(array_of_pairs, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(arms_make_moved_only, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(erased_and_resized, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(copied_range, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_and_vector_members, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pair_assigned, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(pairs_chosen, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(assigned_braces_and_turned, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(deque, at(0.83), at(1.1), at(0.37))

// Copies written by hand, of objects in others and in vectors.

namespace {

class Ramp {
 public:
  Ramp(double a, double b) : slope_(a), height_(b) {}
  Ramp(const Ramp& other) : slope_(other.slope()), height_(other.height_) {}
  Ramp& operator=(const Ramp& other) {
    if (this != &other) {
      slope_ = other.slope_;
      height_ = other.height_;
    }
    return *this;
  }
  ~Ramp() = default;
  [[nodiscard]] double slope() const { return slope_; }
  [[nodiscard]] double height() const { return height_; }

 private:
  double slope_, height_;
};

struct Drawing {
  Ramp line;
};

double copied_with_what_holds_them(double x) {
  const Drawing a{Ramp(x, x * x)};
  Drawing b = a;
  Drawing c{Ramp(2, 3)};
  c = b;
  b = a;
  std::vector<Ramp> lines{c.line};
  lines.push_back(b.line);
  const auto others = lines;
  return others[1].slope() * others[0].height();
}

}  // namespace

DDX_CHECK_GRADIENT(copied_with_what_holds_them, at(0.83), at(1.1), at(-1.37))
