/// \file
/// The real numbers that an object consists of, beside those of its tangent.

#pragma once

#include "ddx/ad/detail/choices.h"
#include "ddx/ad/detail/failures.h"
#include "ddx/ad/detail/shadow_kinds.h"
#include "ddx/ad/detail/tangent_kinds.h"
#include "ddx/ad/detail/zeros.h"
#include "ddx/ad/tangent.h"

#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ddx::detail {

/// A class and its tangent that list their members in one order.
template <class T>
concept HasFieldsAndTangents =
    HasFields<TangentOf<T>> && HasFields<const T> && !LeafTangent<TangentOf<T>> &&
    !requires(TangentOf<T>& tangent, const T& primal) { ddx_conform(tangent, primal); };

template <class T, class... Outer>
constexpr bool find_reals_have_addresses();

template <class... Parts>
struct RealAddressesOf;

/// The parts of what a class consists of; references count as what they refer to.
template <class... Parts>
struct RealAddressesOf<std::tuple<Parts...>> {
  template <class... Outer>
  static constexpr bool all =
      (find_reals_have_addresses<std::remove_cvref_t<Parts>, Outer...>() && ...);
};

/// As reals_have_addresses, for a part of objects of the types `Outer`.
template <class T, class... Outer>
constexpr bool find_reals_have_addresses() {
  if constexpr ((std::is_same_v<T, Outer> || ...)) {
    return true;  // A class that contains itself, in a vector: decided by its other parts.
  } else if constexpr (std::is_same_v<TangentOf<T>, NoTangent>) {
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    return is_number_in_memory<T>;
  } else if constexpr (is_complex_number<T>) {
    return is_number_in_memory<typename T::value_type>;
  } else if constexpr (NumberArrayTangent<T>) {
    return is_number_in_memory<std::remove_cvref_t<decltype(*std::declval<T&>().data())>>;
  } else if constexpr (ArrayTangent<T> || VectorTangent<T>) {
    using Element = std::remove_cvref_t<decltype(*std::begin(std::declval<T&>()))>;
    return find_reals_have_addresses<Element, Outer...>();
  } else if constexpr (MapTangent<T>) {
    return find_reals_have_addresses<typename T::mapped_type, Outer...>();
  } else if constexpr (Choice<T>) {
    return RealAddressesOf<typename AlternativesOf<T>::type>::template all<Outer...>;
  } else if constexpr (is_tuple<T>) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return RealAddressesOf<std::tuple<std::tuple_element_t<I, T>...>>::template all<Outer...>;
    }(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (LeafTangent<TangentOf<T>>) {
    return std::is_class_v<T> && !std::is_trivially_copyable_v<T>;
  } else if constexpr (HasFieldsAndTangents<T>) {
    using Fields = decltype(std::declval<const T&>().ddx_fields());
    return RealAddressesOf<Fields>::template all<T, Outer...>;
  } else {
    return false;
  }
}

/// Whether everything in an object of type `T` that has a tangent is a real number, or an object
/// whose tangent is of its own making (a tensor), at an address that for_each_real() finds. Such
/// objects are not trivially copyable: each copy is a call.
template <class T>
inline constexpr bool reals_have_addresses = find_reals_have_addresses<std::remove_cvref_t<T>>();

/// What a tangent has in the place of an object of which it has none: nothing to visit, as zeros
/// that are not stored; or zeros with the shape of the object, to be added to.
enum class MissingTangents { AreZero, AreAdded };

template <MissingTangents missing, class Object, class Tangent, class Visit>
void for_each_real(const Object& object, Tangent& tangent, const Visit& visit);

template <MissingTangents missing, class Object, class Tangent, class Visit>
void for_each_real_of_elements(const Object& object, Tangent& tangent, const Visit& visit) {
  using Element = std::remove_cvref_t<decltype(*std::begin(object))>;
  const std::size_t count = std::size(object);
  if constexpr (VectorTangent<std::remove_const_t<Tangent>>) {
    if (tangent.empty() && count > 0) {
      if constexpr (missing == MissingTangents::AreAdded) {
        conform<Object>(tangent, object);
      } else {
        return;
      }
    }
    if (tangent.size() != count) {
      throw_length_mismatch("derivative of memory", tangent.size(), "a value", count);
    }
  }
  if constexpr (std::is_floating_point_v<Element> && requires { std::data(object); }) {
    visit(std::data(object), std::data(tangent), count);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      for_each_real<missing>(object[i], tangent[i], visit);
    }
  }
}

