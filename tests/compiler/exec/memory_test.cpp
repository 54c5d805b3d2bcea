// Active values in memory that is reached through pointers known at run time only: lists, trees,
// shared nodes, pointers that wander.

#include "gradient_check.h"

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {

struct Node {
  double value = 0;
  std::unique_ptr<Node> next;
};

std::unique_ptr<Node> push(std::unique_ptr<Node> list, double value) {
  auto node = std::make_unique<Node>();
  node->value = value;
  node->next = std::move(list);
  return node;
}

double list_of(double x, double y) {
  auto list = push(push(push(nullptr, x), x * y), y);
  double sum = 0;
  for (Node* at = list.get(); at != nullptr; at = at->next.get()) {
    at->value = at->value * at->value + sum;
    sum += std::sin(at->value) * x;
  }
  return sum;
}
/// A class whose objects own others of it.
struct Sp {
  double v = 0;
  std::shared_ptr<Sp> next;
  std::vector<std::unique_ptr<Sp>> kids;
};

double nodes_of_nodes(double x) {
  auto t = std::make_shared<Sp>();
  t->v = x;
  t->next = std::make_shared<Sp>();
  t->next->v = x * x;
  t->kids.push_back(std::make_unique<Sp>());
  t->kids[0]->v = 3 * x;
  return t->v * t->next->v * t->kids[0]->v;
}

DDX_CHECK_GRADIENT(nodes_of_nodes, at(0.7), at(1.3), at(-0.4))
DDX_CHECK_GRADIENT(list_of, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// The nodes are freed and their memory used again: what was there before must not be seen.
double used_again(double x, double y) {
  double product = 1;
  for (int i = 0; i < 4; ++i) {
    auto one = std::make_unique<Node>();
    one->value += x * (i + 1);
    auto two = std::make_unique<Node>();
    two->value = one->value * y;
    product *= two->value + 0.5;
    if (i % 2 == 0) {
      one.reset();
      auto three = std::make_unique<Node>();
      three->value += x;
      three->value *= y;
      product += three->value;
    }
  }
  return product;
}
DDX_CHECK_GRADIENT(used_again, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Cell {
  double a;
  double b;
  Cell* other;
};

// Raw pointers to one node under two names; the order of the writes matters.
double raw_pointers(double x, double y) {
  Cell* first = new Cell{x, y, nullptr};
  Cell* second = new Cell{x * y, 1.0, first};
  first->other = second;
  Cell* at = first;
  double sum = 0;
  for (int i = 0; i < 5; ++i) {
    at->a = at->other->b * at->a + 0.1 * i;
    at->b = std::cos(at->a) + at->other->a;
    sum += at->a * at->b;
    if (sum > 2.0) {
      at = at->other;
    }
  }
  delete second;
  delete first;
  return sum;
}
DDX_CHECK_GRADIENT(raw_pointers, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// The same number through two owners.
double shared(double x, double y) {
  auto a = std::make_shared<Cell>(Cell{x, y, nullptr});
  auto b = a;
  auto c = std::make_shared<Cell>(Cell{y, x * x, a.get()});
  b->a = a->b * 3.0;
  a->b += b->a * c->a;
  c->other->a *= x;
  std::weak_ptr<Cell> w = c;
  if (auto locked = w.lock()) {
    locked->b = locked->b * a->a;
  }
  return a->a * b->b + c->b;
}
DDX_CHECK_GRADIENT(shared, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Which object is meant is decided at run time.
double chosen(double x, double y) {
  auto a = std::make_unique<Cell>(Cell{x, y, nullptr});
  auto b = std::make_unique<Cell>(Cell{y, x, nullptr});
  Cell* best = a.get();
  if (b->a > a->a) {
    best = b.get();
  }
  Cell& named = *best;
  named.a *= 2.0 * y;
  Cell* worst = best == a.get() ? b.get() : a.get();
  worst->b = named.a * worst->a;
  return a->a + a->b * b->a + b->b * x;
}
DDX_CHECK_GRADIENT(chosen, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Tree {
  explicit Tree(double k) : key(k) {}
  double key;
  double sum = 0;
  std::unique_ptr<Tree> left;
  std::unique_ptr<Tree> right;
};

void insert(std::unique_ptr<Tree>& place, double key) {
  if (!place) {
    place = std::make_unique<Tree>(key);
    return;
  }
  place->sum += key * place->key;
  insert(key < place->key ? place->left : place->right, key);
}

double total(const Tree* tree, int depth) {
  if (tree == nullptr) {
    return 0.25;
  }
  return tree->key * total(tree->left.get(), depth + 1) + std::sin(tree->sum) +
         total(tree->right.get(), depth + 1) / (depth + 1.0);
}

double search_tree(const std::vector<double>& keys) {
  std::unique_ptr<Tree> root;
  for (const double key : keys) {
    insert(root, key * key - key);
  }
  return total(root.get(), 0);
}
DDX_CHECK_GRADIENT(search_tree, at(std::vector{0.5, -0.2, 0.9, 2.0, 0.15}),
                   at(std::vector<double>{1.1}), at(std::vector{3.0, 2.0, 1.0, 0.3}))

std::unique_ptr<Tree> full(int depth, double x) {
  if (depth == 0) {
    return nullptr;
  }
  auto tree = std::make_unique<Tree>(x * depth);
  tree->left = full(depth - 1, x + 0.1);
  tree->right = depth > 1 ? full(depth - 1, x * x) : nullptr;
  return tree;
}

std::unique_ptr<Tree> copy(const Tree& tree) {
  auto made = std::make_unique<Tree>(tree.key);
  made->sum = tree.sum;
  made->left = tree.left ? copy(*tree.left) : nullptr;
  made->right = tree.right ? copy(*tree.right) : nullptr;
  return made;
}

double copied_tree(double x) {
  auto tree = full(3, x);
  auto other = copy(*tree);
  other->left->key *= tree->right->key;
  tree.reset();
  return total(other.get(), 1);
}
DDX_CHECK_GRADIENT(copied_tree, at(1.2), at(0.3), at(-0.7))

struct Vec {
  double x;
  double y;
};
double dot(const Vec& a, const Vec& b) {
  return a.x * b.x + a.y * b.y;
}
void rotate(Vec& v, double angle) {
  const double x = v.x;
  v.x = std::cos(angle) * x - std::sin(angle) * v.y;
  v.y = std::sin(angle) * x + std::cos(angle) * v.y;
}
Vec scaled(Vec v, double s) {
  return {v.x * s, v.y * s};
}

struct Body {
  Body(Vec p, double m) : at(p), mass(m) {}
  Vec at;
  double mass;
  double history[3] = {};
  std::array<double, 2> pair{};
  std::complex<double> wave{1.0, 0.5};
  int steps = 0;
  void step(double h) {
    rotate(at, h);
    history[steps % 3] += dot(at, at) * mass;
    pair[1] = at.y * h;
    ++steps;
  }
};

// Objects in memory by reference, by value, as a whole, and their arrays.
double bodies(double x, double y) {
  std::vector<std::unique_ptr<Body>> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(std::make_unique<Body>(Vec{x + i, y}, 1.0 + x * i));
  }
  for (int k = 0; k < 4; ++k) {
    for (auto& body : all) {
      body->step(0.1 * y + k);
    }
  }
  Body& last = *all.back();
  const Vec saved = last.at;
  last.at = scaled(all[0]->at, x);
  all[1]->at = {dot(saved, last.at), x};
  double sum = std::real(all[0]->wave * std::complex<double>(x, y));
  for (const auto& body : all) {
    sum += dot(body->at, saved) + body->history[1] * body->pair[1] - body->history[2];
  }
  all.pop_back();
  all.clear();
  return sum;
}
DDX_CHECK_GRADIENT(bodies, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double lone_number(double x) {
  auto p = std::make_unique<double>(x * x);
  *p *= x;
  auto q = std::move(p);
  double* raw = q.get();
  *raw += 1.0;
  return *q * *q;
}
DDX_CHECK_GRADIENT(lone_number, at(1.2), at(0.3), at(-0.7))

struct Layer {
  virtual ~Layer() = default;
  [[nodiscard]] virtual double forward(double x) const = 0;
  virtual void scale(double s) = 0;
};
struct Affine : Layer {
  Affine(double w, double b) : w_(w), b_(b) {}
  [[nodiscard]] double forward(double x) const override { return w_ * x + b_; }
  void scale(double s) override { w_ *= s; }
  double w_;
  double b_;
};
struct Squash : Layer {
  explicit Squash(double k) : k_(k) {}
  [[nodiscard]] double forward(double x) const override { return std::tanh(k_ * x); }
  void scale(double s) override { k_ = s * k_ * k_; }
  double k_;
};

double network(double w, double b) {
  std::vector<std::unique_ptr<Layer>> layers;
  layers.push_back(std::make_unique<Affine>(w, b));
  layers.push_back(std::make_unique<Squash>(b));
  layers.emplace_back(std::make_unique<Affine>(b * w, 0.3));
  double x = 0.8;
  for (const auto& layer : layers) {
    layer->scale(w);
    x = layer->forward(x);
  }
  return x;
}
DDX_CHECK_GRADIENT(network, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// An object of this function that owns what is in memory, with a number of its own.
class Queue {
 public:
  explicit Queue(double weight) : weight_(weight), first_(std::make_unique<Node>()) {
    first_->value = weight * weight;
    last_ = first_.get();
  }
  void append(double value) {
    last_->next = std::make_unique<Node>();
    last_ = last_->next.get();
    last_->value = value * weight_;
    weight_ *= 0.9;
    ++size_;
  }
  [[nodiscard]] double sum() const {
    double s = 0;
    const Node* at = first_.get();
    while (at) {
      s = 0.7 * s + at->value;
      at = at->next.get();
    }
    return s / size_;
  }

 private:
  double weight_;
  std::unique_ptr<Node> first_;
  Node* last_ = nullptr;
  int size_ = 1;
};

double queue(double x, double y) {
  Queue q(x);
  for (int i = 0; i < 3; ++i) {
    q.append(y + i * x);
  }
  return q.sum() * q.sum();
}
DDX_CHECK_GRADIENT(queue, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double swapped(double x, double y) {
  auto a = std::make_unique<Node>();
  auto b = std::make_unique<Node>();
  a->value = x;
  b->value = y * y;
  std::swap(a, b);
  a->value *= b->value;
  std::swap(a->value, b->value);
  return a->value * a->value + b->value;
}
DDX_CHECK_GRADIENT(swapped, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Weights {
  explicit Weights(std::size_t n) : w(n) {}
  std::vector<double> w;
};

// Elements of a vector in memory.
double vectors_in_memory(double x, double y) {
  auto a = std::make_unique<Weights>(4);
  for (std::size_t i = 0; i < a->w.size(); ++i) {
    a->w[i] = x * static_cast<double>(i) + y;
  }
  a->w[2] *= a->w[1];
  double sum = 0;
  for (const double w : a->w) {
    sum += w * w * x;
  }
  return sum;
}
DDX_CHECK_GRADIENT(vectors_in_memory, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double doubled(Node* node) {
  node->value *= 2.0;
  return node->value;
}

// The result of the call is not used, but what it did to the node is.
double replaced_result(double x) {
  auto node = std::make_unique<Node>();
  node->value = x * x;
  double y = doubled(node.get());
  if (y > 0.5) {
    y = 1.0;
  }
  return y * x + node->value;
}
DDX_CHECK_GRADIENT(replaced_result, at(1.2), at(0.3), at(-0.9))

// Objects of this function, linked on the stack.
double on_the_stack(double x, double y) {
  Cell a{x, y, nullptr};
  Cell b{x * y, 0.5, &a};
  a.other = &b;
  double u = x;
  double v = y;
  double* which = &u;
  double sum = 0;
  for (Cell* at = &a; sum < 3.0; at = at->other) {
    at->a += at->b * *which;
    sum += 0.5 + at->a * at->a;
    which = which == &u ? &v : &u;
    *which *= 1.1;
  }
  double& chosen_number = x > y ? u : v;
  chosen_number *= a.a;
  return sum + b.a * a.b + u * v;
}
DDX_CHECK_GRADIENT(on_the_stack, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Calls among memory in every place of an expression.
double adjusted(std::unique_ptr<Node>& node, double by) {
  if (!node) {
    node = std::make_unique<Node>();
  }
  node->value += by;
  return node->value;
}
bool grew(Node& node, double by) {
  node.value *= by;
  return node.value > 1.0;
}
double effects(double x, double y) {
  std::unique_ptr<Node> a;
  auto b = std::make_unique<Node>();
  b->value = y;
  double sum = adjusted(a, x) * adjusted(a, y) + adjusted(b, x);
  if (grew(*a, 1.5) || grew(*b, x)) {
    sum += a->value * b->value;
  }
  const auto scale = [&](double s) {
    a->value *= s;
    return a->value + b->value;
  };
  return sum * scale(x) + scale(y);
}
DDX_CHECK_GRADIENT(effects, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

Node* find(Node* list, double least) {
  for (Node* at = list; at != nullptr; at = at->next.get()) {
    if (at->value > least) {
      return at;
    }
  }
  return nullptr;
}

double found(double x, double y) {
  auto list = push(push(push(nullptr, x), x * y), y);
  if (Node* at = find(list.get(), 0.5)) {
    at->value *= y;
    if (Node* more = find(at->next.get(), 0.1); more && more->value < 3.0) {
      more->value += at->value * x;
    }
  }
  const Node* none = find(list.get(), 1e9);
  double sum = none == nullptr ? 0.5 * x : none->value;
  for (const Node* at = list.get(); at; at = at->next.get()) {
    sum += at->value * at->value;
  }
  return sum;
}
DDX_CHECK_GRADIENT(found, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

}  // namespace

// --- Numbers in memory whose pointers are exchanged by a third.

namespace {

double ordered_by_a_third(double x) {
  double a = x * x, b = x;
  double *lo = &a, *hi = &b;
  if (*lo > *hi) {
    double* t = lo;
    lo = hi;
    hi = t;
  }
  *lo *= 3;
  return a + 2 * b * b;
}

}  // namespace

DDX_CHECK_GRADIENT(ordered_by_a_third, at(0.83), at(1.1), at(0.37))

// --- Const members of a derived class that read what its base class has.

namespace {

struct HeldBase {
  double a;
  std::vector<double> v;
  explicit HeldBase(double x) : a(x), v{x} {}
};

struct HeldConst : HeldBase {
  explicit HeldConst(double x) : HeldBase(x) {}
  double k = 3;
  double f() const { return a * k * v.back(); }
};

struct HeldOpen : HeldBase {
  explicit HeldOpen(double x) : HeldBase(x) {}
  double k = 3;
  double f() { return a * k * v.back(); }
};

double const_member(double x) {
  auto p = std::make_unique<HeldConst>(x);
  return p->f();
}

double member(double x) {
  auto p = std::make_unique<HeldOpen>(x);
  return p->f();
}

double const_member_of_new(double x) {
  HeldConst* p = new HeldConst(x);
  double r = p->f();
  delete p;
  return r;
}

}  // namespace

DDX_CHECK_GRADIENT(const_member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(member, at(0.83), at(1.1), at(0.37))
DDX_CHECK_GRADIENT(const_member_of_new, at(0.83), at(1.1), at(0.37))

// --- Moved into an object that lies in memory.

namespace {

struct Taker {
  std::vector<double> v;
  double a;
  explicit Taker(std::vector<double>&& w) : v(std::move(w)), a(1) {}
};

double into_a_new_object(double x) {
  std::vector<double> w{x, x * x};
  auto p = std::make_unique<Taker>(std::move(w));
  return p->v[0] * p->v[1] + static_cast<double>(w.size()) * x;
}

}  // namespace

DDX_CHECK_GRADIENT(into_a_new_object, at(0.83), at(1.1), at(0.37))
