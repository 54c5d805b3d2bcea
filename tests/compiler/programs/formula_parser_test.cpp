// A parser by recursive descent: text becomes a tree of unique_ptr, evaluated with real variables.

#include "gradient_check.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace {

struct Node {
  char kind;
  double number;
  std::unique_ptr<Node> left;
  std::unique_ptr<Node> right;
};

using Tree = std::unique_ptr<Node>;

Tree make(char kind, double number, Tree left = nullptr, Tree right = nullptr) {
  return std::make_unique<Node>(Node{kind, number, std::move(left), std::move(right)});
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

class Parser {
 public:
  explicit Parser(const char* text) : at_(text) {}

  Tree sum() {
    Tree left = product();
    while (*at_ == '+' || *at_ == '-') {
      const char operation = *at_++;
      left = make(operation, 0, std::move(left), product());
    }
    return left;
  }

 private:
  Tree product() {
    Tree left = factor();
    while (*at_ == '*' || *at_ == '/') {
      const char operation = *at_++;
      left = make(operation, 0, std::move(left), factor());
    }
    return left;
  }
  Tree factor() {
    if (is_digit(*at_)) {
      double value = 0;
      while (is_digit(*at_)) {
        value = 10 * value + (*at_++ - '0');
      }
      return make('n', value);
    }
    const char name = *at_++;
    if (name == '(') {
      Tree inside = sum();
      ++at_;
      return inside;
    }
    return name == 's' ? make('s', 0, factor()) : make(name, 0);
  }
  const char* at_;
};

double evaluate(const Node& n, double x, double y) {
  switch (n.kind) {
    case '+':
      return evaluate(*n.left, x, y) + evaluate(*n.right, x, y);
    case '-':
      return evaluate(*n.left, x, y) - evaluate(*n.right, x, y);
    case '*':
      return evaluate(*n.left, x, y) * evaluate(*n.right, x, y);
    case '/':
      return evaluate(*n.left, x, y) / evaluate(*n.right, x, y);
    case 's':
      return std::sin(evaluate(*n.left, x, y));
    case 'x':
      return x;
    case 'y':
      return y;
    default:
      return n.number;
  }
}

double formula_parser(const std::string& text, double x, double y) {
  const Tree tree = Parser(text.c_str()).sum();
  double value = evaluate(*tree, x, y);
  if (tree->right) {
    tree->right->number += value;
    value += 0.1 * evaluate(*tree->right, y, x) * tree->right->number;
  }
  return value;
}

DDX_CHECK_GRADIENT(formula_parser, at(std::string("x*x+s(3*y)/(1+x*y)"), 0.7, 1.2),
                   at(std::string("(x-y)*(x-y)-2*sx"), -0.5, 0.4),
                   at(std::string("12/(y+4*x*x)"), 1.1, 0.8))

}  // namespace
