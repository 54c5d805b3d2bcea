/// \file
/// Sums of products of tensors in Einstein's notation.

#pragma once

#include "ddx/core/indices.h"
#include "ddx/core/shape.h"
#include "ddx/tensor/arithmetic.h"
#include "ddx/tensor/detail/operations.h"
#include "ddx/tensor/detail/tensor_lists.h"
#include "ddx/tensor/detail/vjp_support.h"
#include "ddx/tensor/diagonal.h"
#include "ddx/tensor/movement.h"
#include "ddx/tensor/reduction.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <source_location>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace ddx {

/// The equation of an einsum, and where it was written.
struct Subscripts {
  std::string text;
  std::source_location where;

  // Implicit, so that a text can be given where an equation is asked for.
  Subscripts(const char* equation, std::source_location place = std::source_location::current())
      : text(equation), where(place) {}
  Subscripts(std::string equation, std::source_location place = std::source_location::current())
      : text(std::move(equation)), where(place) {}
};

namespace detail {

/// The subscripts of the axes of two tensors and of their contraction: each subscript stands in at
/// least two of the three, and at most once in each.
struct Contraction {
  std::string a;
  std::string b;
  std::string y;
};

/// What is done with one operand before it meets others: some axes become the last two and then
/// their diagonal; some are summed; some of extent 1, along which others are longer, go.
struct EinsumOperand {
  std::vector<Indices> diagonals;  ///< Orders of axes.
  Indices sums;                    ///< Axes.
  Indices shape;                   ///< What remains.
};

/// Two values that are contracted to a new one: operands count first, then results of steps.
struct EinsumStep {
  std::size_t left;
  std::size_t right;
  Contraction contraction;
};

struct EinsumPlan {
  std::vector<EinsumOperand> operands;
  std::vector<EinsumStep> steps;
  Indices order;  ///< Of the axes of the last value; none where they are in order.
};

EinsumPlan einsum_plan(const Subscripts& equation, const std::vector<Shape>& shapes);

/// The contraction by a product of matrices, or of elements where nothing is summed.
Array contract(const Array& a, const Array& b, const Contraction& subscripts);

template <FloatingScalar Scalar>
Tensor<Scalar> contract(const Tensor<Scalar>& a, const Tensor<Scalar>& b,
                        const Contraction& subscripts) {
  return Tensor<Scalar>(contract(static_cast<const Array&>(a.array()),
                                 static_cast<const Array&>(b.array()), subscripts));
}

// Primal:  y_Y = sum a_A b_B
// Adjoint: adj[a]_A += sum adj[y]_Y b_B, adj[b]_B += sum adj[y]_Y a_A
// Saves:   a, b
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(contract)
auto contract_vjp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Contraction& subscripts) {
  return tensor_vjp(contract(a, b, subscripts),
                    [a, b, subscripts](const Tensor<Scalar>& dy, Wanted<2> wanted) {
                      const Contraction to_a{subscripts.y, subscripts.b, subscripts.a};
                      const Contraction to_b{subscripts.y, subscripts.a, subscripts.b};
                      return std::tuple(wanted[0] ? contract(dy, b, to_a) : Tensor<Scalar>(),
                                        wanted[1] ? contract(dy, a, to_b) : Tensor<Scalar>());
                    });
}

// Tangent: dy_Y = sum da_A b_B + sum a_A db_B
template <FloatingScalar Scalar>
DDX_DERIVATIVE_OF(contract)
auto contract_jvp(const Tensor<Scalar>& a, const Tensor<Scalar>& b, const Contraction& subscripts,
                  const Tensor<Scalar>& da, const Tensor<Scalar>& db) {
  Tensor<Scalar> tangent;
  if (!da.is_symbolic_zero()) {
    tangent = contract(da, b, subscripts);
  }
  if (!db.is_symbolic_zero()) {
    tangent = tangent + contract(a, db, subscripts);
  }
  return ValueWithTangent<Tensor<Scalar>, Tensor<Scalar>>{contract(a, b, subscripts), tangent};
}

/// One operand as it meets the others.
template <FloatingScalar Scalar>
Tensor<Scalar> prepared(const Tensor<Scalar>& x, const EinsumOperand& plan) {
  Tensor<Scalar> y = x;
  for (const Indices& order : plan.diagonals) {
    y = diagonal_part(transpose(y, order));
  }
  if (!plan.sums.empty()) {
    y = sum(y, {.axes = plan.sums});
  }
  return reshape(y, plan.shape);
}

}  // namespace detail

/// Sums of products: `einsum("bij,bjk->bik", a, b)` is a product of stacks of matrices.
///
/// A letter names an axis of an operand; operands are separated by commas. An axis named after the
/// arrow is an axis of the result; one that is not is summed over. A letter twice in one operand
/// takes its diagonal. Without an arrow, the result has the axes that are named once, in
/// alphabetical order. `...` represents unnamed axes, which broadcast; they are at its position in
/// the result, and first without an arrow. Spaces do not count.
///
/// Shapes:   as the equation says; axes of one name have one extent, or 1, which broadcasts
/// Throws:   UsageError where the equation is none, the number of operands or their ranks differ
///           from it, extents of one subscript do, or devices do.
/// Gradient: the products of the cotangent with the other operands, to each operand.
/// Cost:     operands are contracted in pairs, first the pair that makes the values smallest; a
///           contraction is a product of matrices, after transpositions where needed.
/// Source:   NumPy, `numpy.einsum`.
template <FloatingScalar Scalar>
[[nodiscard]] Tensor<Scalar> einsum(const Subscripts& equation,
                                    const std::vector<Tensor<Scalar>>& operands) {
  const detail::EinsumPlan plan = detail::einsum_plan(equation, detail::shapes_of(operands));
  std::vector<Tensor<Scalar>> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    values.push_back(detail::prepared(operands[i], plan.operands[i]));
  }
  for (const detail::EinsumStep& step : plan.steps) {
    values.push_back(detail::contract(values[step.left], values[step.right], step.contraction));
  }
  return plan.order.empty() ? values.back() : transpose(values.back(), plan.order);
}

/// As above, with the operands one by one: `einsum("ij,j->i", a, x)`.
///
/// Shapes:   as the equation says
template <FloatingScalar Scalar, std::same_as<Tensor<Scalar>>... Others>
[[nodiscard]] Tensor<Scalar> einsum(const Subscripts& equation, const Tensor<Scalar>& first,
                                    const Others&... others) {
  return einsum(equation, std::vector<Tensor<Scalar>>{first, others...});
}

}  // namespace ddx
