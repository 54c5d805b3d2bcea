// References and pointers to objects without derivative, wherever they are found: what functions
// return, members, elements of maps, what smart pointers hold.

#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct Options {
  int n = 3;
  std::string name = "ab";
  std::vector<int> sizes{1, 2, 3};
};

struct Grid {
  Options options;
  std::vector<double> w{1, 2, 3};
  std::map<std::string, int> counts{{"a", 3}, {"b", 5}};

  const Options& opts() const { return options; }
  Options& opts() { return options; }
  const std::vector<int>& sizes() const { return options.sizes; }
  const std::string& name() const { return options.name; }
  const Options* pointer() const { return &options; }
  Options copy() const { return options; }
};

struct Table {
  std::vector<int> ids;
  explicit Table(const std::vector<int>& v) : ids(v) {}
  int at(std::size_t i) const { return ids[i]; }
};

struct View {
  const Options* options;
  explicit View(const Options& of) : options(&of) {}
  int n() const { return options->n; }
};

const Options& global_options() {
  static const Options options;
  return options;
}

const Options& same(const Options& options) {
  return options;
}

const std::vector<int>& same(const std::vector<int>& numbers) {
  return numbers;
}

double returned(double p) {
  const Grid g;
  const auto& sizes = g.sizes();
  const auto& options = g.opts();
  const std::string& name = g.name();
  const int& n = g.opts().n;
  const auto& global = global_options();
  const auto& copy = g.copy();
  return p * p * sizes[1] + p * options.n * n + p * static_cast<double>(name.size()) +
         p * global.sizes[2] + p * copy.n;
}

double returned_of_parameter(double p, const Grid& g) {
  const auto& sizes = g.sizes();
  const Grid& again = g;
  const auto& w = again.w;
  const int& first = same(g.sizes()).front();
  return p * p * sizes[1] * w[2] + p * first + p * sizes.back();
}

double loops(double p) {
  const Grid g;
  double y = p;
  for (const int& k : g.sizes()) {
    y *= p * k;
  }
  for (int k : same(g.options.sizes)) {
    y += k * p;
  }
  const auto& sizes = g.sizes();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    y += sizes[i] * p * p;
  }
  for (const auto& [key, count] : g.counts) {
    y += count * p * static_cast<double>(key.size());
  }
  return y;
}

double maps_and_choices(double p) {
  const Grid g;
  const auto& a = g.counts.at("a");
  std::optional<Options> perhaps = g.opts();
  const auto& held = *perhaps;
  const auto& chosen = p > 0 ? g.sizes() : g.options.sizes;
  const auto& [n, name, sizes] = g.opts();
  return p * p * a + p * held.n + p * chosen[2] + p * n * sizes[1] +
         p * static_cast<double>(name.size());
}

double pointers(double p) {
  const Grid g;
  const Options* o = g.pointer();
  const Options& behind = *o;
  const std::vector<int>& sizes = o->sizes;
  const Options* maybe = p > 0 ? &g.options : nullptr;
  auto unique = std::make_unique<Options>();
  Options& owned = *unique;
  owned.n = 7;
  auto shared = std::make_shared<const Options>(g.opts());
  const Options& seen = *shared;
  double y = p * p * behind.n + p * sizes[2] + p * owned.n + p * seen.n + p * unique->n;
  if (maybe) {
    y *= maybe->n;
  }
  return y;
}

double objects_made_of_them(double p) {
  const Grid g;
  Table table(g.sizes());
  View view(g.opts());
  const Table other(same(g.sizes()));
  return p * p * table.at(1) + p * view.n() + p * other.at(2);
}

/// What is referred to changes by its own name: each read gives what is there then.
double changed_by_name(double p) {
  Options options;
  const Options& seen = same(options);
  double y = 1;
  for (int i = 0; i < 3; ++i) {
    y *= p * seen.n;
    options.n += 1;
    y += p * seen.n;
  }
  std::vector<int> numbers{1};
  const std::vector<int>& all = same(numbers);
  for (std::size_t i = 0; i < all.size(); ++i) {
    y *= p * static_cast<double>(all.size());
    if (i < 3) {
      numbers.push_back(static_cast<int>(i));
    }
  }
  return y;
}

const std::vector<int>* address(const std::vector<int>& numbers) {
  return &numbers;
}

void append_to(std::vector<int>& numbers) {
  numbers.push_back(1);
}

/// Bounds of loops that grow what a pointer leads to.
double bounds_behind_pointers(double p) {
  std::vector<int> numbers{1};
  const std::vector<int>* all = address(numbers);
  double y = 1;
  for (std::size_t i = 0; i < all->size(); ++i) {
    y *= p * static_cast<double>(all->size());
    if (i < 2) {
      numbers.push_back(static_cast<int>(i));
    }
  }
  for (std::size_t i = 0; i < all->size(); ++i) {
    y += p * p;
    if (i < 2) {
      append_to(numbers);
    }
  }
  int count = 2;
  const int* counted = &count;
  for (int i = 0; i < *counted; ++i) {
    y *= p;
    count = 4;
  }
  return y;
}

/// The same by the reference's.
double changed_by_reference(double p) {
  Grid g;
  Options& options = g.opts();
  double y = p;
  for (int i = 0; i < 3; ++i) {
    options.n += i;
    options.sizes.push_back(i + 4);
    y *= p * g.options.n + static_cast<double>(g.sizes().size());
    y += p * g.options.sizes.back();
  }
  return y;
}

int grow(Options& options, const Options& seen) {
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    options.n += 1;
    sum += seen.n;
  }
  return sum;
}

double grown(double p, Options& options, const Options& seen) {
  double y = p;
  for (int i = 0; i < 3; ++i) {
    options.n += 1;
    y *= p * seen.n;
  }
  return y;
}

/// Handed to one function with what they refer to.
double handed_over_together(double p) {
  Options options;
  const Options& seen = same(options);
  const int sum = grow(options, seen);
  return grown(p, options, seen) * sum;
}

std::span<const int> shown(const Grid& g) {
  return g.options.sizes;
}

/// Temporaries live as long as their references, and what is moved from is referred to as it was.
double temporaries(double p) {
  Grid g;
  const Grid other;
  double y = p;
  for (int k : shown(g)) {
    y *= p * k;
  }
  auto&& numbers = shown(other);
  auto&& copy = g.copy();
  copy.n += 4;
  Options&& moved = std::move(g.options);
  moved.sizes.push_back(11);
  return y * p * numbers[2] + p * copy.n * g.options.n + p * p * g.options.sizes.back();
}

double in_closures(double p) {
  const Grid g;
  const auto& sizes = g.sizes();
  const auto weigh = [&](double x) {
    return x * sizes[1] + x * x * static_cast<double>(sizes.size());
  };
  const auto copied = [sizes](double x) { return x * sizes[2]; };
  return weigh(p) * copied(p);
}

DDX_CHECK_GRADIENT(returned, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(loops, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(maps_and_choices, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(pointers, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(objects_made_of_them, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(changed_by_name, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(bounds_behind_pointers, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(changed_by_reference, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(handed_over_together, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(temporaries, at(1.5), at(2.5), at(-0.5))
DDX_CHECK_GRADIENT(in_closures, at(1.5), at(2.5), at(-0.5))

TEST(InactivePlaces, MayBePartsOfParameters) {
  const Grid g;
  // 12 p + 1 + 3 at 1.5.
  EXPECT_DOUBLE_EQ(ddx::gradient(returned_of_parameter, ddx::wrt<0>, 1.5, g), 22);
}

}  // namespace
