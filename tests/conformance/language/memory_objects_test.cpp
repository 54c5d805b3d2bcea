// Constructs that are differentiated through memory: places, objects and containers.

#include "gradient_check.h"

#include <algorithm>
#include <any>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <utility>
#include <valarray>
#include <variant>
#include <vector>

namespace {

using Vector = std::vector<double>;

// 9: an iterator chosen at run time, one in a struct, one of iterators, and an erased element.
double iterators_of_all_kinds(Vector v, Vector w, bool first) {
  struct Cursor {
    Vector::iterator at;
  };
  Cursor cursor{first ? v.begin() : w.begin()};
  *cursor.at *= 2;
  std::vector<Vector::iterator> places;
  for (auto it = v.begin(); it != v.end(); ++it) {
    places.push_back(it);
  }
  std::swap(places.front(), places.back());
  double sum = 0;
  for (const auto& place : places) {
    sum = 0.5 * sum + *place * *cursor.at;
  }
  v.erase(v.begin() + 1);
  v.insert(v.begin(), w.begin(), w.end());
  for (auto it = v.rbegin(); it != v.rend(); it += 1) {
    sum += *it * sum;
  }
  return sum;
}

// 14: backwards and into a loop.
double jumps(double x, int rounds) {
  double sum = 0;
  int i = 0;
again:
  sum += std::sin(x) * (i + 1);
  if (++i < rounds) {
    x *= 1.1;
    goto again;
  }
  if (rounds % 2 == 1) {
    goto inside;
  }
  for (i = 0; i < 3; ++i) {
    sum *= x;
  inside:
    sum += x * x;
  }
  return sum;
}

// 19, 20, 23: references and pointers chosen at run time, bound again, and from a function.
double& larger(double& a, double& b) {
  return a < b ? b : a;
}
double chosen_places(double x, double y) {
  double& r = x * y > 1 ? x : y;
  r *= 3;
  double* p = &x;
  for (int i = 0; i < 3; ++i) {
    *p += std::sin(*p) * (i + 1);
    p = p == &x ? &y : &x;
  }
  larger(x, y) *= 2;
  const double& most = std::max(x, y);
  double steps[3] = {x, y, most};
  double product = 1;
  for (const double* at = steps; at != steps + 3; ++at) {
    product *= *at;
  }
  return product + most;
}

// 27, 28: every way to get memory.
struct Pair {
  double a, b;
};
double allocated(double x, double y) {
  auto* one = new double(x * y);
  auto* many = new Pair[2]{{x, y}, {y, x}};
  alignas(Pair) std::byte room[sizeof(Pair)];
  auto* placed = new (room) Pair{*one, many[1].a};
  auto* raw = static_cast<double*>(std::malloc(2 * sizeof(double)));
  raw[0] = placed->a * x;
  raw[1] = placed->b;
  raw = static_cast<double*>(std::realloc(raw, 4 * sizeof(double)));
  std::memcpy(raw + 2, many, sizeof(Pair));
  auto* zeros = static_cast<double*>(std::calloc(3, sizeof(double)));
  zeros[1] = raw[2] * raw[3] * raw[0];
  std::memset(raw, 0, sizeof(double));
  const double result = zeros[0] + zeros[1] * zeros[1] + raw[0] + raw[1] + many[0].b;
  placed->~Pair();
  std::free(zeros);
  std::free(raw);
  delete[] many;
  delete one;
  return result;
}

// 29: what outlives the call is changed and starts constant.
double global_scale = 1;
double changed_globals(double x) {
  static double memory = 0;
  thread_local double other = 0;
  global_scale = x * x;
  memory = global_scale * 2;
  other = memory + x;
  const double result = global_scale * memory * other;
  global_scale = 1;
  return result;
}

// 36, 41, 42: a virtual base, several bases, calls through bases, a cast to the class found.
struct Root {
  double value;
  explicit Root(double v) : value(v * v) {}
  virtual ~Root() = default;
  virtual double at(double x) const { return value * x; }
};
struct Left : virtual Root {
  explicit Left(double v) : Root(v), left(2 * v) {}
  double left;
};
struct Right : virtual Root {
  explicit Right(double v) : Root(v), right(v + 1) {}
  double right;
  double at(double x) const override { return right * x * x; }
};
struct Diamond final : Left, Right {
  explicit Diamond(double v) : Root(3 * v), Left(v), Right(v) {}
  double at(double x) const override { return Right::at(x) * left + value; }
};
double virtual_bases(double x, double y, int which) {
  std::unique_ptr<Root> object;
  if (which == 0) {
    object = std::make_unique<Diamond>(x);
  } else {
    object = std::make_unique<Right>(x * y);
  }
  double result = object->at(y);
  if (const auto* diamond = dynamic_cast<const Diamond*>(object.get())) {
    result *= diamond->left;
  }
  return result;
}

// 37: destructors change what others read.
struct Adds {
  double& sum;
  double amount;
  ~Adds() { sum = sum * 0.5 + amount * amount; }
};
double destructors(double x, double y) {
  double sum = x;
  {
    const Adds first{sum, x * y};
    const Adds second{sum, y};
    sum *= 3;
  }
  return sum * x;
}

// 44: unions of one type, anonymous unions, bit-fields, volatile objects.
union Value {
  double number;
  long count;
};
struct Tagged {
  bool is_number;
  union {
    double real;
    int whole;
  };
};
struct Packed {
  unsigned count : 3;
  int sign : 2;
  double value;
};
double special_objects(double x, double y) {
  Value value;
  value.number = x * y;
  Value copy = value;
  Tagged tags[2] = {};
  tags[0].is_number = true;
  tags[0].real = copy.number * y;
  tags[1].whole = 3;
  Packed packed{2, -1, x};
  packed.count += 1;
  packed.value *= y;
  volatile double kept = packed.value;
  kept = kept * packed.sign;
  double sum = 0;
  for (const Tagged& tag : tags) {
    sum += tag.is_number ? tag.real : x * tag.whole;
  }
  return sum * packed.count + kept * x;
}

// 48, 49: vectors in all their members; valarray, span, initializer lists, views.
double sequences(const Vector& given, double x) {
  Vector v(given);
  v.insert(v.begin() + 1, {x, x * x});
  v.insert(v.end(), 2, x);
  v.emplace(v.begin(), 3 * x);
  v.erase(v.begin() + 1);
  v.resize(v.size() + 1, x);
  v.assign(v.rbegin(), v.rend());
  std::vector<Vector> rows(2, v);
  rows[1].swap(rows[0]);
  rows.push_back(Vector(v.begin(), v.begin() + 2));
  std::valarray<double> a(v.data(), 4);
  a *= std::valarray<double>(a[std::slice(0, 4, 1)]) + x;
  a = std::sin(a).cshift(1);
  const std::span<const double> part = std::span<const double>(v).subspan(1, 2);
  double sum = a.sum() * part[1];
  for (const double e :
       rows[2] | std::views::transform([x](double e) { return e * x; }) | std::views::reverse) {
    sum = 0.3 * sum + e;
  }
  return sum + std::accumulate(rows[0].begin(), rows[0].end(), 0.0) *
                   *std::max_element(v.begin(), v.end());
}

// 50: optional, variant, visitors, any, owners with deleters of their own.
double holders(double x, double y) {
  std::optional<double> maybe;
  maybe.emplace(x);
  *maybe *= y;
  const std::optional<Pair> pair = Pair{*maybe, maybe.value_or(2)};
  std::variant<int, double, Vector> choice = *maybe;
  std::get<double>(choice) *= x;
  double sum = std::visit(
      [&](const auto& held) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(held)>, Vector>) {
          return held[0] * held[1];
        } else {
          return held * y;
        }
      },
      choice);
  choice = Vector{sum, y};
  sum += std::get<Vector>(choice)[0] * std::get_if<Vector>(&choice)->at(1);
  const std::any box = x * y;
  const auto release = [](double* p) { delete p; };
  const std::unique_ptr<double, decltype(release)> own(new double(x), release);
  const std::shared_ptr<double> first = std::make_shared<double>(y);
  const std::shared_ptr<double> second = first;
  *second *= *own;
  return sum + pair->a * pair->b + std::any_cast<double>(box) * *first;
}

