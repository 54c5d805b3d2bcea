// A tree of arithmetic nodes owned through unique_ptr, evaluated by virtual calls.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <utility>

namespace {

struct Node {
  virtual ~Node() = default;
  [[nodiscard]] virtual double evaluate(double x) const = 0;
};
using NodePtr = std::unique_ptr<Node>;

struct Constant : Node {
  explicit Constant(double v) : value(v) {}
  [[nodiscard]] double evaluate(double) const override { return value; }
  double value;
};
struct Variable : Node {
  [[nodiscard]] double evaluate(double x) const override { return x; }
};
struct Sum : Node {
  Sum(NodePtr a, NodePtr b) : left(std::move(a)), right(std::move(b)) {}
  [[nodiscard]] double evaluate(double x) const override {
    return left->evaluate(x) + right->evaluate(x);
  }
  NodePtr left;
  NodePtr right;
};
struct Product : Node {
  Product(NodePtr a, NodePtr b) : left(std::move(a)), right(std::move(b)) {}
  [[nodiscard]] double evaluate(double x) const override {
    return left->evaluate(x) * right->evaluate(x);
  }
  NodePtr left;
  NodePtr right;
};
struct Sine : Node {
  explicit Sine(NodePtr a) : argument(std::move(a)) {}
  [[nodiscard]] double evaluate(double x) const override { return std::sin(argument->evaluate(x)); }
  NodePtr argument;
};

double expression_tree(double a, double b, double x) {
  NodePtr tree =
      std::make_unique<Product>(std::make_unique<Constant>(a), std::make_unique<Variable>());
  tree =
      std::make_unique<Sum>(std::move(tree), std::make_unique<Sine>(std::make_unique<Constant>(b)));
  tree = std::make_unique<Product>(std::move(tree),
                                   std::make_unique<Sine>(std::make_unique<Variable>()));
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    s = s * a + tree->evaluate(x + i);
  }
  return s;
}

DDX_CHECK_GRADIENT(expression_tree, at(0.5, 1.2, 0.3), at(-0.7, 0.4, 1.5), at(1.1, -0.9, -0.2))

}  // namespace
