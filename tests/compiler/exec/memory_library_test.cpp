// Active values in memory, where the library owns, searches and moves what leads to them.

#include "gradient_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Node {
  double value = 0;
  std::unique_ptr<Node> next;
};
struct Item {
  double v;
  int id;
};
using Items = std::vector<std::shared_ptr<Item>>;
Items items(double x, double y) {
  Items r;
  for (int i = 0; i < 4; ++i) r.push_back(std::make_shared<Item>(Item{x * i + y * (3 - i), i}));
  return r;
}
double accumulated(double x, double y) {
  auto v = items(x, y);
  return std::accumulate(v.begin(), v.end(), 0.0,
                         [&](double s, const auto& n) { return s * x + n->v; });
}
DDX_CHECK_GRADIENT(accumulated, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double searched(double x, double y) {
  auto v = items(x, y);
  auto it = std::find_if(v.begin(), v.end(), [](const auto& n) { return n->v > 1.0; });
  return it == v.end() ? x : (*it)->v * y;
}
DDX_CHECK_GRADIENT(searched, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double transformed(double x, double y) {
  auto v = items(x, y);
  std::vector<double> w(v.size());
  std::transform(v.begin(), v.end(), w.begin(), [&](const auto& n) { return n->v * n->v; });
  return w[1] * w[2];
}
DDX_CHECK_GRADIENT(transformed, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double greatest(double x, double y) {
  auto v = items(x, y);
  auto it = std::max_element(v.begin(), v.end(),
                             [](const auto& a, const auto& b) { return a->v < b->v; });
  (*it)->v *= x;
  return v[0]->v + v[3]->v * y;
}
DDX_CHECK_GRADIENT(greatest, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double filtered(double x, double y) {
  auto v = items(x, y);
  v.erase(std::remove_if(v.begin(), v.end(), [](const auto& n) { return n->v < 1.0; }), v.end());
  double s = 0;
  for (auto& n : v) s += n->v * n->v;
  return s * x;
}
DDX_CHECK_GRADIENT(filtered, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double owners_of_new_objects(double x, double y) {
  std::shared_ptr<Item> p(new Item{x, 1});
  std::unique_ptr<Item> q = std::unique_ptr<Item>(new Item{y, 2});
  q.reset(new Item{q->v * x, 3});
  return p->v * q->v;
}
DDX_CHECK_GRADIENT(owners_of_new_objects, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Base {
  virtual ~Base() = default;
  virtual double f(double x) const = 0;
};
struct Linear : Base {
  explicit Linear(double k) : k(k) {}
  double f(double x) const override { return k * x; }
  double k;
};
struct Square : Base {
  Square(double a, double b) : a(a), b(b) {}
  double f(double x) const override { return a * x * x + b; }
  double a;
  double b;
  double unused = 1;
};
double owner_by_choice(double x, double y) {
  std::unique_ptr<Base> b = x > 0 ? std::unique_ptr<Base>(std::make_unique<Linear>(y))
                                  : std::unique_ptr<Base>(std::make_unique<Square>(x, y));
  return b->f(x) * b->f(y);
}
DDX_CHECK_GRADIENT(owner_by_choice, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double cast_to_derived(double x, double y) {
  std::unique_ptr<Base> b;
  if (x > 0)
    b = std::make_unique<Linear>(y);
  else
    b = std::make_unique<Square>(x, y);
  if (auto* c = dynamic_cast<Linear*>(b.get()))
    c->k *= x;
  return b->f(x) * b->f(y);
}
DDX_CHECK_GRADIENT(cast_to_derived, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double exchanged(double x, double y) {
  auto a = std::make_unique<Node>();
  a->value = x;
  auto b = std::exchange(a, nullptr);
  b->value *= y;
  return a ? 0.0 : b->value;
}
DDX_CHECK_GRADIENT(exchanged, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double two_names_in_a_map(double x, double y) {
  std::map<std::string, std::shared_ptr<Item>> m;
  m["a"] = std::make_shared<Item>(Item{x, 0});
  m["b"] = m["a"];
  m["b"]->v *= y;
  return m["a"]->v * m.at("b")->v;
}
DDX_CHECK_GRADIENT(two_names_in_a_map, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double structured_binding(double x, double y) {
  auto n = std::make_unique<Item>(Item{x, 3});
  auto& [v, id] = *n;
  v *= y;
  v += id * x;
  return n->v * v;
}
DDX_CHECK_GRADIENT(structured_binding, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double function_object(double x, double y) {
  std::function<double(const Node*)> sum = [&](const Node* n) { return n ? n->value * x : y; };
  auto a = std::make_unique<Node>();
  a->value = y;
  return sum(a.get()) + sum(nullptr);
}
DDX_CHECK_GRADIENT(function_object, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double every_kind_of_loop(double x, double y) {
  auto v = items(x, y);
  double s = 0;
  for (auto it = v.begin(); it != v.end(); ++it) {
    s += (*it)->v * s + (*it)->v;
  }
  for (std::size_t i = v.size(); i-- > 0;) s += v[i]->v * x;
  for (auto n : v) s *= n->v + 3;
  return s;
}
DDX_CHECK_GRADIENT(every_kind_of_loop, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Net {
  std::vector<std::unique_ptr<Base>> layers;
  double gain;
  explicit Net(double g) : gain(g) {}
  void add(std::unique_ptr<Base> l) { layers.push_back(std::move(l)); }
  double operator()(double x) const {
    for (const auto& l : layers) x = gain * l->f(x);
    return x;
  }
};
double model_of_layers(double x, double y) {
  Net net(y);
  net.add(std::make_unique<Linear>(x));
  net.add(std::make_unique<Square>(x, y));
  return net(0.7) * net(x);
}
DDX_CHECK_GRADIENT(model_of_layers, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

std::shared_ptr<Item> id(std::shared_ptr<Item> p) {
  return p;
}
double handed_through(double x, double y) {
  auto a = std::make_shared<Item>(Item{x, 1});
  id(a)->v *= y;
  auto b = id(std::move(a));
  return b->v * y;
}
DDX_CHECK_GRADIENT(handed_through, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

double new_array(double x, double y) {
  double* p = new double[3];
  for (int i = 0; i < 3; ++i) p[i] = x * i + y;
  p[1] *= p[2];
  double s = 0;
  for (int i = 0; i < 3; ++i) s += p[i] * p[i];
  delete[] p;
  return s;
}
DDX_CHECK_GRADIENT(new_array, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Graph {
  struct Edge {
    int to;
    double w;
  };
  std::vector<std::vector<std::shared_ptr<Edge>>> out;
};
double edges_of_a_graph(double x, double y) {
  Graph g;
  g.out.resize(3);
  g.out[0].push_back(std::make_shared<Graph::Edge>(Graph::Edge{1, x}));
  g.out[1].push_back(std::make_shared<Graph::Edge>(Graph::Edge{2, y}));
  g.out[0].push_back(g.out[1][0]);
  double s = 0;
  for (auto& es : g.out)
    for (auto& e : es) {
      e->w *= 1.5;
      s += e->w * (e->to + x);
    }
  return s;
}
DDX_CHECK_GRADIENT(edges_of_a_graph, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Handle {
  explicit Handle(double x) : node(std::make_unique<Node>()) { node->value = x; }
  std::unique_ptr<Node> node;
};

// Elements whose constructors make what lies in memory.
double owning_elements(double x, double y) {
  std::vector<Handle> handles;
  handles.push_back(Handle(x));
  handles.emplace_back(x * y);
  handles.insert(handles.begin(), Handle(y));
  double sum = 0;
  for (const Handle& handle : handles) {
    sum = sum * x + handle.node->value;
  }
  return sum;
}
DDX_CHECK_GRADIENT(owning_elements, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// A predicate that does more than look.
double counted(double x) {
  std::vector<std::unique_ptr<Node>> nodes;
  nodes.push_back(std::make_unique<Node>());
  nodes[0]->value = x;
  const auto doubled = [](auto& node) {
    node->value *= 2;
    return true;
  };
  const auto count = std::count_if(nodes.begin(), nodes.end(), doubled);
  return nodes[0]->value * x * static_cast<double>(count);
}
DDX_CHECK_GRADIENT(counted, at(1.2), at(-0.4), at(0.1))

struct Watch {
  Item* item;
  Watch(Item* watched) : item(watched) {}
};

struct Watches {
  std::vector<Item*> items;
  Watches(Item* first, Item* second) {
    items.push_back(first);
    items.push_back(second);
  }
};

// Constructors that keep an address which is only known at run time, or in a container.
double kept_addresses(double x, double y) {
  Item a{x, 1};
  Item b{x * y, 2};
  const Watch watch(x > y ? &a : &b);
  watch.item->v *= 3;
  Watches both(&b, &a);
  for (Item* item : both.items) {
    item->v *= x + y;
  }
  auto owned = std::make_unique<Watch>(&a);
  owned->item->v *= y;
  owned = std::make_unique<Watch>(&b);
  owned->item->v -= a.v;
  return a.v * x + b.v;
}
DDX_CHECK_GRADIENT(kept_addresses, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// Owners cannot be copied: the library moves them.
double sorted_owners(double x, double y) {
  std::vector<std::unique_ptr<Item>> items;
  for (int i = 0; i < 5; ++i) {
    items.push_back(std::make_unique<Item>(Item{std::sin(3 * i + x) * y, i}));
  }
  std::sort(items.begin(), items.end(), [](const auto& a, const auto& b) { return a->v < b->v; });
  std::rotate(items.begin(), items.begin() + 2, items.end());
  double sum = x;
  for (const auto& item : items) {
    item->v *= sum;
    sum = 0.6 * sum + item->v;
  }
  std::reverse(items.begin(), items.end());
  return sum * items[1]->v + items[4]->v;
}
DDX_CHECK_GRADIENT(sorted_owners, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Weights {
  std::vector<double> w;
  double b;
};

// A vector in memory that is only looked at through the object it is copied from.
double copied_weights(double x, double y) {
  auto first = std::make_unique<Weights>();
  first->w = {x, y, x * y};
  first->b = y;
  for (double& w : first->w) {
    w *= first->b;
    first->b += w;
  }
  auto second = std::make_unique<Weights>(*first);
  second->w[1] += first->w[0];
  first->w = second->w;
  first->w[2] *= 2;
  return first->w[2] * first->w[1] + second->w[2] * second->b;
}
DDX_CHECK_GRADIENT(copied_weights, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

struct Matrix {
  int n;
  std::unique_ptr<std::vector<double>> entries;
  explicit Matrix(int size) : n(size), entries(std::make_unique<std::vector<double>>(n * n)) {}
  double& operator()(int i, int j) { return (*entries)[static_cast<std::size_t>(i * n + j)]; }
};

double squared(double x, double y) {
  Matrix a(2);
  Matrix b(2);
  a(0, 0) = x;
  a(0, 1) = y;
  a(1, 0) = x * y;
  a(1, 1) = 1;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      for (int k = 0; k < 2; ++k) {
        b(i, j) += a(i, k) * a(k, j);
      }
    }
  }
  std::swap(a.entries, b.entries);
  return a(0, 0) * b(1, 0) + a(1, 1) * a(0, 1);
}
DDX_CHECK_GRADIENT(squared, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

// A lambda that keeps the pointer itself by reference.
double captured_pointer(double x, double y) {
  auto node = std::make_unique<Node>();
  node->value = x;
  Node* const at = node.get();
  const auto grown = [&](double by) {
    auto other = std::make_unique<Node>();
    other->value = at->value * by;
    at->value += other->value;
    return other->value;
  };
  return grown(x) * grown(y) + at->value;
}
DDX_CHECK_GRADIENT(captured_pointer, at(1.2, 0.7), at(-0.4, 0.3), at(0.1, 2.0))

}  // namespace