// 54: sets and maps with real keys and members, lists.
double tables(const Vector& v, double x) {
  std::set<double> sorted(v.begin(), v.end());
  sorted.insert(x);
  std::map<double, double> by_real;
  for (const double e : v) {
    by_real[e] = e * x;
  }
  std::map<int, Vector> rows;
  rows[1].push_back(x);
  rows[0] = v;
  auto found = rows.find(1);
  found->second.push_back(found->second[0] * x);
  std::list<double> list(sorted.begin(), sorted.end());
  list.remove_if([](double e) { return e < -10; });
  list.push_front(x);
  list.splice(list.end(), list, list.begin());
  double sum = 0;
  int place = 1;
  for (const double e : list) {
    sum += e * place++;
  }
  for (const auto& [key, value] : by_real) {
    sum = sum * 0.7 + key * value;
  }
  return sum * rows.at(1).back() + rows[0].front();
}

}  // namespace

namespace {
namespace program_virtual_function_of_an_argument {
struct S {
  virtual ~S() = default;
  virtual double f(double x) const = 0;
};
struct C final : S {
  double k;
  explicit C(double q) : k(q) {}
  double f(double x) const override { return k * x * x; }
};
struct Q : S {
  double k;
  explicit Q(double q) : k(q) {}
  double f(double x) const override { return k * x; }
};
double app(const S& s, double x) {
  return s.f(x) * x;
}
double virtual_function_of_an_argument(double x) {
  C c(x);
  Q q(2 * x);
  return app(c, x) + app(q, x);
}
}  // namespace program_virtual_function_of_an_argument
using program_virtual_function_of_an_argument::virtual_function_of_an_argument;
}  // namespace

