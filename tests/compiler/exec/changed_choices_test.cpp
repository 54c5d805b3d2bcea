// std::optional and std::variant that change what they hold: assigned, emplaced, reset, swapped.

#include "gradient_check.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// An object assigned to itself keeps what it holds, and its cotangent.
#pragma clang diagnostic ignored "-Wself-assign-overloaded"

namespace {

double engaged_by_condition(double x, double y) {
  std::optional<double> o;
  if (x > 0.5) {
    o = x * x;
  }
  double sum = o ? *o * y : y * y;
  if (o.has_value()) {
    sum *= o.value() + 1;
  }
  return sum + o.value_or(x * y) * sum;
}
DDX_CHECK_GRADIENT(engaged_by_condition, at(0.7, 1.2), at(0.3, 0.4), at(1.1, -0.8))

double assigned_in_a_loop(double x, int n) {
  std::optional<double> last;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const double before = last.value_or(x * i);
    sum = 0.7 * sum + before * before;
    if (i % 3 == 2) {
      last.reset();
    } else if (i % 3 == 1) {
      last = std::nullopt;
      last = before + sum;
    } else {
      last = std::sin(before + x);
    }
  }
  return last ? sum * *last : sum;
}
DDX_CHECK_GRADIENT(assigned_in_a_loop, at(0.7, 0), at(0.3, 1), at(0.4, 7), at(0.5, 9))

void refine(std::optional<double>& o, double x) {
  if (o) {
    *o = *o * x + std::exp(*o);
  } else {
    o.emplace(x * x);
  }
  if (o == std::nullopt) {
    o = 0;
  }
}

