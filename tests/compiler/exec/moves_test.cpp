/// Where a move happens: in constructors, arms and conditions, by one statement that also assigns,
/// by lambdas that are called again.

#include "gradient_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

// --- Moved on by constructors, and by std::forward.

namespace {

struct Taker {
  std::vector<double> v;
  double a;
  explicit Taker(std::vector<double>&& w) : v(std::move(w)), a(1) {}
};

struct ValueTaker {
  std::vector<double> v;
  explicit ValueTaker(std::vector<double> w) : v(std::move(w)) {}
};

struct Setter {
  std::vector<double> v;
  Setter() = default;
  void set(std::vector<double>&& w) { v = std::move(w); }
};

struct DerivedTaker : Taker {
  explicit DerivedTaker(std::vector<double>&& w) : Taker(std::move(w)) {}
};

double into_a_member(double x) {
  std::vector<double> w{x, x * x};
  Taker b(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double by_value_into_a_member(double x) {
  std::vector<double> w{x, x * x};
  ValueTaker b(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double by_a_function(double x) {
  std::vector<double> w{x, x * x};
  Setter b;
  b.set(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double through_a_derived_class(double x) {
  std::vector<double> w{x, x * x};
  DerivedTaker b(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double grown_afterwards(double x) {
  std::vector<double> w{x, x * x};
  Taker b{std::move(w)};
  w.push_back(x);
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x * w[0];
}

double into_an_element(double x) {
  std::vector<double> w{x, x * x};
  std::vector<Taker> p;
  p.emplace_back(std::move(w));
  w.push_back(x);
  return p[0].v[0] * p[0].v[1] + static_cast<double>(w.size()) * x * w[0];
}

struct Forwarder {
  std::vector<double> v;
  template <class V>
  explicit Forwarder(V&& w) : v(std::forward<V>(w)) {}
};

struct Caster {
  std::vector<double> v;
  explicit Caster(std::vector<double>&& w) : v(static_cast<std::vector<double>&&>(w)) {}
};

struct Counter {
  std::vector<double> v;
  double n;
  explicit Counter(std::vector<double> w) : v(std::move(w)), n(static_cast<double>(w.size()) + 1) {}
};

struct User {
  Taker b;
  explicit User(std::vector<double>&& w) : b(std::move(w)) {
    b.a += static_cast<double>(w.size());
    w.push_back(b.v[0]);
  }
};

double forwarded(double x) {
  std::vector<double> w{x, x * x};
  Forwarder b(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double forwarded_by_reference(double x) {
  std::vector<double> w{x, x * x};
  Forwarder b(w);
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double cast_to_an_rvalue(double x) {
  std::vector<double> w{x, x * x};
  Caster b(std::move(w));
  return b.v[0] * b.v[1] + static_cast<double>(w.size()) * x;
}

double counted_by_the_next_member(double x) {
  std::vector<double> w{x, x * x};
  Counter b(std::move(w));
  return b.v[0] * b.v[1] * b.n + static_cast<double>(w.size()) * x;
}

double used_in_the_constructor(double x) {
  std::vector<double> w{x, x * x};
  User b(std::move(w));
  return b.b.v[0] * b.b.v[1] * b.b.a + static_cast<double>(w.size()) * x * w[0];
}

double again_in_a_loop(double x) {
  std::vector<double> w{x, x * x};
  double s = 0;
  for (int i = 0; i < 2; ++i) {
    Taker b(std::move(w));
    w = {x * i, s + x};
    s += b.v[0] * b.v[1] * static_cast<double>(w.size());
  }
  return s;
}

double row_into_a_member(double x) {
  std::vector<std::vector<double>> r{{x}, {x * x, 1}};
  Taker b(std::move(r[1]));
  r[1].push_back(x);
  return b.v[0] * r[1][0] * static_cast<double>(r[1].size()) * r[0][0];
}

template <class V>
double len(V&& v) {
  auto t = std::forward<V>(v);
  double s = 0;
  for (double d : t) s += d * d;
  return s;
}

double forwarded_twice(double x) {
  std::vector<double> w{x, x * x};
  double s = len(w) + static_cast<double>(w.size());
  s *= len(std::move(w));
  return s + static_cast<double>(w.size()) * x;
}

}  // namespace

// A lambda from before the move sees what the move left.
double seen_by_a_lambda(double x) {
  std::vector<double> v{x, x * x};
  const auto sum = [&] {
    double s = 1.0;
    for (const double e : v) {
      s = s * x + e;
    }
    return s;
  };
  const std::vector<double> w = std::move(v);
  return sum() * w[0] + w[1];
}

DDX_CHECK_GRADIENT(seen_by_a_lambda, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(into_a_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(by_value_into_a_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(by_a_function, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(through_a_derived_class, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(grown_afterwards, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_an_element, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(forwarded, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(forwarded_by_reference, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(cast_to_an_rvalue, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(counted_by_the_next_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(used_in_the_constructor, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(again_in_a_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(row_into_a_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(forwarded_twice, at(0.83), at(1.1), at(0.37))

// --- Moves that need not happen, or not at the end of a statement.

namespace {

using V = std::vector<double>;

bool big(V v) {
  return v.size() > 1 && v[0] > 0;
}

double squares(V v) {
  double s = 0;
  for (double e : v) s += e * e;
  return s;
}
V passed_on(V&& v) {
  return std::move(v);
}

double in_an_arm(double x) {
  V w{x, x * x};
  double s = 0;
  for (int i = 0; i < 2; ++i) {
    s += i ? squares(std::move(w)) : 0.5;
    s += static_cast<double>(w.size()) * x;
  }
  return s;
}

double in_a_condition(double x) {
  V w{x, x * x};
  double s = 1;
  if (squares(std::move(w)) > 0)
    s += static_cast<double>(w.size()) * x;
  return s * x;
}

double in_a_loop_condition(double x) {
  V w{x, x * x};
  double s = 1;
  while (big(std::move(w))) {
    s *= x;
    w.push_back(s);
  }
  return s * x + static_cast<double>(w.size());
}

double in_the_result_of_a_lambda(double x) {
  V w{x, x * x};
  auto l = [&] { return squares(std::move(w)); };
  double s = l();
  return s + static_cast<double>(w.size()) * x;
}

double in_an_arm_that_is_moved(double x) {
  V w{x, x * x};
  V z = x > 5 ? std::move(w) : V{x};
  return z[0] + static_cast<double>(w.size()) * x;
}

double in_an_increment(double x) {
  V w{x, x * x};
  double s = 0;
  for (int i = 0; i < 2 && squares(w) >= 0; i += 1, squares(std::move(w)))
    s += static_cast<double>(w.size()) * x;
  return s;
}

double into_a_range(double x) {
  V w{x, x * x};
  double s = 0;
  for (double e : V(std::move(w))) s += e;
  return s + static_cast<double>(w.size()) * x;
}

double into_a_range_by_a_function(double x) {
  V w{x, x * x};
  double s = 0;
  for (double e : passed_on(std::move(w))) s += e;
  return s + static_cast<double>(w.size()) * x;
}

double in_an_arm_of_a_lambda(double x) {
  V w{x, x * x};
  auto f = [&](bool b) { return b ? squares(std::move(w)) : 0.0; };
  double s = f(false) + static_cast<double>(w.size()) * x;
  s += f(true);
  return s + static_cast<double>(w.size()) * x;
}

double in_a_branch_of_a_lambda(double x) {
  V w{x, x * x};
  auto f = [&](bool b) {
    if (b)
      return squares(std::move(w));
    return 0.0;
  };
  double s = f(false) + static_cast<double>(w.size()) * x;
  s += f(true);
  return s + static_cast<double>(w.size()) * x;
}

double best_of_several(double x) {
  std::vector<V> r{{x}, {x * x}};
  V best;
  for (auto& v : r)
    if (v[0] > 0.3)
      best = std::move(v);
  double s = 0;
  for (auto& v : r) s += static_cast<double>(v.size()) * x;
  return s * best[0];
}

double one_after_the_other(double x) {
  std::vector<V> r{{x}, {x * x}};
  std::vector<V> q;
  for (auto&& v : r) q.push_back(std::move(v));
  double s = 0;
  for (auto& v : r) s += static_cast<double>(v.size()) * x;
  return s + q[0][0] * q[1][0];
}

double into_a_capture(double x) {
  V w{x, x * x};
  auto t = [v = std::move(w)](double y) { return v[0] * y; };
  return t(x) + static_cast<double>(w.size()) * x;
}

double into_an_array(double x) {
  V w{x, x * x};
  std::array<V, 2> a{std::move(w), V{x}};
  w.push_back(x * x);
  return a[0][1] * a[1][0] * w[0];
}

double swapped_and_moved(double x) {
  V a{x}, b{x * x};
  std::swap(a, b);
  a = std::move(b);
  b.push_back(x);
  b.push_back(2 * x);
  return a[0] * b[1] + static_cast<double>(b.size());
}

}  // namespace

DDX_CHECK_GRADIENT(in_an_arm, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_condition, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_loop_condition, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_the_result_of_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_an_arm_that_is_moved, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_an_increment, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_a_range, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_a_range_by_a_function, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_an_arm_of_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(in_a_branch_of_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(best_of_several, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(one_after_the_other, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_a_capture, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(into_an_array, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(swapped_and_moved, at(0.83), at(1.1), at(0.37))

// --- Moved from and given another value by one statement, and other ways to move.

namespace {

struct Held {
  V v;
  double k;
};

V longer(V v, double x) {
  v.push_back(x);
  return v;
}

double lengthened_in_place(double x) {
  V w{x, x * x};
  w = longer(std::move(w), 3 * x);
  w = longer(std::move(w), x);
  return squares(w) * static_cast<double>(w.size());
}

double passed_back(double x) {
  V w{x, x * x};
  w = passed_on(std::move(w));
  return squares(w) * static_cast<double>(w.size());
}

double tied_to_each_other(double x) {
  V a{x}, b{x * x, 2};
  std::tie(a, b) = std::make_tuple(std::move(b), std::move(a));
  return a[0] * b[0] * static_cast<double>(a.size());
}

double by_the_algorithm(double x) {
  std::vector<V> a{{x}, {x * x}}, b(2);
  std::move(a.begin(), a.end(), b.begin());
  return b[0][0] * b[1][0] + static_cast<double>(a[0].size()) * x;
}

double what_an_optional_holds(double x) {
  std::optional<V> o = V{x, x * x};
  V w = std::move(*o);
  o->push_back(x);
  return w[0] * w[1] + static_cast<double>(o->size()) * x;
}

double element_of_a_moved_tuple(double x) {
  auto t = std::make_tuple(V{x, x * x}, 1.0);
  V w = std::get<0>(std::move(t));
  return w[0] * w[1] + static_cast<double>(std::get<0>(t).size()) * x;
}

double bindings_of_a_moved_pair(double x) {
  std::pair<V, double> p{V{x, x * x}, x};
  auto [a, b] = std::move(p);
  return a[0] * a[1] * b + static_cast<double>(p.first.size()) * x;
}

double value_of_a_map_twice(double x) {
  std::map<int, V> m{{1, {x, x * x}}};
  V w = std::move(m[1]);
  V z = std::move(m.at(1));
  return w[0] * w[1] + static_cast<double>(m[1].size()) * x + static_cast<double>(z.size());
}

double through_a_pointer(double x) {
  V w{x, x * x};
  V* p = &w;
  V z = std::move(*p);
  return z[0] * z[1] + static_cast<double>(w.size()) * x;
}

double object_and_used_again(double x) {
  Held s{{x, x * x}, x};
  Held t = std::move(s);
  s.v.push_back(x);
  return t.v[0] * t.v[1] * s.k * s.v[0];
}

double member_into_its_object(double x) {
  Held s{{x, x * x}, x};
  s = Held{longer(std::move(s.v), x), s.k * 2};
  return squares(s.v) * s.k;
}

double by_commas(double x) {
  V w{x, x * x};
  V z;
  z = std::move(w), w.push_back(x), w.push_back(z[1]);
  return w[0] * w[1] * z[0];
}

double exchanged_for(double x) {
  V a{x}, b;
  b = std::exchange(a, V{x * x, x});
  return a[0] * a[1] * b[0];
}

double row_made_anew(double x) {
  std::vector<V> r;
  V row;
  for (int i = 0; i < 3; ++i) {
    row.assign(2, x * i);
    row[0] = x;
    r.push_back(std::move(row));
    row = V();
  }
  double s = 0;
  for (auto& v : r) s += squares(v);
  return s;
}

double first_of_a_queue(double x) {
  std::deque<V> q;
  q.push_back({x});
  q.push_back({x * x, 1});
  double s = 0;
  while (!q.empty()) {
    V v = std::move(q.front());
    q.pop_front();
    s = s * x + squares(v);
  }
  return s;
}

double lengthened_by_a_lambda(double x) {
  V w{x, x * x};
  auto f = [](V v, double y) {
    v.push_back(y);
    return v;
  };
  w = f(std::move(w), x);
  return squares(w) * static_cast<double>(w.size());
}

double lengthened_twice(double x) {
  V w{x, x * x};
  w = longer(longer(std::move(w), x), 2 * x);
  return squares(w) * static_cast<double>(w.size());
}

double row_into_a_row(double x) {
  std::vector<V> r{{x}, {x * x}};
  r[0] = longer(std::move(r[1]), x);
  r[1] = longer(std::move(r[0]), 2 * x);
  return squares(r[1]) * static_cast<double>(r[1].size()) + static_cast<double>(r[0].size());
}

double object_updated(double x) {
  Held s{{x, x * x}, x};
  auto upd = [&](Held t) {
    t.v.push_back(t.k);
    t.k *= x;
    return t;
  };
  s = upd(std::move(s));
  s = upd(std::move(s));
  return squares(s.v) * s.k * static_cast<double>(s.v.size());
}

}  // namespace

DDX_CHECK_GRADIENT(lengthened_in_place, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(passed_back, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(tied_to_each_other, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(by_the_algorithm, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(what_an_optional_holds, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(element_of_a_moved_tuple, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(bindings_of_a_moved_pair, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(value_of_a_map_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(through_a_pointer, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(object_and_used_again, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(member_into_its_object, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(by_commas, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(exchanged_for, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(row_made_anew, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(first_of_a_queue, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(lengthened_by_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(lengthened_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(row_into_a_row, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(object_updated, at(0.83), at(1.1), at(0.37))

// --- By what may be called again.

namespace {

double sum_of_squares(V v) {
  double s = 1;
  for (double e : v) s += e * e;
  return s;
}

double lambda_called_twice(double x) {
  V w{x, x * x};
  auto l = [&] { return sum_of_squares(std::move(w)); };
  double a = l();
  return a * l();
}

double lambda_with_a_copy_called_twice(double x) {
  V w{x, x * x};
  auto l = [w]() mutable { return sum_of_squares(std::move(w)); };
  double a = l();
  return a * l() * w[0];
}

double capture_refilled(double x) {
  V w{x, x * x};
  auto l = [v = std::move(w)]() mutable {
    V t = std::move(v);
    v.push_back(2);
    return sum_of_squares(t);
  };
  double a = l();
  return a * l();
}

double rows_by_a_lambda(double x) {
  V w{x, x * x};
  std::vector<V> r;
  auto l = [&] { r.push_back(std::move(w)); };
  l();
  w.push_back(x);
  l();
  l();
  return r[0][1] * r[1][0] + static_cast<double>(r[2].size()) * x;
}

double member_drained_twice(double x) {
  struct Q {
    V v;
    double drain() { return sum_of_squares(std::move(v)); }
  };
  Q q{{x, x * x}};
  double a = q.drain();
  return a * q.drain() * (static_cast<double>(q.v.size()) + 1);
}

double back_and_forth_in_a_loop(double x) {
  V w{x, x * x};
  for (int i = 0; i < 2; ++i) {
    V z = std::move(w);
    z.push_back(x * i);
    w = std::move(z);
  }
  return sum_of_squares(w) * static_cast<double>(w.size());
}

double doubled_in_a_loop(double x) {
  V a{x}, b;
  for (int i = 0; i < 4; ++i) {
    b.clear();
    for (double e : a) {
      b.push_back(e * x);
      b.push_back(e + 1);
    }
    a = std::move(b);
  }
  return sum_of_squares(a) * static_cast<double>(a.size());
}

double next_step_moved_back(double x) {
  V cur{x, 1};
  for (int i = 0; i < 3; ++i) {
    V next;
    for (std::size_t j = 0; j < cur.size(); ++j)
      next.push_back(cur[j] * x + cur[(j + 1) % cur.size()]);
    cur = std::move(next);
  }
  return sum_of_squares(cur);
}

double activations(double x) {
  std::vector<V> layers;
  V act{x, x * x};
  for (int i = 0; i < 3; ++i) {
    V out(2);
    for (int j = 0; j < 2; ++j) out[j] = std::tanh(act[0] * x + act[1] * j);
    layers.push_back(std::move(act));
    act = std::move(out);
  }
  double s = 0;
  for (auto& l : layers) s += sum_of_squares(l) * static_cast<double>(l.size());
  return s * act[0];
}

}  // namespace

DDX_CHECK_GRADIENT(lambda_called_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(lambda_with_a_copy_called_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(capture_refilled, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(rows_by_a_lambda, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(member_drained_twice, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(back_and_forth_in_a_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(doubled_in_a_loop, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(next_step_moved_back, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(activations, at(0.83), at(1.1), at(0.37))

// --- Known by another name.

namespace {

double from_two_names(V& all, V&& w) {
  V taken = std::move(w);
  all.push_back(3);
  return taken[0] * all[0] * taken[1];
}

double named_beside_the_move(double x) {
  V w{x, 2 * x};
  return from_two_names(w, std::move(w));
}

double from_an_element(double& first, V&& w, double x) {
  V taken = std::move(w);
  first *= x;
  return taken[0] * taken[1];
}

double element_beside_the_move(double x) {
  V w{x, 2 * x};
  return from_an_element(w[0], std::move(w), x);
}

double bound_by_reference(double x) {
  std::pair<V, double> p{V{x, 2 * x}, x};
  auto& [v, k] = p;
  V w = std::move(p.first);
  v.push_back(x);
  return w[0] * v[0] * k * static_cast<double>(v.size());
}

double held_by_a_struct(double x) {
  struct Reference {
    V& v;
  };
  V a{x, 2 * x};
  const Reference r{a};
  V w = std::move(a);
  r.v.push_back(x);
  return w[0] * r.v[0] * static_cast<double>(r.v.size());
}

}  // namespace

DDX_CHECK_GRADIENT(named_beside_the_move, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(element_beside_the_move, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(bound_by_reference, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(held_by_a_struct, at(0.83), at(1.1), at(0.37))
