/// \file
/// Arguments and results of functions that are staged: which tensors are in them, and what else.

#pragma once

#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/listed_members.h"
#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/core/dtype.h"
#include "ddx/core/random_key.h"
#include "ddx/tensor/detail/array.h"
#include "ddx/tensor/detail/borrowed.h"
#include "ddx/tensor/detail/holds_tensors.h"
#include "ddx/tensor/tensor.h"

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

template <class T>
inline constexpr bool is_shared_pointer = false;
template <class T>
inline constexpr bool is_shared_pointer<std::shared_ptr<T>> = true;

/// Throws:  UsageError: copies share what a pointer points to, so that it is no value.
[[noreturn]] void throw_shared();

template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_staged(OnTensor& tensor, OnNumber& number, First& first, Others&... others);

/// Visits the elements of tuples, as visit_staged does.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_elements(OnTensor& tensor, OnNumber& number, First&& first, Others&&... others) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto element = [&]<std::size_t Index>() {
      return visit_staged(tensor, number, std::get<Index>(first), std::get<Index>(others)...);
    };
    return (element.template operator()<I>() && ...);
  }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<First>>>{});
}

/// Visits the members that the lists of a class name, as visit_staged does.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_members(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  using T = std::remove_const_t<First>;
  static_assert(NoMember<unlisted_name<T>>,
                "ddx: a class that goes through a function that is staged lists all its members in "
                "DDX_DIFFERENTIABLE or DDX_NO_DERIVATIVE: this one has forgotten a member");
  if constexpr (HasFields<T>) {
    if (!visit_elements(tensor, number, first.ddx_fields(), others.ddx_fields()...)) {
      return false;
    }
  }
  if constexpr (HasOtherFields<T>) {
    return visit_elements(tensor, number, first.ddx_other_fields(), others.ddx_other_fields()...);
  }
  return true;
}

/// Visits what a list holds, as visit_staged does.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_list(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  if (!number(std::size(first), std::size(others)...)) {
    return false;
  }
  for (std::size_t i = 0; i < std::size(first); ++i) {
    if (!visit_staged(tensor, number, first[i], others[i]...)) {
      return false;
    }
  }
  return true;
}

/// Visits what a map holds, as visit_staged does.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_map(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  using Key = typename std::remove_const_t<First>::key_type;
  static_assert(!std::is_same_v<Key, RandomKey>,
                "ddx: a map through a function that is staged has no random keys as its keys");
  static_assert(sizeof(RequireOwnValue<Key>) > 0);
  if (!number(std::size(first), std::size(others)...)) {
    return false;
  }
  const auto entry = [&](auto& one, auto&... same) {
    return number(one.first, same.first...) &&
           visit_staged(tensor, number, one.second, same.second...);
  };
  std::tuple places(others.begin()...);
  for (auto& one : first) {
    if (!std::apply([&](auto&... place) { return entry(one, *place++...); }, places)) {
      return false;
    }
  }
  return true;
}

/// Visits the alternative that an optional or a variant holds, as visit_staged does.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_choice(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  if constexpr (is_optional<std::remove_const_t<First>>) {
    if (!number(first.has_value(), others.has_value()...)) {
      return false;
    }
  } else if (!number(first.index(), others.index()...)) {
    return false;
  }
  bool goes_on = true;
  for_held(first, [&](auto place, auto& value) {
    goes_on = visit_staged(tensor, number, value, held<decltype(place)::value>(others)...);
  });
  return goes_on;
}

