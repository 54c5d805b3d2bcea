/// \file
/// The type of the elements that an iterator refers to: std::iter_value_t without <iterator>, which
/// includes the streams.

#pragma once

#include <type_traits>
#include <utility>

namespace ddx::detail {

/// An iterator that is no class: a pointer.
template <class It>
struct ElementType {
  using type = std::remove_cvref_t<decltype(*std::declval<It&>())>;
};

/// A reference of such an iterator may be a proxy, as for std::vector<bool>.
template <class It>
  requires requires { typename It::value_type; }
struct ElementType<It> {
  using type = typename It::value_type;
};

/// The type of the elements of an iterator.
template <class It>
using ElementTypeOf = typename ElementType<It>::type;

}  // namespace ddx::detail
