/// \file
/// Types whose objects refer to values elsewhere, which a copy of the object does not keep.

#pragma once

#include <functional>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ddx::detail {

/// Whether a type is a pointer to an object, a view (std::span, std::string_view), an iterator, a
/// std::reference_wrapper, or a pair or a tuple with references. A pointer to a function is its own
/// value.
template <class T>
inline constexpr bool is_borrowed =
    (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>) ||
    std::ranges::enable_borrowed_range<T> || std::input_or_output_iterator<T>;
template <class T>
inline constexpr bool is_borrowed<std::reference_wrapper<T>> = true;
template <class First, class Second>
inline constexpr bool is_borrowed<std::pair<First, Second>> =
    std::is_reference_v<First> || std::is_reference_v<Second>;
template <class... Parts>
inline constexpr bool is_borrowed<std::tuple<Parts...>> = (std::is_reference_v<Parts> || ...);

/// Whether a type is borrowed, or a pair, a tuple or a container of such a type. Other members of
/// classes are not seen.
template <class T>
inline constexpr bool holds_borrowed = is_borrowed<T>;
template <class T>
  requires(!std::is_same_v<typename T::value_type, T>)
inline constexpr bool holds_borrowed<T> = is_borrowed<T> || holds_borrowed<typename T::value_type>;
template <class First, class Second>
inline constexpr bool holds_borrowed<std::pair<First, Second>> =
    is_borrowed<std::pair<First, Second>> || holds_borrowed<std::remove_cv_t<First>> ||
    holds_borrowed<std::remove_cv_t<Second>>;
template <class... Parts>
inline constexpr bool holds_borrowed<std::tuple<Parts...>> =
    is_borrowed<std::tuple<Parts...>> || (holds_borrowed<std::remove_cv_t<Parts>> || ...);

template <class T>
concept HoldsItsValue = !holds_borrowed<T>;

/// Refuses, once for each type, what a function that is staged must not take or return: its values
/// are compared with those of earlier calls, and with these it is the addresses that are.
template <class T>
struct RequireOwnValue {
  static_assert(HoldsItsValue<T>,
                "ddx: a function that is staged takes and returns no pointers to objects, "
                "references, views or iterators: what they refer to may change while they compare "
                "equal, so pass the value itself");
  static constexpr bool holds = HoldsItsValue<T>;
};

}  // namespace ddx::detail
