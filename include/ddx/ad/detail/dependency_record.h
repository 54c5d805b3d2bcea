/// \file
/// The operations of one run of a function, as far as they say what depends on what.

#pragma once

#include "ddx/ad/sparse/pattern.h"

#include <cstddef>
#include <vector>

namespace ddx::detail {

/// What a ddx::Dependent writes to: a graph whose vertices are inputs and operations.
///
/// Vertices are numbered in the order of the run; `constant` represents what depends on no input.
/// Linear operations of one number add no vertex: the result is its operand's.
class DependencyRecord {
 public:
  using Vertex = std::size_t;
  static constexpr Vertex constant = 0;

  /// The next input.
  Vertex input();
  /// An operation that is linear in both operands together.
  Vertex sum(Vertex a, Vertex b);
  /// An operation that is linear in each operand, not in both.
  Vertex product(Vertex a, Vertex b);
  /// An operation that is linear in the first operand alone.
  Vertex quotient(Vertex a, Vertex b);
  /// An operation with second derivatives by both operands; of one number, beside a constant.
  Vertex curved(Vertex a, Vertex b);
  /// A decision by values.
  void branch(Vertex a, Vertex b) { branches_ += a != constant || b != constant ? 1 : 0; }

  /// The number of decisions by values that depend on inputs.
  [[nodiscard]] std::size_t branches() const noexcept { return branches_; }

  /// Which inputs each result depends on.
  ///
  /// Cost:    for each result, the number of operations that lie between it and inputs.
  [[nodiscard]] SparsityPattern jacobian(const std::vector<Vertex>& results) const;

  /// By which pairs of inputs the result has a second derivative.
  ///
  /// Cost:    for each operation that is not linear, the number of linear ones right before it and
  ///          of pairs of the inputs that it depends on.
  [[nodiscard]] SparsityPattern hessian(Vertex result) const;

 private:
  enum class Kind { Constant, Input, Sum, Product, Quotient, Curved };
  struct Operation {
    Kind kind;
    Vertex a;  ///< Of an input, its number.
    Vertex b;
  };

  class InputSets;

  Vertex add(Kind kind, Vertex a, Vertex b);
  [[nodiscard]] std::vector<bool> influences(Vertex result) const;

  std::vector<Operation> operations_{{Kind::Constant, 0, 0}};
  std::size_t inputs_ = 0;
  std::size_t branches_ = 0;
};

}  // namespace ddx::detail
