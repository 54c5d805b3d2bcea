#include "gradient_check.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace {

struct Both {
  double a = 0;
  double b = 0;
};

double vector_of_pairs(double x) {
  std::vector<std::pair<double, int>> v;
  v.push_back({x, 2});
  v.push_back({x * x, 3});
  double s = 0;
  for (auto& e : v) s += e.first * e.second;
  return s;
}

double vector_of_structs(double x) {
  std::vector<Both> v(2);
  v[0].a = x;
  v[1].b = x * x;
  double s = 0;
  for (const auto& e : v) s += e.a + 2 * e.b;
  return s;
}

double vector_of_arrays(double x) {
  std::vector<std::array<double, 2>> v(2);
  v[0][1] = x;
  v[1] = v[0];
  v[1][0] = x * x;
  return v[1][0] * v[1][1];
}

double array_of_vectors(double x) {
  std::array<std::vector<double>, 2> v;
  v[0].push_back(x);
  v[1] = v[0];
  v[1][0] *= x;
  return v[0][0] * v[1][0];
}

struct Holder {
  std::vector<double> v;
};

double struct_with_vector(double x) {
  Holder s;
  s.v.push_back(x);
  s.v.push_back(x * x);
  Holder t = s;
  t.v[0] *= 2;
  return s.v[0] * t.v[0] * t.v[1];
}

double moved_vector(double x) {
  std::vector<double> v{x, 1};
  std::vector<double> w = std::move(v);
  return w[0] * w[0];
}

double vector_assigned(double x) {
  std::vector<double> v;
  v.assign(3, x);
  return v[0] * v[2];
}

double vector_cleared(double x) {
  std::vector<double> v{x, 1};
  v.clear();
  v.push_back(x * x);
  return v[0] * static_cast<double>(v.size());
}

double reference_from_emplace_back(double x) {
  std::vector<double> v;
  v.emplace_back(x);
  double& r = v.emplace_back(x * x);
  r *= 2;
  return v[0] * v[1];
}

double vectors_compared(double x) {
  std::vector<double> v{x, 1}, w{x, 1};
  return v == w ? x * x : x;
}

double popped_until_empty(double x) {
  std::vector<double> v{x, x * x, 3};
  double s = 1;
  while (!v.empty()) {
    s = s * v.back() + 1;
    v.pop_back();
  }
  return s;
}

double grown_while_read(double x) {
  std::vector<double> v{x};
  for (std::size_t i = 0; i < v.size() && v.size() < 4; ++i) v.push_back(v[i] * x);
  return v[3];
}

auto both_of(double x) {
  return std::pair{x, std::vector<double>{x * x}};
}

double pair_with_vector_returned(double x) {
  auto p = both_of(x);
  return p.first * p.second[0];
}

double copies_inside_loop(double x) {
  double s = 0;
  for (int i = 0; i < 3; ++i) {
    std::vector<double> v(2, x);
    std::vector<double> w = v;
    w[i % 2] *= s + 1;
    s += w[0] * w[1];
  }
  return s;
}

double pair_made(double x) {
  auto t = std::make_pair(x, x * x);
  t.first *= 2;
  return t.first * t.second;
}

double swapped(double x) {
  double a = x, b = x * x;
  std::swap(a, b);
  return a * 2 + b;
}

DDX_CHECK_GRADIENT(vector_of_pairs, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vector_of_structs, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vector_of_arrays, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(array_of_vectors, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(struct_with_vector, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(moved_vector, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vector_assigned, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vector_cleared, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(reference_from_emplace_back, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(vectors_compared, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(popped_until_empty, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(grown_while_read, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pair_with_vector_returned, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(copies_inside_loop, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(pair_made, at(1.3), at(2.2), at(0.7))
DDX_CHECK_GRADIENT(swapped, at(1.3), at(2.2), at(0.7))

}  // namespace

// --- Objects with vectors in them, changed by a loop over all.

namespace {

struct Layer {
  std::vector<double> weights;
  double bias;
};

Layer layer(double x) {
  return {{x, x * x}, x};
}

double changed_by_reference(double x) {
  std::vector<Layer> layers{layer(x), layer(2 * x)};
  for (auto& one : layers) one.bias *= one.weights[1];
  for (Layer& one : layers)
    for (double& weight : one.weights) weight *= one.bias;
  return layers[0].bias * layers[1].weights[0] + layers[1].bias;
}

}  // namespace

DDX_CHECK_GRADIENT(changed_by_reference, at(0.83), at(1.1), at(0.37))