template <MissingTangents missing, class Object, class Tangent, class Visit>
void for_each_real_of_array(const Object& object, Tangent& tangent, const Visit& visit) {
  if constexpr (missing == MissingTangents::AreAdded) {
    conform<Object>(tangent, object);
  } else if (tangent.size() == 0) {
    return;
  }
  if (tangent.rows() != object.rows() || tangent.cols() != object.cols()) {
    throw_length_mismatch("derivative of memory", static_cast<std::size_t>(tangent.size()),
                          "a value", static_cast<std::size_t>(object.size()));
  }
  visit(object.data(), tangent.data(), static_cast<std::size_t>(object.size()));
}

template <MissingTangents missing, class Object, class Tangent, class Visit>
void for_each_real_of_map(const Object& object, Tangent& tangent, const Visit& visit) {
  if constexpr (missing == MissingTangents::AreAdded) {
    for (const auto& [key, value] : object) {
      if (tangent.find(key) == tangent.end()) {
        tangent[key] = zeros_like(value);
      }
    }
  }
  // In the order of the tangent: it is visited again without the object.
  for (auto& [key, part] : tangent) {
    const auto found = object.find(key);
    if (found == object.end()) {
      throw_length_mismatch("derivative of memory", tangent.size(), "a value", object.size());
    }
    for_each_real<missing>(found->second, part, visit);
  }
}

/// Calls `visit(numbers, tangents, count)` with the real numbers of `object` and those of its
/// tangent, pointers to `count` of each that follow each other; and `visit(part, tangent, 1)` with
/// each part whose tangent is of its own making.
///
/// What an optional or a variant does not hold has no numbers. `missing` decides for a vector whose
/// tangent is empty, and for keys that the tangent of a map lacks.
///
/// Throws: UsageError where a vector's tangent has another length than the vector, or that of a map
///         a key that the map lacks.
template <MissingTangents missing, class Object, class Tangent, class Visit>
void for_each_real(const Object& object, Tangent& tangent, const Visit& visit) {
  static_assert(reals_have_addresses<Object>, "ddx: the numbers of this type have no addresses");
  const auto visit_part = [&](const auto& part, auto& part_tangent) {
    for_each_real<missing>(part, part_tangent, visit);
  };
  if constexpr (std::is_same_v<std::remove_const_t<Tangent>, NoTangent>) {
  } else if constexpr (std::is_floating_point_v<Object>) {
    visit(__builtin_addressof(object), __builtin_addressof(tangent), std::size_t{1});
  } else if constexpr (LeafTangent<std::remove_const_t<Tangent>>) {
    visit(__builtin_addressof(object), __builtin_addressof(tangent), std::size_t{1});
  } else if constexpr (is_complex_number<Object>) {
    visit(&parts(object)[0], &parts(tangent)[0], std::size_t{2});
  } else if constexpr (NumberArrayTangent<Object>) {
    for_each_real_of_array<missing>(object, tangent, visit);
  } else if constexpr (ArrayTangent<Object> || VectorTangent<Object>) {
    for_each_real_of_elements<missing>(object, tangent, visit);
  } else if constexpr (MapTangent<Object>) {
    for_each_real_of_map<missing>(object, tangent, visit);
  } else if constexpr (Choice<Object>) {
    for_held(object, [&]<std::size_t I>(std::integral_constant<std::size_t, I>, const auto& value) {
      visit_part(value, std::get<I>(tangent));
    });
  } else if constexpr (is_tuple<Object>) {
    for_each_pair(object, tangent, visit_part);
  } else {
    for_each_pair(object.ddx_fields(), tangent.ddx_fields(), visit_part);
  }
}

}  // namespace ddx::detail
