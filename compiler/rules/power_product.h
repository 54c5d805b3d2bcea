/// \file
/// Products that have a power of a root in them.

#pragma once

#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace ddx::compiler {

/// Higher powers are left to the product rule, by which they are built of lower ones.
constexpr unsigned highest_power = 8;

/// A value as a product: of `root`, for which powers.def has a row, to some power, and of other
/// values.
template <class Root, class Value>
struct PowerProduct {
  Root* root = nullptr;
  unsigned power = 0;
  bool negative = false;
  llvm::SmallVector<Value*, 4> factors;
  llvm::SmallVector<Value*, 4> divisors;
};

/// The product of `a` and `b`, of which `left` and `right` are the products with a power of a root,
/// where they have one. `are_equal` compares roots.
template <class Root, class Value, class AreEqual>
std::optional<PowerProduct<Root, Value>> joined(Value* a,
                                                std::optional<PowerProduct<Root, Value>> left,
                                                Value* b,
                                                std::optional<PowerProduct<Root, Value>> right,
                                                AreEqual are_equal) {
  if (!left && right) {
    right->factors.push_back(a);
    return right;
  }
  if (left && right && are_equal(left->root, right->root)) {
    left->power += right->power;
    left->negative = left->negative != right->negative;
    left->factors.append(right->factors);
    left->divisors.append(right->divisors);
  } else if (left) {
    left->factors.push_back(b);
  }
  return left;
}

}  // namespace ddx::compiler