double changed_by_a_callee(double x, double y) {
  std::optional<double> a;
  std::optional<double> b(y);
  refine(a, x);
  refine(a, y);
  refine(b, x * y);
  b.swap(a);
  std::swap(a, b);
  return *a * *b * *b;
}
DDX_CHECK_GRADIENT(changed_by_a_callee, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

struct Particle {
  double x;
  double v;
  int hits = 0;
};

double of_a_struct(double x, double v, int steps) {
  std::optional<Particle> p;
  double sum = 0;
  for (int i = 0; i < steps; ++i) {
    if (!p) {
      p = Particle{x * (i + 1), v};
    }
    p->x += 0.1 * p->v;
    p->v -= 0.3 * p->x * p->x;
    ++p->hits;
    sum = 0.8 * sum + p->x * p->v;
    if (p->hits == 2) {
      p.reset();
    }
  }
  return p.has_value() ? sum * p->x * p->hits : sum;
}
DDX_CHECK_GRADIENT(of_a_struct, at(0.7, 1.2, 0), at(0.3, 0.4, 3), at(1.1, -0.8, 6))

struct Cached {
  double scale;
  std::optional<double> value;
  double get(double x) {
    if (!value) {
      value = scale * x * x;
    }
    return *value;
  }
};

double as_a_member(double x, double y) {
  Cached c{y, {}};
  double sum = c.get(x);
  sum += c.get(2 * x) * y;  // Still the first.
  c.value.reset();
  return sum * c.get(x + y);
}
DDX_CHECK_GRADIENT(as_a_member, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double in_a_vector(const std::vector<double>& x) {
  std::vector<std::optional<double>> o(x.size());
  for (std::size_t i = 0; i < x.size(); i += 2) {
    o[i] = x[i] * x[i];
  }
  o.push_back(std::nullopt);
  o.push_back(x.empty() ? 1.5 : x.back());
  double sum = 1;
  for (const auto& part : o) {
    sum = sum * 0.9 + (part ? std::sin(*part) * sum : 0.3 * sum);
  }
  return sum;
}
DDX_CHECK_GRADIENT(in_a_vector, at(std::vector{0.5, 0.2, 0.7}), at(std::vector<double>{}),
                   at(std::vector{0.4, -0.3}))

double of_a_vector(const std::vector<double>& x, int n) {
  std::optional<std::vector<double>> o;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (!o || o->size() > 3) {
      o = x;
    }
    o->push_back(sum + 0.3 * i);
    for (double& e : *o) {
      e = std::sin(e) * (1 + 0.1 * i);
      sum = 0.9 * sum + e * e;
    }
    if (i == 2) {
      o.reset();
    }
  }
  return o ? sum * o->back() : sum;
}
DDX_CHECK_GRADIENT(of_a_vector, at(std::vector{0.5, 0.2}, 6), at(std::vector<double>{}, 4),
                   at(std::vector{0.4, -0.3, 0.8}, 3))

double made_in_place(double x, double y) {
  std::optional<std::pair<double, double>> p(std::in_place, x * y, y);
  auto q = std::make_optional(x * x);
  double& r = q.emplace(*q * p->first);
  r *= y;
  p.emplace(r, x);
  return *q * p->first + p->second;
}
DDX_CHECK_GRADIENT(made_in_place, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double self_assigned(double x) {
  std::optional<double> o = x;
  o = *o * *o;
  o = *o;
  o = o;
  o = o.value_or(0) + x;
  return *o * *o;
}
DDX_CHECK_GRADIENT(self_assigned, at(0.7), at(-0.3), at(1.1))

// --- Variants.

struct Disc {
  double radius;
};
struct Box {
  double width;
  double height;
};
using Shape = std::variant<Disc, Box, std::monostate>;

double size(const Shape& s) {
  if (const auto* disc = std::get_if<Disc>(&s)) {
    return disc->radius * disc->radius;
  }
  if (const Box* box = std::get_if<1>(&s); box != nullptr) {
    return box->width * box->height;
  }
  return 0.5;
}

void grow(Shape& s, double by) {
  if (auto* disc = std::get_if<Disc>(&s)) {
    disc->radius *= by;
  } else if (std::holds_alternative<Box>(s)) {
    auto& [width, height] = std::get<Box>(s);
    width += by * height;
    height *= width;
  } else {
    s = Disc{by};
  }
}

double by_index(double x, double y) {
  Shape s = Disc{x};
  std::get<Disc>(s).radius *= y;
  double sum = std::get<0>(s).radius * x;
  s = Box{sum, y};
  std::get<1>(s).width += sum * sum;
  if (s.index() == 1) {
    sum += std::get<Box>(s).width * std::get<Box>(s).height;
  }
  s = Disc{std::get<Box>(s).width};
  return sum * std::get<Disc>(s).radius;
}
DDX_CHECK_GRADIENT(by_index, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double changed_in_a_loop(double x, double y, int n) {
  Shape s;
  s.emplace<2>();
  double sum = y;
  for (int i = 0; i < n; ++i) {
    grow(s, x);
    sum = 0.6 * sum + size(s) * (i + 1);
    if (i % 3 == 1) {
      s = Box{sum, y};
    } else if (i % 4 == 2) {
      s = std::monostate{};
    }
  }
  return sum * size(s);
}
DDX_CHECK_GRADIENT(changed_in_a_loop, at(0.7, 1.2, 0), at(0.3, 0.4, 1), at(0.9, -0.8, 8))

double visited_by_a_generic_lambda(double x, bool integer) {
  std::variant<double, int, float> v = x * x;
  if (integer) {
    v = 3;
  }
  double scale = x;
  std::visit([&](auto& held) { scale *= held; }, v);
  std::visit([&](auto&& held) { held = static_cast<std::decay_t<decltype(held)>>(held * 2); }, v);
  return scale * std::visit([](const auto& held) -> double { return held; }, v);
}
DDX_CHECK_GRADIENT(visited_by_a_generic_lambda, at(0.7, true), at(-0.3, false), at(1.1, false))

double overwritten_and_swapped(double x, double y) {
  Shape a = Disc{x};
  Shape b = Box{y, x * y};
  std::swap(a, b);
  grow(a, x);
  b.swap(a);
  b = a;
  a = Disc{size(b) * y};
  a = a;
  return size(a) * size(b);
}
DDX_CHECK_GRADIENT(overwritten_and_swapped, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

using Value = std::variant<std::string, double, std::vector<double>>;

double of_many_kinds(double x, int n) {
  Value v = std::string("none");
  double sum = x;
  for (int i = 0; i < n; ++i) {
    if (auto* number = std::get_if<double>(&v)) {
      sum += *number * x;
      v = std::vector<double>{sum, x * i};
    } else if (auto* numbers = std::get_if<std::vector<double>>(&v)) {
      numbers->push_back(x * x);
      for (const double e : *numbers) {
        sum = 0.9 * sum + e * e;
      }
      if (numbers->size() > 3) {
        v = std::string("again");
      }
    } else {
      v = sum * static_cast<double>(std::get<std::string>(v).size());
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(of_many_kinds, at(0.7, 0), at(-0.3, 2), at(0.4, 6))

double variant_made_in_place(double x) {
  std::variant<float, double, Box> v(std::in_place_index<1>, x * x);
  std::variant<float, double, Box> w(std::in_place_type<Box>, x, 2.0);
  v.emplace<Box>(std::get<double>(v), std::get<Box>(w).width);
  w.emplace<1>(std::get<2>(v).height);
  return std::get<1>(w) * std::get<Box>(v).width;
}
DDX_CHECK_GRADIENT(variant_made_in_place, at(0.7), at(-0.3), at(1.1))

}  // namespace
