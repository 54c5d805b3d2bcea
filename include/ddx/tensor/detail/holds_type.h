/// \file
/// Whether a type has objects of another one in it.

#pragma once

#include "ddx/ad/detail/listed_members.h"

#include <type_traits>

namespace ddx::detail {

/// The kind of one class.
template <class Sought>
struct OneClass {
  template <class T>
  static constexpr bool has = std::is_same_v<T, Sought>;
};

template <class Kind, class T>
consteval bool members_hold();

/// Whether a type is of a kind, a template of such a type, or a class with such a member, private
/// ones and those of bases included. `Kind::has<T>` says whether T is of it.
template <class Kind, class T>
inline constexpr bool holds_kind = Kind::template has<T> || members_hold<Kind, T>();
template <class Kind, template <class...> class Template, class... Parts>
inline constexpr bool holds_kind<Kind, Template<Parts...>> =
    Kind::template has<Template<Parts...>> || (holds_kind<Kind, Parts> || ...);

/// Whether a type is Sought, or holds one.
template <class Sought, class T>
inline constexpr bool holds_type = holds_kind<OneClass<Sought>, T>;

/// What `__builtin_dump_struct` prints an object with: looks at the types of members. Of a member
/// whose own members are not printed it gets the address, as a temporary pointer.
template <class Kind>
class MemberSearch {
 public:
  template <class... Texts>
    requires(sizeof...(Texts) <= 3)  // Behind an indentation, a type and a name is a value.
  constexpr void operator()(const char* /*format*/, const Texts*... /*texts*/) {}
  template <class Member>
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* /*name*/, Member*&& /*member*/) {
    found_ = found_ || holds_kind<Kind, std::remove_cv_t<std::remove_all_extents_t<Member>>>;
  }
  template <class Number>
  constexpr void operator()(const char* /*format*/, const char* /*indentation*/,
                            const char* /*type*/, const char* /*name*/, Number& /*number*/) {}

  [[nodiscard]] constexpr bool found() const { return found_; }

 private:
  bool found_ = false;
};

template <class Kind, class T>
consteval bool members_hold() {
  if constexpr (std::is_class_v<T>) {
    MemberSearch<Kind> search;
    Unmade<T> unmade;
    __builtin_dump_struct(&unmade.object, search);
    return search.found();
  } else {
    return false;
  }
}

}  // namespace ddx::detail
