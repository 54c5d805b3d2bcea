// What a class that is its own tangent is made of holds its numbers, though no member shows them.
#include "ddx/ad.h"

#include <memory>
#include <utility>
#include <vector>

class Storage {
 public:
  using DdxHoldsReals = void;
  explicit Storage(double number) : bytes_(std::make_shared<const char>(static_cast<char>(number))) {}

 private:
  std::shared_ptr<const char> bytes_;
};

class Leaf {
 public:
  using TangentVector = Leaf;
  Leaf() = default;
  explicit Leaf(const Storage& storage) : storage_(storage) {}
  const Storage& storage() const { return storage_; }
  friend void ddx_accumulate(Leaf& into, const Leaf& from) { into = from; }
  friend void ddx_conform(Leaf& /*tangent*/, const Leaf& /*value*/) {}

 private:
  Storage storage_{0.0};
};

double number(const Leaf& leaf);
DDX_DERIVATIVE_OF(number) auto number_vjp(const Leaf& leaf) {
  return ddx::vjp(number(leaf), [leaf](double) { return leaf; });
}

double copied(const Leaf& leaf) {
  std::vector<Leaf> copies;
#ifndef ACCEPTED
  copies.emplace_back(leaf.storage());  // expected-error {{cannot differentiate: an argument of type 'Storage' that active values enter}}
#else
  copies.push_back(leaf);
#endif
  copies.push_back(leaf);
  return number(copies[0]) * number(copies[1]);
}

const Leaf slope = ddx::gradient(copied, Leaf());  // expected-note {{derivative requested here}}
