/// \file
/// A leaf class for tests: a value of unknown length that is its own tangent, as a tensor is.

#pragma once

#include <cstddef>
#include <vector>

namespace ddx::testing {

/// A run-time sized value; without elements it is a zero of any length.
struct Leaf {
  using TangentVector = Leaf;

  std::vector<double> elements;

  friend void ddx_accumulate(Leaf& into, const Leaf& from) {
    if (into.elements.empty()) {
      into = from;
      return;
    }
    for (std::size_t i = 0; i < from.elements.size(); ++i) {
      into.elements[i] += from.elements[i];
    }
  }
  friend void ddx_conform(Leaf& tangent, const Leaf& primal) {
    if (tangent.elements.empty()) {
      tangent.elements.resize(primal.elements.size());
    }
  }
  friend Leaf ddx_unit_seed(const Leaf& value) {
    return {std::vector<double>(value.elements.size(), 1.0)};
  }
  friend bool operator==(const Leaf&, const Leaf&) = default;
};

/// A leaf that says itself what its zeros are.
struct LazyLeaf {
  using TangentVector = LazyLeaf;

  bool symbolic_zero = true;

  friend void ddx_accumulate(LazyLeaf& into, const LazyLeaf& from) {
    into.symbolic_zero = into.symbolic_zero && from.symbolic_zero;
  }
  friend void ddx_conform(LazyLeaf& tangent, const LazyLeaf&) { tangent.symbolic_zero = false; }
  friend LazyLeaf ddx_zeros_like(const LazyLeaf&) { return {}; }
};

}  // namespace ddx::testing