/// Calls `tensor(parts...)` for each tensor of the first value with its counterparts in the others,
/// in order, and `number(parts...)` for everything else: numbers, keys, options, lengths of lists,
/// indices of alternatives. Stops when `number` returns false, and returns whether it never did.
/// Tensors may be symbolic zeros.
///
/// Throws:  UsageError where there is a shared pointer that is not null.
template <class OnTensor, class OnNumber, class First, class... Others>
bool visit_staged(OnTensor& tensor, OnNumber& number, First& first, Others&... others) {
  using T = std::remove_const_t<First>;
  if constexpr (is_tensor<T>) {
    tensor(first, others...);
    return true;
  } else if constexpr (is_borrowed<T>) {
    return RequireOwnValue<T>::holds;
  } else if constexpr (HasLists<T>) {
    return visit_members(tensor, number, first, others...);
  } else if constexpr (is_tuple<T>) {
    return visit_elements(tensor, number, first, others...);
  } else if constexpr (is_vector<T> || is_array<T>) {
    return visit_list(tensor, number, first, others...);
  } else if constexpr (is_ordered_map<T>) {
    return visit_map(tensor, number, first, others...);
  } else if constexpr (Choice<T>) {
    return visit_choice(tensor, number, first, others...);
  } else if constexpr (std::is_empty_v<T>) {
    return true;
  } else if constexpr (is_shared_pointer<T>) {
    if (first != nullptr || (false || ... || (others != nullptr))) {
      throw_shared();
    }
    return true;
  } else {
    static_assert(
        std::equality_comparable<T> && std::copyable<T>,
        "ddx: a function that is staged takes and returns tensors, values that can be compared, "
        "pairs, tuples, arrays, vectors, maps in order, optionals and variants of these, and "
        "classes that list all their members in DDX_DIFFERENTIABLE or DDX_NO_DERIVATIVE; not this "
        "type: list its members, or give it operator==");
    static_assert(!holds_tensors<T>,
                  "ddx: a class that holds tensors and goes through a function that is staged "
                  "lists all its members in DDX_DIFFERENTIABLE or DDX_NO_DERIVATIVE; this one is "
                  "compared as a whole");
    static_assert(sizeof(RequireOwnValue<T>) > 0);
    return number(first, others...);
  }
}

/// Calls `tensor(t)` for each tensor of a value that is no symbolic zero, in order.
template <class OnTensor, class T>
void visit_tensors(OnTensor tensor, T& value) {
  auto any = [](const auto&...) { return true; };
  auto there = [&](auto& one) {
    if (!one.is_symbolic_zero()) {
      tensor(one);
    }
  };
  visit_staged(there, any, value);
}

/// Whether two values that are no tensors are equal, where all random keys count as equal.
inline constexpr auto are_equal_but_keys = []<class T>(const T& x, const T& y) {
  if constexpr (std::is_same_v<T, RandomKey>) {
    return true;
  } else {
    return x == y;
  }
};

/// Whether two values differ in nothing but their tensors, and have their symbolic zeros at the
/// same places. `equal(x, y)` compares the other parts.
template <class A, class B, class Equal>
[[nodiscard]] bool have_same_form(const A& a, const B& b, Equal equal) {
  bool zeros_agree = true;
  auto zeros = [&](const auto& x, const auto& y) {
    zeros_agree = zeros_agree && x.is_symbolic_zero() == y.is_symbolic_zero();
  };
  return visit_staged(zeros, equal, a, b) && zeros_agree;
}

/// Makes each symbolic zero of a value, where another of its form has none, a zero of rank 0, which
/// a graph can have. Returns whether there was one.
template <class T>
bool write_out_zeros(T& value, const T& like) {
  bool any = false;
  auto zero = [&]<class One>(One& x, const One& y) {
    if (x.is_symbolic_zero() && !y.is_symbolic_zero()) {
      x = One(typename One::Element{});
      any = true;
    }
  };
  auto equal = [](const auto& x, const auto& y) { return x == y; };
  visit_staged(zero, equal, value, like);
  return any;
}

/// Makes all tensors of a value that are no symbolic zeros ones of one element, which is 0: what is
/// left is the form of the value.
template <class T>
void empty_tensors(T& value) {
  visit_tensors([]<class Scalar>(Tensor<Scalar>& tensor) { tensor = Tensor<Scalar>(Scalar{}); },
                value);
}

}  // namespace ddx::detail
