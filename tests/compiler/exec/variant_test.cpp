// std::variant: alternatives held, visited, copied, in other objects and across functions.

#include "gradient_check.h"

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

namespace {

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
    s = Shape(Disc{by});
  }
}

struct Area {
  double factor;
  double operator()(const Disc& d) const { return factor * d.radius * d.radius; }
  double operator()(const Box& b) const { return factor * b.width * b.height; }
  double operator()(std::monostate) const { return factor; }
};

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

double visited(double x, double y) {
  const std::vector<Shape> shapes{Disc{x}, Box{x, y}, std::monostate{}, Disc{y * y}};
  double sum = 0.3;
  for (const Shape& s : shapes) {
    sum = 0.7 * sum + std::visit(Area{x}, s) * sum;
    sum += std::visit(
        Overloaded{[&](const Disc& d) { return d.radius * sum; },
                   [&](const Box& b) { return b.width - y * b.height; }, [](auto) { return 0.25; }},
        s);
  }
  return sum;
}
DDX_CHECK_GRADIENT(visited, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

double two_at_once(double x, double y) {
  std::vector<Shape> shapes{Disc{x}, Box{x, y}};
  double sum = 1;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      sum = 0.8 * sum + std::visit(
                            [&](const auto& one, const auto& other) {
                              if constexpr (requires { one.radius* other.radius; }) {
                                return one.radius * other.radius * sum;
                              } else if constexpr (requires { one.width* other.height; }) {
                                return one.width - other.height * other.height;
                              } else {
                                return x * y;
                              }
                            },
                            a, b);
    }
  }
  return sum;
}
DDX_CHECK_GRADIENT(two_at_once, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

Shape made(double x, double y) {
  if (x > 1) {
    return Disc{x * y};
  }
  return x < 0 ? Shape{Box{x, y}} : Shape{};
}

double result_of_a_call(double x, double y) {
  Shape s = made(x, y);
  const Shape t = s;
  Shape moved = std::move(s);
  grow(moved, y);
  return size(t) * size(moved) + size(made(x + 1, y));
}
DDX_CHECK_GRADIENT(result_of_a_call, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

struct Node {
  Shape shape;
  double weight;
};

double within_a_struct(double x, double y) {
  std::vector<Node> nodes;
  nodes.push_back({Disc{x}, y});
  nodes.push_back({Box{x, y}, x});
  nodes[0].shape = nodes[1].shape;
  std::get<Box>(nodes[0].shape).width *= y;
  double sum = 0;
  for (const auto& [shape, weight] : nodes) {
    sum = 0.4 * sum + std::visit(Area{weight}, shape);
  }
  return sum;
}
DDX_CHECK_GRADIENT(within_a_struct, at(0.7, 1.2), at(-0.3, 0.4), at(1.1, -0.8))

#ifdef __DDX__
double weigh(const std::variant<double, std::vector<double>>& v, double x) {
  return std::visit(
      [&](const auto& held) {
        if constexpr (requires { held.size(); }) {
          double sum = 0;
          for (const double e : held) {
            sum = 2 * sum + e * x;
          }
          return sum;
        } else {
          return held * held * x;
        }
      },
      v);
}

TEST(variant_values, the_tangent_of_an_argument_has_a_place_for_each_alternative) {
  using V = std::variant<double, std::vector<double>>;
  const auto [number, by_x] = ddx::gradient(weigh, V(3.0), 2.0);
  EXPECT_DOUBLE_EQ(std::get<0>(number), 12);
  EXPECT_TRUE(std::get<1>(number).empty());
  EXPECT_DOUBLE_EQ(by_x, 9);
  const auto [numbers, again] = ddx::gradient(weigh, V(std::vector{1.0, 5.0}), 2.0);
  EXPECT_EQ(std::get<1>(numbers), (std::vector{4.0, 2.0}));
  EXPECT_DOUBLE_EQ(std::get<0>(numbers), 0);
  EXPECT_DOUBLE_EQ(again, 7);
}

double asks_for_another(double x) {
  const Shape s = Disc{x};
  return std::get<Box>(s).width * x;
}

TEST(variant_values, an_access_to_what_is_not_held_throws) {
  EXPECT_THROW(static_cast<void>(ddx::gradient(asks_for_another, 2.0)), std::bad_variant_access);
  EXPECT_THROW(static_cast<void>(ddx::jvp(asks_for_another, ddx::along(1.0), 2.0)),
               std::bad_variant_access);
}
#endif

}  // namespace
