/// \file
/// An argument with every number of it replaced by one that records dependences.

#pragma once

#include "ddx/ad/detail/dependency_record.h"
#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/sparse/dependent.h"
#include "ddx/ad/tangent.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// `X` with Dependent numbers. Types other than these have no such form.
template <class X>
struct DependentTrait {
  static constexpr bool known = false;
};

template <std::floating_point T>
struct DependentTrait<T> {
  static constexpr bool known = true;
  using type = Dependent<T>;
};

template <class X>
  requires DependentTrait<X>::known
struct DependentTrait<std::vector<X>> {
  static constexpr bool known = true;
  using type = std::vector<typename DependentTrait<X>::type>;
};

template <class X, std::size_t N>
  requires DependentTrait<X>::known
struct DependentTrait<std::array<X, N>> {
  static constexpr bool known = true;
  using type = std::array<typename DependentTrait<X>::type, N>;
};

template <class First, class Second>
  requires(DependentTrait<First>::known && DependentTrait<Second>::known)
struct DependentTrait<std::pair<First, Second>> {
  static constexpr bool known = true;
  using type =
      std::pair<typename DependentTrait<First>::type, typename DependentTrait<Second>::type>;
};

template <class... Xs>
  requires(DependentTrait<Xs>::known && ...)
struct DependentTrait<std::tuple<Xs...>> {
  static constexpr bool known = true;
  using type = std::tuple<typename DependentTrait<Xs>::type...>;
};

/// Makes the numbers of `x` inputs, in the order of coordinates.
template <class X, class D>
void make_dependent(const X& x, D& result, DependencyRecord& record) {
  if constexpr (std::is_floating_point_v<X>) {
    result = D(x, record, record.input());
  } else if constexpr (TupleTangent<X>) {
    for_each_pair(result, x,
                  [&](auto& part, const auto& from) { make_dependent(from, part, record); });
  } else {
    if constexpr (VectorTangent<X>) {
      result.resize(x.size());
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
      make_dependent(x[i], result[i], record);
    }
  }
}

template <class T>
inline constexpr bool is_dependent = false;
template <class T>
inline constexpr bool is_dependent<Dependent<T>> = true;

/// Appends the vertices of the numbers of a result. Numbers that are not Dependent are constants,
/// as they are in the result for which there is a tangent.
template <class Y>
void append_vertices(const Y& y, std::vector<std::size_t>& vertices) {
  const auto append = [&](const auto& part) { append_vertices(part, vertices); };
  if constexpr (is_dependent<Y>) {
    vertices.push_back(y.vertex());
  } else if constexpr (std::is_floating_point_v<Y>) {
    vertices.push_back(DependencyRecord::constant);
  } else if constexpr (std::is_arithmetic_v<Y>) {
  } else if constexpr (HasFields<Y>) {
    for_each_element(y.ddx_fields(), append);
  } else if constexpr (requires { std::tuple_size<Y>::value; } && !requires { y.begin(); }) {
    for_each_element(y, append);
  } else if constexpr (requires { y.begin(); }) {
    for (const auto& part : y) {
      append(part);
    }
  } else {
    static_assert(
        unknown_tangent<Y>,
        "ddx: the numbers of this result cannot be listed to find their sparsity pattern; "
        "pass a ddx::SparsityPattern");
  }
}

/// Fails where the pattern of `f` cannot be found by a run with Dependent numbers.
template <class F, class X>
constexpr bool check_dependent_run() {
  static_assert(DependentTrait<X>::known,
                "ddx: a sparsity pattern is found for arguments of numbers, vectors, arrays, pairs "
                "and tuples; for any other, pass a ddx::SparsityPattern");
  if constexpr (DependentTrait<X>::known) {
    constexpr bool callable = std::invocable<const F&, const typename DependentTrait<X>::type&>;
    static_assert(callable,
                  "ddx: a sparsity pattern is found by a call with ddx::Dependent numbers, which "
                  "this function does not take; make it generic, as in [](const auto& x) { ... }, "
                  "or pass a ddx::SparsityPattern");
    return callable;
  } else {
    return false;
  }
}

}  // namespace ddx::detail
