/// \file
/// Whether a type has tensors in it.

#pragma once

#include "ddx/ad/detail/listed_members.h"
#include "ddx/core/dtype.h"
#include "ddx/tensor/tensor.h"

#include <type_traits>

namespace ddx::detail {

template <class T>
inline constexpr bool is_tensor = false;
template <TensorScalar Scalar>
inline constexpr bool is_tensor<Tensor<Scalar>> = true;

template <class T>
consteval bool members_hold_tensors();

/// Whether a type is a tensor, a template of one, or a class with such a member, private ones and
/// those of bases included.
template <class T>
inline constexpr bool holds_tensors = is_tensor<T> || members_hold_tensors<T>();
template <template <class...> class Template, class... Parts>
inline constexpr bool holds_tensors<Template<Parts...>> =
    is_tensor<Template<Parts...>> || (holds_tensors<Parts> || ...);

/// What `__builtin_dump_struct` prints an object with: looks at the types of members. Of a member
/// whose own members are not printed it gets the address, as a temporary pointer.
class TensorSearch {
 public:
  template <class... Texts>
  constexpr void operator()(const char* /*format*/, const Texts*... /*texts*/) {}
  template <class Member>
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* /*name*/, Member*&& /*member*/) {
    found_ = found_ || holds_tensors<std::remove_cv_t<Member>>;
  }
  template <class Number>
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* /*name*/, Number& /*number*/) {}

  [[nodiscard]] constexpr bool found() const { return found_; }

 private:
  bool found_ = false;
};

template <class T>
consteval bool members_hold_tensors() {
  if constexpr (std::is_class_v<T>) {
    TensorSearch search;
    Unmade<T> unmade;
    __builtin_dump_struct(&unmade.object, search);
    return search.found();
  } else {
    return false;
  }
}

}  // namespace ddx::detail