namespace {
namespace program_derived_class_as_template_argument {
template <class D>
struct B {
  double twice(double x) const { return 2 * static_cast<const D*>(this)->one(x); }
  double guarded(double x) const {
    if (x < 0)
      return x;
    return static_cast<const D&>(*this).one(x);
  }
};
struct D : B<D> {
  double k;
  explicit D(double q) : k(q) {}
  double one(double x) const { return k * x; }
};
double derived_class_as_template_argument(double x) {
  D d(x);
  return d.twice(x) + d.guarded(x);
}
}  // namespace program_derived_class_as_template_argument
using program_derived_class_as_template_argument::derived_class_as_template_argument;
}  // namespace

namespace {
namespace program_conditional_lvalues {
double conditional_lvalues(double x) {
  double a = x, b = 2;
  (x > 0 ? a : b) *= x;
  (x > 0 ? a : b) = a * b;
  return a * b;
}
}  // namespace program_conditional_lvalues
using program_conditional_lvalues::conditional_lvalues;
}  // namespace

DDX_CHECK_GRADIENT(virtual_function_of_an_argument, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(derived_class_as_template_argument, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(conditional_lvalues, at(0.83), at(1.7), at(-1.37))
DDX_CHECK_GRADIENT(iterators_of_all_kinds, at(Vector{0.3, 1.2, -0.7}, Vector{0.8, 0.4}, true),
                   at(Vector{0.3, 1.2}, Vector{0.8, 0.4}, false),
                   at(Vector{1.3, 0.2, 0.5}, Vector{-0.8}, false))
DDX_CHECK_GRADIENT(jumps, at(0.8, 1), at(1.3, 2), at(-0.4, 5))
DDX_CHECK_GRADIENT(chosen_places, at(0.8, 2.1), at(0.3, 0.9), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(allocated, at(0.8, 2.1), at(0.3, 0.9), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(changed_globals, at(0.8), at(1.3), at(-1.4))
DDX_CHECK_GRADIENT(virtual_bases, at(0.8, 2.1, 0), at(0.3, 0.9, 1), at(-1.4, 0.6, 0))
DDX_CHECK_GRADIENT(destructors, at(0.8, 2.1), at(0.3, 0.9), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(special_objects, at(0.8, 2.1), at(0.3, 0.9), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(sequences, at(Vector{0.3, 1.2, -0.7, 2.1}, 0.8), at(Vector{0.5, 0.1}, 1.3),
                   at(Vector{1.5, 0.4, 0.9}, -0.6))
DDX_CHECK_GRADIENT(holders, at(0.8, 2.1), at(0.3, 0.9), at(-1.4, 0.6))
DDX_CHECK_GRADIENT(tables, at(Vector{0.3, 1.2, -0.7}, 0.8), at(Vector{0.5}, 1.3),
                   at(Vector{1.5, 0.4}, -0.6))
